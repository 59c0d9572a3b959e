-- A revision of the catalogue: staged as text, checked, looked at, applied country by country.
-- sessions: strict collations
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET @u = 0x01900000000070008000000000000001;
INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES ('spring', '2025-03-01', TRUE);
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Notice_days, Category) VALUES
    ('spring', 'US', 'Netflix', 'Standard', '17.99', '1', 'month', NULL, NULL),
    ('spring', 'US', 'Netflix', 'Year', '150', '1', 'year', '14', ''),
    ('spring', 'US', 'netflix', 'PREMIUM', '22.990', '1', 'month', '0', NULL),
    ('spring', 'US', 'Brand new', ' First ', '3.5', '2', 'week', '', 'Books'),
    ('spring', 'JP', 'Netflix', 'Standard', '1190', '1', 'month', NULL, NULL);
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'spring';
SELECT Country_ID, Applied_at, New_plans, Changed_price, Changed_terms, Withdrawn, Unchanged, Rejected FROM Revision_country ORDER BY 1;
-- expect: JP | NULL | 0 | 1 | 0 | 0 | 0 | 0
-- expect: US | NULL | 1 | 1 | 1 | 1 | 1 | 0
SELECT Line, Outcome, Explanation, Plan_name FROM Revised_plan WHERE Country_ID = 'US' ORDER BY Row_no;
-- expect: 1 | price | 15.49 USD -> 17.99 USD from 2025-03-01 | Standard
-- expect: 2 | terms | notice 0 -> 14 days | Year
-- expect: 3 | unchanged | NULL | PREMIUM
-- expect: 4 | new | NULL | First
-- expect: NULL | withdrawn | not in the file; withdrawn on 2025-03-01 | Quarter
-- Nothing has happened yet.
SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NOT NULL OR Notice_days > 0 OR Provider = 'Brand new';
-- expect: 0
SELECT COUNT(*) FROM Plan_price;
-- expect: 0
-- The countries one after the other, in one statement each; the last finds nothing to do.
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring' AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
-- affected: 1
SELECT Country_ID FROM Revision_country WHERE Applied_at IS NOT NULL;
-- expect: JP
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring' AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
-- affected: 1
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring' AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
-- affected: 0
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring' AND Country_ID = 'US';
-- error: Revision_country.Applied_at: it is applied already (spring): US
SELECT Plan_ID, Effective_on, Fee, Currency_code FROM Price_line WHERE Plan_ID IN (1, 6) ORDER BY 1, 2;
-- expect: 1 | 2023-01-07 | 15.490000 | USD
-- expect: 1 | 2025-03-01 | 17.990000 | USD
-- expect: 6 | 2023-01-07 | 990.000000 | JPY
-- expect: 6 | 2025-03-01 | 1190.000000 | JPY
SELECT Plan_ID, Withdrawn_on, Notice_days FROM Plan WHERE Provider = 'Netflix' ORDER BY 1;
-- expect: 1 | NULL | 0
-- expect: 2 | NULL | 14
-- expect: 3 | NULL | 0
-- expect: 4 | 2025-03-01 | 0
-- expect: 6 | NULL | 0
SELECT p.Plan_name, p.Fee, p.Currency_code, p.Fee_since, p.Duration_value, p.Duration_unit, v.Category
FROM Plan p JOIN Provider v ON v.Provider = p.Provider WHERE p.Provider = 'Brand new';
-- expect: First | 3.500000 | USD | 2025-03-01 | 2 | week | Books
-- The gym is not in the file, and nobody said that it is gone.
SELECT COUNT(*) FROM Plan WHERE Provider = 'Gym' AND Withdrawn_on IS NULL;
-- expect: 2
-- The same once more: nothing changes, and no version is taken.
SELECT SUM(Ver) INTO @v FROM Scope;
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'spring';
SELECT SUM(New_plans + Changed_price + Changed_terms + Withdrawn + Rejected), SUM(Unchanged) FROM Revision_country;
-- expect: 0 | 5
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring';
-- affected: 2
SELECT SUM(Ver) = @v FROM Scope;
-- expect: 1
-- The price of a day: a period costs what held when it began.
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2025-01-31');
UPDATE Subscription SET Start_date = End_date;
UPDATE Subscription SET Start_date = End_date;
SELECT Period, Start_date, Fee FROM Subscription_period ORDER BY 1;
-- expect: 0 | 2025-01-31 | 15.490000
-- expect: 1 | 2025-02-28 | 15.490000
SELECT Start_date, Period_fee FROM Subscription;
-- expect: 2025-03-31 | 17.990000
-- Thrown away: nothing of it stays but what was applied.
DELETE FROM Revision WHERE Revision = 'spring';
SELECT (SELECT COUNT(*) FROM Staged_plan) + (SELECT COUNT(*) FROM Revised_plan) + (SELECT COUNT(*) FROM Revision_country) + (SELECT COUNT(*) FROM Revision_provider);
-- expect: 0

