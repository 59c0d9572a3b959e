-- Each row of a file is taken as it is meant, or rejected with column, value and reason; with one of these nothing is applied.
-- sessions: strict lax invalid-dates zone collations
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
INSERT INTO Revision (Revision, Effective_on) VALUES ('bad', '2025-03-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Currency_code, Fee_since, Duration_value, Duration_unit, Trial_days) VALUES
    ('bad', 'US', 'Acme', 'Good', '9.99', '', '', '1', 'month', '7'),
    ('bad', 'US', 'Acme', 'Broken', 'abc', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Comma', '1,99', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Negative', '-5', '', '', '1', 'month', ''),
    ('bad', 'JP', 'Acme', 'Digits', '990.5', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'More digits', '1.9999999', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'None', '', '', '', '1', 'month', ''),
    ('bad', 'XX', 'Acme', 'Nowhere', '1', '', '', '1', 'month', ''),
    ('bad', 'us', 'Acme', 'Small', '1', '', '', '1', 'month', ''),
    ('bad', '', 'Acme', 'No country', '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Money', '1', 'XXX', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Leap', '1', '', '2025-02-29', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Zeros', '1', '', '0000-00-00', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'German', '1', '', '1.3.2025', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Unit', '1', '', '', '1', 'Monthly', ''),
    ('bad', 'US', 'Acme', 'Zero', '1', '', '', '0', 'month', ''),
    ('bad', 'US', 'Acme', 'Long', '1', '', '', '1201', 'month', ''),
    ('bad', 'US', 'Acme', 'Trial', '1', '', '', '1', 'month', 'yes'),
    ('bad', 'US', '', 'Nobody', '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', '  ', '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 'Twice', '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'ACME', 'twice', '2', '', '2025-03-01', '1', 'month', ''),
    ('bad', 'US', 'Acme', REPEAT('x', 101), '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 0x636166E9, '1', '', '', '1', 'month', ''),
    ('bad', 'US', 'Acme', 0x6100620063, '1', '', '', '1', 'month', ''),
    ('bad', 0xEFBBBF5553, 'Acme', 'Mark', '1', '', '', '1', 0x6D6F6E74680D, 0x330D),
    ('bad', 'US', 'Acme', 0xE9BB83E98791, '1', '', '', '1', 'month', '');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'bad';
SELECT Line, Country_ID, Outcome, TRIM(Explanation) FROM Revised_plan ORDER BY Row_no;
-- expect: 1 | US | new | NULL
-- expect: 2 | US | rejected | Fee: no amount from 0 to 99999999999 such as 17.99: abc; write digits and at most one point
-- expect: 3 | US | rejected | Fee: no amount from 0 to 99999999999 such as 17.99: 1,99; write digits and at most one point
-- expect: 4 | US | rejected | Fee: no amount from 0 to 99999999999 such as 17.99: -5; write digits and at most one point
-- expect: 5 | JP | rejected | Fee: JPY has 0 digits: 990.5; round it
-- expect: 6 | US | rejected | Fee: no amount from 0 to 99999999999 such as 17.99: 1.9999999; write digits and at most one point
-- expect: 7 | US | rejected | Fee: it is empty; fill it in, or Withdrawn_on
-- expect: 8 |  | rejected | Country_ID: there is no such country: XX; write a code of ISO 3166-1 such as US
-- expect: 9 |  | rejected | Country_ID: there is no such country: us; write a code of ISO 3166-1 such as US
-- expect: 10 |  | rejected | Country_ID: it is empty; write a code of ISO 3166-1 such as US
-- expect: 11 | US | rejected | Currency_code: there is no such currency: XXX; write a code of ISO 4217 such as USD, or leave it empty
-- expect: 12 | US | rejected | Fee_since: no day from 1970-01-02 to 2999-12-31 such as 2027-01-31: 2025-02-29; write year, month and day
-- expect: 13 | US | rejected | Fee_since: no day from 1970-01-02 to 2999-12-31 such as 2027-01-31: 0000-00-00; write year, month and day
-- expect: 14 | US | rejected | Fee_since: no day from 1970-01-02 to 2999-12-31 such as 2027-01-31: 1.3.2025; write year, month and day
-- expect: 15 | US | rejected | Duration_unit: not day, week, month or year: Monthly; write one of these
-- expect: 16 | US | rejected | Duration_value: no whole number from 1 to 1200: 0; write a number within these bounds
-- expect: 17 | US | rejected | Duration_value: no whole number from 1 to 1200: 1201; write a number within these bounds
-- expect: 18 | US | rejected | Trial_days: no whole number from 0 to 1200: yes; write a number within these bounds
-- expect: 19 | US | rejected | Provider: it is empty; fill it in
-- expect: 20 | US | rejected | Plan_name: it is empty; fill it in
-- expect: 21 | US | rejected | Plan_name: the plan is there 2 times for one day, first in line 21: Twice; delete all but one, or give each a Fee_since
-- expect: 22 | US | rejected | Plan_name: the plan is there 2 times for one day, first in line 21: twice; delete all but one, or give each a Fee_since
-- expect: 23 | US | rejected | Plan_name: longer than 100 characters: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; shorten it
-- expect: 24 | US | rejected | Plan_name: not text in UTF-8 without control characters: café; save the file as UTF-8, without control characters
-- expect: 25 | US | rejected | Plan_name: not text in UTF-8 without control characters: a\0b\0c; save the file as UTF-8, without control characters
-- expect: 26 | US | new | NULL
-- expect: 27 | US | new | NULL
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'bad' AND Country_ID = 'US';
-- error: Revision_country.Applied_at: 24 rows are rejected; see Revised_plan, mend or delete them in Staged_plan, check: bad
SELECT COUNT(*) FROM Plan WHERE Provider = 'Acme';
-- expect: 0
DELETE s FROM Staged_plan s JOIN Revised_plan r ON r.Staged_ID = s.Staged_ID
WHERE r.Revision = 'bad' AND r.Outcome = 'rejected' AND r.Line > 2;
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'bad';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'bad' AND Country_ID = 'US';
-- error: Revision_country.Applied_at: 1 row is rejected; see Revised_plan, mend or delete it in Staged_plan, check: bad
-- Mended, or left out on purpose.
DELETE s FROM Staged_plan s JOIN Revised_plan r ON r.Staged_ID = s.Staged_ID WHERE r.Revision = 'bad' AND r.Outcome = 'rejected';
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'bad';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'bad';
-- affected: 1
SELECT Plan_name, Trial_days FROM Plan WHERE Provider = 'Acme' ORDER BY Plan_ID;
-- expect: Good | 7
-- expect: Mark | 3
-- expect: 黃金 | NULL

-- Files that were loaded with other options than theirs, each told by its first column.
INSERT INTO Revision (Revision, Effective_on) VALUES ('odd', '2025-03-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
    ('odd', 'US;Acme;Odd;1;1;month', NULL, NULL, NULL, NULL, NULL),
    ('odd', 0x55530941636D65, NULL, NULL, NULL, NULL, NULL),
    ('odd', 0x0055005300, 'Acme', 'Wide', '1', '1', 'month'),
    ('odd', 'Country_ID', 'Provider', 'Plan_name', 'Fee', 'Duration_value', 'Duration_unit');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'odd';
SELECT Line, Explanation FROM Revised_plan WHERE Revision = 'odd' ORDER BY Row_no;
-- expect: 1 | Country_ID: the fields are separated by semicolons; load the file again with FIELDS TERMINATED BY ';'
-- expect: 2 | Country_ID: the fields are separated by tabs; load the file again without FIELDS TERMINATED BY
-- expect: 3 | Country_ID: the file is text in UTF-16; save it as UTF-8, and load it again
-- expect: 4 | Country_ID: it is the line of names; load the file again with IGNORE 1 LINES

-- A mend without a check: it comes before the rejected row, and is told as well where a country is applied already.
INSERT INTO Revision (Revision, Effective_on) VALUES ('mend', '2025-03-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
    ('mend', 'DE', 'Mend', 'One', '1', '1', 'month'), ('mend', 'US', 'Mend', 'Two', 'x', '1', 'month');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'mend';
UPDATE Staged_plan SET Fee = '2' WHERE Revision = 'mend' AND Plan_name = 'Two';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'mend' AND Country_ID = 'DE';
-- error: Revision_country.Applied_at: Staged_plan has changed since the check; check it again: mend
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'mend';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'mend' AND Country_ID = 'DE';
-- affected: 1
UPDATE Staged_plan SET Fee = '3' WHERE Revision = 'mend' AND Plan_name = 'Two';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'mend' AND Country_ID = 'US';
-- error: Revision_country.Applied_at: Staged_plan has changed since the check; check it again: mend
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'mend';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'mend';
SELECT Plan_name, Fee FROM Plan WHERE Provider = 'Mend' ORDER BY Plan_ID;
-- expect: One | 1.000000
-- expect: Two | 3.000000
