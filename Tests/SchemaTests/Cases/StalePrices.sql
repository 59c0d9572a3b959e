-- Plan has one price of the line, which need not be today's: what a statement leaves out is taken from the line.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (1, '2024-01-01', 14, 'EUR');
UPDATE Plan SET Fee = 16 WHERE Plan_ID = 1;
SELECT l.Effective_on = UTC_DATE(), l.Fee, l.Currency_code FROM Price_line l WHERE l.Plan_ID = 1 ORDER BY l.Effective_on DESC LIMIT 1;
-- expect: 1 | 16.000000 | EUR
SELECT COUNT(*) FROM Price_line WHERE Plan_ID = 1;
-- expect: 3
-- Of a day before the line changed its currency: the one that it had.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2023-06-01', 15), (1, '2024-06-01', 15), (1, '2099-01-01', 20);
SELECT Effective_on, Currency_code FROM Price_line WHERE Plan_ID = 1 AND Effective_on IN ('2023-06-01', '2024-06-01', '2099-01-01') ORDER BY 1;
-- expect: 2023-06-01 | USD
-- expect: 2024-06-01 | EUR
-- expect: 2099-01-01 | EUR
-- Digits are those of the currency that is taken.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (3, '2024-01-01', 990, 'JPY');
UPDATE Plan SET Fee = 990.5 WHERE Plan_ID = 3;
-- error: Plan.Fee: JPY has 0 digits (Premium): 990.5
UPDATE Plan SET Fee = 21.99, Currency_code = 'EUR' WHERE Plan_ID = 3;
SELECT Fee, Currency_code FROM Price_line WHERE Plan_ID = 3 ORDER BY Effective_on DESC LIMIT 1;
-- expect: 21.990000 | EUR
-- A price that was mistyped is corrected where it stands, in its own currency.
UPDATE Plan SET Fee = 150.5, Ver = 0 WHERE Plan_ID = 2;
SELECT Fee, Currency_code FROM Price_line WHERE Plan_ID = 2;
-- expect: 150.500000 | USD
-- The stated day decides also where the fee is the one that stands in Plan.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (4, '2024-01-01', 45);
UPDATE Plan SET Fee = 40, Fee_since = '2025-01-01' WHERE Plan_ID = 4;
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 4 ORDER BY 1;
-- expect: 2023-01-07 | 40.000000
-- expect: 2024-01-01 | 45.000000
-- expect: 2025-01-01 | 40.000000
