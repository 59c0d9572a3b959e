-- A plan has one price for each day: Fee from Fee_since on, and rows of Plan_price for all other days.
SET @today = UTC_DATE(), @soon = UTC_DATE() + INTERVAL 60 DAY, @later = UTC_DATE() + INTERVAL 90 DAY;
-- A dated file: the new price holds, the old one is history.
UPDATE Plan SET Fee = 17.99, Fee_since = '2025-01-18' WHERE Plan_ID = 1;
SELECT Fee, Fee_since FROM Plan WHERE Plan_ID = 1;
-- expect: 17.990000 | 2025-01-18
SELECT Effective_on, Fee, Currency_code FROM Plan_price WHERE Plan_ID = 1;
-- expect: 2023-01-07 | 15.490000 | USD
-- A forgotten one in between.
UPDATE Plan SET Fee = 16.49, Fee_since = '2024-02-01' WHERE Plan_ID = 1;
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 1 ORDER BY 1;
-- expect: 2023-01-07 | 15.490000
-- expect: 2024-02-01 | 16.490000
-- expect: 2025-01-18 | 17.990000
-- Announced: what holds today stands.
UPDATE Plan SET Fee = 19.99, Fee_since = @soon WHERE Plan_ID = 1;
SELECT Fee, Fee_since FROM Plan WHERE Plan_ID = 1;
-- expect: 17.990000 | 2025-01-18
SELECT Effective_on = @soon, Fee FROM Plan_price WHERE Plan_ID = 1 AND Effective_on > @today;
-- expect: 1 | 19.990000
-- Announced by a row, in the plan's currency; and taken back.
SELECT Ver INTO @v FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, @later, 21.99);
SELECT Fee, Currency_code FROM Plan_price WHERE Plan_ID = 1 AND Effective_on = @later;
-- expect: 21.990000 | USD
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (1, @later + INTERVAL 1 DAY, 21.99, '');
DELETE FROM Plan_price WHERE Plan_ID = 1 AND Effective_on >= @later;
-- affected: 2
SELECT Ver - @v FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
-- expect: 4
SELECT Entity, CONVERT(Row_ID USING utf8mb4) = CONCAT('1 ', @later) FROM Tombstone ORDER BY Ver LIMIT 1;
-- expect: 5 | 1
-- No day given: from today. Typed again on the same day: no second row.
UPDATE Plan SET Fee = 18.49 WHERE Plan_ID = 1;
UPDATE Plan SET Fee = 18.59 WHERE Plan_ID = 1;
SELECT Fee, Fee_since = @today FROM Plan WHERE Plan_ID = 1;
-- expect: 18.590000 | 1
SELECT Effective_on, Fee FROM Plan_price WHERE Plan_ID = 1 AND Effective_on < @today ORDER BY 1;
-- expect: 2023-01-07 | 15.490000
-- expect: 2024-02-01 | 16.490000
-- expect: 2025-01-18 | 17.990000
-- The currency belongs to the price.
UPDATE Plan SET Currency_code = 'EUR' WHERE Plan_ID = 1;
SELECT Effective_on = @today, Fee, Currency_code FROM Price_line WHERE Plan_ID = 1 AND Effective_on BETWEEN '2025-01-01' AND @today ORDER BY Effective_on;
-- expect: 0 | 17.990000 | USD
-- expect: 1 | 18.590000 | EUR
UPDATE Plan SET Currency_code = 'USD' WHERE Plan_ID = 1;
-- Files that were applied are applied again, in any order: nothing changes, and no version is taken.
SELECT Ver INTO @v FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since) VALUES
    ('Netflix', 'Standard', 17.99, 'US', 1, 'month', '2025-11-04'), ('Netflix', 'Standard', 15.49, 'US', 1, 'month', '2023-10-21'),
    ('Netflix', 'Standard', 17.99, 'US', 1, 'month', '2025-01-18'), ('Netflix', 'Standard', 15.49, 'US', 1, 'month', '2023-01-07')
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since);
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2024-02-01', 16.49) ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
INSERT IGNORE INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2024-02-01', 1);
SELECT Ver - @v FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
-- expect: 0
SELECT COUNT(*) FROM Price_line WHERE Plan_ID = 1;
-- expect: 5
-- A price of history that was mistyped.
UPDATE Plan_price SET Fee = 16.99 WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- affected: 1
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2024-02-01', 16.49) ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
SELECT Fee FROM Plan_price WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- expect: 16.490000

-- What is refused.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, @today, 9);
-- error: Plan_price.Effective_on: the price from that day on stands in Plan.Fee (plan 1)
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (999, '2024-01-01', 9);
-- error: Plan_price.Plan_ID: there is no such plan: 999
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2024-01-01', 9.999);
-- error: Plan_price.Fee: USD has 2 digits (plan 1): 9.999
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (1, '2024-01-01', 9, 'XXX');
-- error: Plan_price.Currency_code: there is no such currency: XXX
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '1969-01-01', 9);
-- error: Plan_price.Effective_on: no day from 1970-01-02 to 2999-12-31 (plan 1): 1969-01-01
UPDATE Plan_price SET Fee = -1 WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- error: Plan_price.Fee: not between 0 and 99999999999 (plan 1): -1
UPDATE Plan_price SET Fee = 1.001 WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- error: Plan_price.Fee: USD has 2 digits (plan 1): 1.001
UPDATE Plan_price SET Effective_on = '2024-02-02' WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- error: Plan_price.Effective_on: plan and day never change
REPLACE INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2024-02-01', 9);
-- error: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE
SELECT Fee FROM Plan_price WHERE Plan_ID = 1 AND Effective_on = '2024-02-01';
-- expect: 16.490000

-- Prices whose day has come may be folded into the plan: a move, not a copy.
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since)
VALUES (50, 'Fold', 'f', 5, 'US', 1, 'month', '2024-01-01');
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (50, '2025-01-01', 6), (50, '2026-01-01', 7), (50, @soon, 8);
UPDATE Plan SET Fee = 7, Fee_since = '2026-01-01' WHERE Plan_ID = 50;
SELECT Fee, Fee_since FROM Plan WHERE Plan_ID = 50;
-- expect: 7.000000 | 2026-01-01
SELECT Fee FROM Price_line WHERE Plan_ID = 50 ORDER BY Effective_on;
-- expect: 5.000000
-- expect: 6.000000
-- expect: 7.000000
-- expect: 8.000000

-- Back to the price that stands in the plan, after another that is in the line: from the day that is given.
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since)
VALUES (51, 'Back', 'b', 5, 'US', 1, 'month', '2024-01-01');
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (51, '2024-06-01', 6);
UPDATE Plan SET Fee = 5, Fee_since = '2025-01-01' WHERE Plan_ID = 51;
UPDATE Plan SET Fee = 5, Fee_since = '2025-02-01' WHERE Plan_ID = 51;
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 51 ORDER BY 1;
-- expect: 2024-01-01 | 5.000000
-- expect: 2024-06-01 | 6.000000
-- expect: 2025-01-01 | 5.000000
