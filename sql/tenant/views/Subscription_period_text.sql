-- Periods that have ended, their subscription's id as text.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Subscription_period_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Subscription_ID, 1, 4)), '-', HEX(SUBSTRING(Subscription_ID, 5, 2)), '-',
        HEX(SUBSTRING(Subscription_ID, 7, 2)), '-', HEX(SUBSTRING(Subscription_ID, 9, 2)), '-',
        HEX(SUBSTRING(Subscription_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Subscription_ID,
    Period,
    Start_date,
    End_date,
    Fee,
    Currency_code,
    Free_trial,
    Plan_ID,
    Ver
FROM Subscription_period;
