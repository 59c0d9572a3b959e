-- Reminder_setting, its ids as text. Written by script/generate-sql from the declaration of reminderSetting.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Reminder_setting_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Reminder_setting_ID, 1, 4)), '-', HEX(SUBSTRING(Reminder_setting_ID, 5, 2)), '-',
        HEX(SUBSTRING(Reminder_setting_ID, 7, 2)), '-', HEX(SUBSTRING(Reminder_setting_ID, 9, 2)), '-',
        HEX(SUBSTRING(Reminder_setting_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Reminder_setting_ID,
    Remind_at,
    Language,
    Repeat_days,
    Weekly_on,
    By_mail,
    Mail_refused,
    Created_at,
    Deleted_at,
    Ver
FROM Reminder_setting;
