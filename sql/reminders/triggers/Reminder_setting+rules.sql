-- Reminder_setting: rules that no declaration can say, as second triggers of the same events. A text that is blank or too long
-- is the other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_setting_rules_before_insert//
CREATE TRIGGER Reminder_setting_rules_before_insert BEFORE INSERT ON Reminder_setting FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Remind_at) <> '' AND CHAR_LENGTH(NEW.Remind_at) <= 5 AND NEW.Remind_at NOT REGEXP '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            THEN 'Remind_at: must be a time from 00:00 to 23:59'
        WHEN TRIM(NEW.Language) <> '' AND CHAR_LENGTH(NEW.Language) <= 2 AND CAST(NEW.Language AS BINARY) NOT IN ('en', 'de', 'zh')
            THEN 'Language: must be en, de or zh'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_rules_before_update//
CREATE TRIGGER Reminder_setting_rules_before_update BEFORE UPDATE ON Reminder_setting FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Remind_at) <> '' AND CHAR_LENGTH(NEW.Remind_at) <= 5 AND NEW.Remind_at NOT REGEXP '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            THEN 'Remind_at: must be a time from 00:00 to 23:59'
        WHEN TRIM(NEW.Language) <> '' AND CHAR_LENGTH(NEW.Language) <= 2 AND CAST(NEW.Language AS BINARY) NOT IN ('en', 'de', 'zh')
            THEN 'Language: must be en, de or zh'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
