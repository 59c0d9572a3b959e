-- All prices of a plan, each with the day from which it holds. The price of a day is the greatest day not after it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Price_line AS
SELECT Plan_ID, Fee_since AS Effective_on, Fee, Currency_code FROM Plan
UNION ALL
SELECT Plan_ID, Effective_on, Fee, Currency_code FROM Plan_price;
