-- What catalogue admins do with plain SQL: many rows at a time, joins, subqueries.
-- A plan that names a provider makes it, and is spelled as it is.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('NETFLIX', 'Basic', 9.99, 'DE', 1, 'month'), ('Spotify', 'Solo', 9.99, 'DE', 1, 'month');
SELECT Provider, Plan_name, Currency_code FROM Plan WHERE Country_ID = 'DE' ORDER BY Plan_name;
-- expect: Netflix | Basic | EUR
-- expect: Spotify | Solo | EUR
SELECT Provider, Category FROM Provider WHERE Provider LIKE 'S%';
-- expect: Spotify | Other
-- A country copied to another.
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit)
SELECT Provider, Plan_name, Fee, Currency_code, 'DE', Duration_value, Duration_unit FROM Plan WHERE Country_ID = 'US';
-- affected: 6
SELECT DISTINCT Currency_code FROM Plan WHERE Country_ID = 'DE' ORDER BY 1;
-- expect: EUR
-- expect: USD
-- Joins with tables that the triggers read.
UPDATE Plan p JOIN Provider x ON x.Provider = p.Provider SET p.Notice_days = 1 WHERE x.Category = 'Video' AND p.Country_ID = 'US';
-- affected: 4
UPDATE Plan p JOIN Country c ON c.Country_ID = p.Country_ID SET p.Notice_days = 2 WHERE c.Currency_code = 'JPY';
-- affected: 1
UPDATE Plan SET Notice_days = 4 WHERE Country_ID = 'DE' AND Provider IN (SELECT Provider FROM Provider WHERE Category = 'Other');
-- affected: 3
DELETE FROM Plan WHERE Country_ID = 'DE' AND Plan_ID NOT IN (SELECT Plan_ID FROM Subscription);
-- affected: 8
SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = CAST('CDE' AS BINARY(16)) AND Entity = 4;
-- expect: 8

-- Staged and applied.
CREATE TEMPORARY TABLE Staged (Provider VARCHAR(100), Plan_name VARCHAR(100), Fee VARCHAR(30)) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
INSERT INTO Staged VALUES ('Netflix', 'Standard', '16.49'), ('Netflix', 'Brand new', '3.99');
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since)
SELECT Provider, Plan_name, Fee, 'US', 1, 'month', '2025-01-01' FROM Staged
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since);
SELECT Plan_name, Fee, Fee_since FROM Plan WHERE Provider = 'Netflix' AND Fee_since = '2025-01-01' ORDER BY Plan_name;
-- expect: Brand new | 3.990000 | 2025-01-01
-- expect: Standard | 16.490000 | 2025-01-01
-- All plans of a country dearer, from a day on.
UPDATE Plan SET Fee = ROUND(Fee * 1.1, 2), Fee_since = '2099-01-01' WHERE Country_ID = 'US' AND Provider = 'Netflix';
SELECT COUNT(*) FROM Plan_price WHERE Effective_on = '2099-01-01';
-- expect: 5

-- What is in use stays.
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000001, 1, '2027-01-31');
DELETE FROM Plan WHERE Plan_ID = 1;
-- error: Plan.Plan_ID: it is in use (Standard); set Withdrawn_on instead: 1
UPDATE Subscription SET Start_date = End_date, Plan_ID = 3;
DELETE FROM Plan WHERE Plan_ID = 1;
-- error: Plan.Plan_ID: it is in use (Standard); set Withdrawn_on instead: 1
DELETE FROM Subscription;
DELETE FROM Plan WHERE Plan_ID = 1;
-- affected: 1
SELECT COUNT(*) FROM Plan_price WHERE Plan_ID = 1;
-- expect: 0
DELETE FROM Provider WHERE Provider = 'Netflix';
-- error: names it: Netflix
DELETE FROM Provider WHERE Provider = 'Spotify';
-- affected: 1
DELETE FROM Country WHERE Country_ID = 'US';
-- error: foreign key constraint fails
DELETE FROM Currency WHERE Currency_code = 'USD';
-- error: foreign key constraint fails
-- A provider's name changes in its spelling only, and its plans with it.
UPDATE Provider SET Provider = 'Netflix Inc' WHERE Provider = 'Netflix';
-- error: Provider.Provider: only its case changes; insert another, and change its plans: Netflix
UPDATE Provider SET Provider = 'NETFLIX' WHERE Provider = 'Netflix';
-- affected: 1
SELECT DISTINCT CAST(Provider AS CHAR) FROM Plan WHERE Provider = 'Netflix';
-- expect: NETFLIX
-- To another provider, by its plans.
UPDATE Plan SET Provider = 'Streams' WHERE Provider = 'netflix';
SELECT Provider, COUNT(*) FROM Plan GROUP BY Provider ORDER BY Provider;
-- expect: Gym | 2
-- expect: Streams | 5
DELETE FROM Provider WHERE Provider = 'Netflix';
-- affected: 1
-- All letters of the world.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('網飛', '黄金VIP会员 🎬', 990, 'JP', 1, 'month');
SELECT Provider, Plan_name FROM Plan WHERE Provider = '網飛';
-- expect: 網飛 | 黄金VIP会员 🎬
