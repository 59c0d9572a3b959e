-- Settings of reminders: the address that a mail server has refused for good.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- No reminder goes there until the member asks for it. (IF NOT EXISTS for a column is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Reminder_setting' AND COLUMN_NAME = 'Mail_refused') = 0,
    'ALTER TABLE Reminder_setting
        ADD COLUMN Mail_refused VARCHAR(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
        ADD COLUMN Ver_mail_refused BIGINT UNSIGNED NOT NULL DEFAULT 0', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
