-- Reminder, its ids as text. Written by script/generate-sql from the declaration of reminder.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Reminder_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Reminder_ID, 1, 4)), '-', HEX(SUBSTRING(Reminder_ID, 5, 2)), '-',
        HEX(SUBSTRING(Reminder_ID, 7, 2)), '-', HEX(SUBSTRING(Reminder_ID, 9, 2)), '-',
        HEX(SUBSTRING(Reminder_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Reminder_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Subject_id, 1, 4)), '-', HEX(SUBSTRING(Subject_id, 5, 2)), '-',
        HEX(SUBSTRING(Subject_id, 7, 2)), '-', HEX(SUBSTRING(Subject_id, 9, 2)), '-',
        HEX(SUBSTRING(Subject_id, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Subject_id,
    Kind,
    Occurs_on,
    Lead_days,
    Snoozed_until,
    Answer,
    Created_at,
    Deleted_at,
    Ver
FROM Reminder;
