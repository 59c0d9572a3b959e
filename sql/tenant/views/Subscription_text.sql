-- Subscriptions with their plan's name, their ids as text. Renews, too:
-- UPDATE Subscription_text SET Start_date = End_date WHERE Subscription_ID = '0190…'. In a large database find the row by
-- its bytes, UNHEX(REPLACE('0190…', '-', '')), in Subscription: text has no index.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Subscription_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(s.Subscription_ID, 1, 4)), '-', HEX(SUBSTRING(s.Subscription_ID, 5, 2)), '-',
        HEX(SUBSTRING(s.Subscription_ID, 7, 2)), '-', HEX(SUBSTRING(s.Subscription_ID, 9, 2)), '-',
        HEX(SUBSTRING(s.Subscription_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Subscription_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(s.User_ID, 1, 4)), '-', HEX(SUBSTRING(s.User_ID, 5, 2)), '-',
        HEX(SUBSTRING(s.User_ID, 7, 2)), '-', HEX(SUBSTRING(s.User_ID, 9, 2)), '-',
        HEX(SUBSTRING(s.User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    s.Plan_ID,
    p.Provider,
    p.Plan_name,
    s.Start_date,
    s.End_date,
    s.Free_trial,
    s.Auto_renew,
    s.Cancelled_on,
    s.Period,
    s.Period_fee,
    s.Period_currency,
    s.Own_fee,
    s.Reminder_days,
    s.Muted,
    s.Label,
    s.Note,
    s.Anchor_date,
    s.Anchor_count,
    s.Deleted_at,
    s.Created_at,
    s.Ver
FROM Subscription s
JOIN Plan p ON p.Plan_ID = s.Plan_ID;
