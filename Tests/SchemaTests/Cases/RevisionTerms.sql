-- A revision with several rows of a plan, some without a price; days on which plans end; what is staged after the check.
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
-- A new plan: its newest row's terms, in whatever order they stand; a row without a price is no day of its line.
INSERT INTO Revision (Revision, Effective_on) VALUES ('new', '2024-01-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit, Trial_days, Notice_days, Withdrawn_on) VALUES
    ('new', 'DE', 'Film', 'Back', '', '2024-01-01', '1', 'month', '', '', '2024-01-01'),
    ('new', 'DE', 'Film', 'Back', '5', '2025-01-01', '1', 'month', '', '', ''),
    ('new', 'DE', 'Film', 'Terms', '7', '2025-06-01', '1', 'month', '', '30', ''),
    ('new', 'DE', 'Film', 'Terms', '6', '2025-01-01', '1', 'month', '14', '7', ''),
    ('new', 'DE', 'Film', 'Ended', '6', '2024-01-01', '1', 'month', '', '', ''),
    ('new', 'DE', 'Film', 'Ended', '', '2025-01-01', '1', 'month', '', '', '2025-02-01');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'new';
SELECT New_plans, Unchanged, Rejected FROM Revision_country WHERE Revision = 'new';
-- expect: 3 | 2 | 0
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'new';
-- affected: 1
SELECT p.Plan_name, l.Effective_on, l.Fee, p.Trial_days, p.Notice_days, p.Withdrawn_on
FROM Plan p JOIN Price_line l ON l.Plan_ID = p.Plan_ID WHERE p.Provider = 'Film' ORDER BY 1, 2;
-- expect: Back | 2025-01-01 | 5.000000 | NULL | 0 | NULL
-- expect: Ended | 2024-01-01 | 6.000000 | NULL | 0 | 2025-02-01
-- expect: Terms | 2025-01-01 | 6.000000 | 14 | 30 | NULL
-- expect: Terms | 2025-06-01 | 7.000000 | 14 | 30 | NULL
-- Each has a version of its own, and the scope has that of the last.
SELECT COUNT(*), COUNT(DISTINCT v.Ver), MAX(v.Ver) = (SELECT Ver FROM Scope WHERE Scope_ID = CAST('CDE' AS BINARY(16)))
FROM (SELECT Ver FROM Plan WHERE Country_ID = 'DE' UNION ALL
    SELECT x.Ver FROM Plan_price x JOIN Plan p ON p.Plan_ID = x.Plan_ID WHERE p.Country_ID = 'DE') v;
-- expect: 4 | 4 | 1
SELECT COUNT(*) FROM Revision_run;
-- expect: 0
-- Again, nothing changes.
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'new';
SELECT New_plans + Changed_price + Changed_terms + Withdrawn + Rejected, Unchanged FROM Revision_country WHERE Revision = 'new';
-- expect: 0 | 6

-- No price on a day: whatever ended before keeps its day, however often it is said, and so does what was sold since.
INSERT INTO Revision (Revision, Effective_on) VALUES ('later', '2025-09-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('later', 'DE', 'Film', 'Ended', NULL, '1', 'month', '2025-09-01'), ('later', 'DE', 'Film', 'Back', NULL, '1', 'month', '2025-09-01');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'later';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'later';
SELECT Plan_name, Withdrawn_on FROM Plan WHERE Provider = 'Film' ORDER BY 1;
-- expect: Back | 2025-09-01
-- expect: Ended | 2025-02-01
-- expect: Terms | NULL
INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES ('past', '2025-03-01', TRUE);
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('past', 'DE', 'Film', 'Terms', NULL, '1', 'month', '2025-03-01'), ('past', 'DE', 'Film', 'Back', 5, '1', 'month', NULL);
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'past';
SELECT Changed_terms + Withdrawn, Unchanged FROM Revision_country WHERE Revision = 'past';
-- expect: 0 | 2
-- A day that somebody states otherwise is taken.
INSERT INTO Revision (Revision, Effective_on) VALUES ('stated', '2025-09-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('stated', 'DE', 'Film', 'Ended', NULL, '1', 'month', '2025-03-01');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'stated';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'stated';
SELECT Withdrawn_on FROM Plan WHERE Plan_name = 'Ended';
-- expect: 2025-03-01

-- What was staged or mended after the check is not applied unseen; what else changed is looked at again.
INSERT INTO Revision (Revision, Effective_on) VALUES ('unseen', '2025-10-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('unseen', 'DE', 'Film', 'Back', '9', '1', 'month', '');
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'unseen';
-- affected: 0
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'unseen';
UPDATE Staged_plan SET Fee = '8' WHERE Revision = 'unseen';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'unseen';
-- error: Revision_country.Applied_at: Staged_plan has changed since the check; check it again: unseen
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'unseen';
UPDATE Plan SET Fee = 8, Fee_since = '2025-10-01' WHERE Plan_name = 'Back';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'unseen';
-- The price is there meanwhile; sold again it is not.
SELECT Changed_price, Changed_terms FROM Revision_country WHERE Revision = 'unseen';
-- expect: 0 | 1
-- A currency that has lost its digits since.
INSERT INTO Revision (Revision, Effective_on) VALUES ('digits', '2025-10-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
    ('digits', 'KW', 'Film', 'Abo', '9.125', '1', 'month');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'digits';
UPDATE Currency SET Minor_digits = 2 WHERE Currency_code = 'KWD';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'digits';
-- error: Revision_country.Applied_at: a currency has fewer digits since the check; check it again: digits
SELECT COUNT(*) FROM Plan WHERE Country_ID = 'KW';
-- expect: 0

-- A field too many, and line ends of all kinds.
INSERT INTO Revision (Revision, Effective_on) VALUES ('lines', '2025-10-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Surplus) VALUES
    ('lines', 'DE', 'Film', 'Comma', '1', '1', 'month', '99'), ('lines', 'DE', 'Film', 'None', '1', '1', 'month', 0x0D),
    ('lines', 'DE', 'Film', 'Feed', '1', '1', 0x6D6F6E74680A, NULL), ('lines', 'DE', 'Film', 'Both', '1', '1', 0x6D6F6E74680D0A, NULL);
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'lines';
SELECT Plan_name, Outcome, Explanation FROM Revised_plan WHERE Revision = 'lines' ORDER BY Row_no;
-- expect: Comma | rejected | Surplus: more fields than columns: 99; remove the comma, or put the text with commas in quotes
-- expect: None | new | NULL
-- expect: Feed | new | NULL
-- expect: Both | new | NULL

-- An update cannot say that it was checked.
UPDATE Plan SET Fee = -5, Ver = 9223372036854775809 WHERE Plan_ID = 1;
-- error: Plan.Fee: not between 0 and 99999999999 (Standard): -5.000000