-- Several days of a plan, announced ones and corrections of what stands; rows in any order.
INSERT INTO Revision (Revision, Effective_on) VALUES ('line', '2025-01-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit) VALUES
    -- What the row of March corrects: the price comes back, and is a change again.
    ('line', 'US', 'Netflix', 'Standard', '17.99', '2026-01-01', '1', 'month'),
    ('line', 'US', 'Netflix', 'Standard', '18.49', '2025-03-01', '1', 'month'),
    ('line', 'US', 'Netflix', 'Standard', '14.99', '2023-01-07', '1', 'month'),
    ('line', 'US', 'Netflix', 'Standard', '13.99', '2022-01-01', '1', 'month'),
    ('line', 'US', 'Netflix', 'Standard', '20', '2099-01-01', '1', 'month'),
    ('line', 'DE', 'Netflix', 'Standard', '12', '2099-01-01', '1', 'month'),
    ('line', 'DE', 'Netflix', 'Standard', '11', '2024-01-01', '1', 'month'),
    ('line', 'DE', 'Netflix', 'Standard', '11', '', '1', 'month');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'line';
SELECT Line, Outcome, Price_change FROM Revised_plan WHERE Country_ID = 'US' ORDER BY Row_no;
-- expect: 1 | price | 1
-- expect: 2 | price | 2
-- expect: 3 | price | 3
-- expect: 4 | price | 1
-- expect: 5 | price | 1
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'line';
-- affected: 2
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 1 ORDER BY 1;
-- expect: 2022-01-01 | 13.990000
-- expect: 2023-01-07 | 14.990000
-- expect: 2025-03-01 | 18.490000
-- expect: 2026-01-01 | 17.990000
-- expect: 2099-01-01 | 20.000000
SELECT l.Effective_on, l.Fee FROM Price_line l JOIN Plan p ON p.Plan_ID = l.Plan_ID WHERE p.Country_ID = 'DE' ORDER BY 1;
-- expect: 2024-01-01 | 11.000000
-- expect: 2099-01-01 | 12.000000
-- Applied again, in a session that is not strict, it is the same.
SET SESSION sql_mode = '';
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'line';
SELECT SUM(Changed_price + New_plans), SUM(Unchanged) FROM Revision_country WHERE Revision = 'line';
-- expect: 0 | 8
-- Withdrawn by a row, with a day to come; not sold and not known says nothing; sold again.
INSERT INTO Revision (Revision, Effective_on) VALUES ('out', '2025-06-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('out', 'US', 'Netflix', 'Premium', '', '1', 'month', '2099-06-01'), ('out', 'US', 'Netflix', 'Nothing', 'none', '1', 'month', '2025-06-01'),
    ('out', 'US', 'Netflix', 'Quarter', '40', '3', 'month', '');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'out';
SELECT Outcome, Explanation FROM Revised_plan WHERE Revision = 'out' ORDER BY Row_no;
-- expect: withdrawn | withdrawn on 2099-06-01
-- expect: unchanged | NULL
-- expect: terms | sold again
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'out';
SELECT Plan_ID, Withdrawn_on FROM Plan WHERE Plan_ID IN (3, 4) ORDER BY 1;
-- expect: 3 | 2099-06-01
-- expect: 4 | NULL

-- What is refused.
INSERT INTO Revision (Revision) VALUES (' ');
-- error: Revision.Revision: it is empty
INSERT INTO Revision (Revision, Effective_on) VALUES ('x', '2027-02-30');
-- error: Revision.Effective_on: no day from 1970-01-02 to 2999-12-31 (x)
INSERT INTO Revision (Revision) VALUES ('empty');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'empty';
-- error: Revision.Checked_at: there is no row in Staged_plan for it: empty
UPDATE Revision SET Revision = 'other' WHERE Revision = 'empty';
-- error: Revision.Revision: its name never changes: empty
