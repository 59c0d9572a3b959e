-- The rules let by what a checked revision writes, and nothing that somebody types, whatever version it claims to have.
INSERT INTO Revision_run (Connection_ID) VALUES (CONNECTION_ID());
-- error: Revision_run.Connection_ID: it is written while a country of a revision is applied, not by hand
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Ver) VALUES ('Film', 'Forged', -5, 'US', 1, 'month', 9223372036854775809);
-- error: Plan.Fee: not between 0 and 99999999999 (Forged): -5
UPDATE Plan SET Fee = -5, Ver = 9223372036854775809 WHERE Plan_ID = 1;
-- error: Plan.Fee: not between 0 and 99999999999 (Standard): -5
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Ver) VALUES (1, '2020-01-01', -5, 9223372036854775809);
-- error: Plan_price.Fee: not between 0 and 99999999999 (plan 1): -5
-- What is right is taken, with the version that is next.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Ver) VALUES ('Film', 'New', 5, 'US', 1, 'month', 9223372036854775809);
SELECT p.Ver = s.Ver FROM Plan p JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16)) WHERE p.Plan_name = 'New';
-- expect: 1
-- A statement that reads Revision_country gets its row in. It is worth nothing to any other statement, and in nobody's way.
INSERT INTO Revision (Revision, Effective_on) VALUES ('next', '2025-01-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
    ('next', 'US', 'Film', 'Next', '7', '1', 'month'), ('next', 'US', 'Film', 'New', '6', '1', 'month');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'next';
INSERT INTO Revision_run (Connection_ID) SELECT 0 FROM Revision_country;
SELECT Connection_ID = CONNECTION_ID() FROM Revision_run;
-- expect: 1
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Ver) VALUES ('Film', 'Forged', -5, 'US', 1, 'month', 9223372036854775809);
-- error: Plan.Fee: not between 0 and 99999999999 (Forged): -5
UPDATE Plan SET Fee = -5, Ver = 9223372036854775809 WHERE Plan_ID = 1;
-- error: Plan.Fee: not between 0 and 99999999999 (Standard): -5
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Ver) VALUES (1, '2020-01-01', -5, 9223372036854775809);
-- error: Plan_price.Fee: not between 0 and 99999999999 (plan 1): -5
-- Nor is what somebody says of a statement before it: neither of them is the one that applies.
SET @subtrackit_applying = UTC_TIMESTAMP(6), @subtrackit_counts = FALSE;
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Ver) VALUES ('Film', 'Forged', -5, 'US', 1, 'month', 9223372036854775809);
-- error: Plan.Fee: not between 0 and 99999999999 (Forged): -5
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Ver) VALUES (1, '2020-01-01', -5, 9223372036854775809);
-- error: Plan_price.Fee: not between 0 and 99999999999 (plan 1): -5
SET @counted = (SELECT Ver FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16))), @subtrackit_counts = FALSE;
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('Film', 'Newer', 5, 'US', 1, 'month');
SELECT p.Ver = s.Ver, s.Ver = @counted + 1 FROM Plan p JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16)) WHERE p.Plan_name = 'Newer';
-- expect: 1 | 1
DELETE FROM Plan WHERE Plan_name = 'Newer';
UPDATE Revision_run SET Started_at = '2025-01-01';
-- error: Revision_run.Connection_ID: it never changes
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'next';
-- affected: 1
SELECT COUNT(*) FROM Revision_run;
-- expect: 0
SELECT COUNT(*) FROM Plan WHERE Provider = 'Film';
-- expect: 2
