-- Written by script/generate-sql from the declaration of reminderSetting.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_setting_before_insert//
CREATE TRIGGER Reminder_setting_before_insert BEFORE INSERT ON Reminder_setting FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Reminder_setting_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Reminder_setting_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Remind_at, '')) = '' THEN 'Remind_at: must not be empty'
        WHEN CHAR_LENGTH(NEW.Remind_at) > 5 THEN CONCAT('Remind_at: may have 5 characters, has ', CHAR_LENGTH(NEW.Remind_at))
        WHEN TRIM(NEW.Language) = '' THEN 'Language: must not be empty'
        WHEN CHAR_LENGTH(NEW.Language) > 2 THEN CONCAT('Language: may have 2 characters, has ', CHAR_LENGTH(NEW.Language))
        WHEN NEW.Repeat_days NOT BETWEEN 1 AND 30 THEN CONCAT('Repeat_days: must be from 1 to 30, is ', NEW.Repeat_days)
        WHEN NEW.Weekly_on NOT BETWEEN 1 AND 7 THEN CONCAT('Weekly_on: must be from 1 to 7, is ', NEW.Weekly_on)
        WHEN TRIM(NEW.Mail_refused) = '' THEN 'Mail_refused: must not be empty'
        WHEN CHAR_LENGTH(NEW.Mail_refused) > 254 THEN CONCAT('Mail_refused: may have 254 characters, has ', CHAR_LENGTH(NEW.Mail_refused))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.By_mail = COALESCE(NEW.By_mail, 0) <> 0;
    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Reminder_setting WHERE User_ID = NEW.User_ID AND Reminder_setting_ID = NEW.Reminder_setting_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Created_at = UTC_TIMESTAMP(), NEW.Ver_remind_at = NEW.Ver, NEW.Ver_language = NEW.Ver, NEW.Ver_repeat_days = NEW.Ver, NEW.Ver_weekly_on = NEW.Ver, NEW.Ver_by_mail = NEW.Ver, NEW.Ver_mail_refused = NEW.Ver;
END//

DROP TRIGGER IF EXISTS Reminder_setting_after_insert//
CREATE TRIGGER Reminder_setting_after_insert AFTER INSERT ON Reminder_setting FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Reminder_setting.Reminder_setting_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_before_update//
CREATE TRIGGER Reminder_setting_before_update BEFORE UPDATE ON Reminder_setting FOR EACH ROW
BEGIN
    -- Version 0 asks for a new one: a part has changed.
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE changed_remindat, changed_language, changed_repeatdays, changed_weeklyon, changed_bymail, changed_mailrefused BOOLEAN;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Reminder_setting_ID <> OLD.Reminder_setting_ID OR NEW.User_ID <> OLD.User_ID THEN 'Reminder_setting_ID: never changes'
        WHEN TRIM(COALESCE(NEW.Remind_at, '')) = '' THEN 'Remind_at: must not be empty'
        WHEN CHAR_LENGTH(NEW.Remind_at) > 5 THEN CONCAT('Remind_at: may have 5 characters, has ', CHAR_LENGTH(NEW.Remind_at))
        WHEN TRIM(NEW.Language) = '' THEN 'Language: must not be empty'
        WHEN CHAR_LENGTH(NEW.Language) > 2 THEN CONCAT('Language: may have 2 characters, has ', CHAR_LENGTH(NEW.Language))
        WHEN NEW.Repeat_days NOT BETWEEN 1 AND 30 THEN CONCAT('Repeat_days: must be from 1 to 30, is ', NEW.Repeat_days)
        WHEN NEW.Weekly_on NOT BETWEEN 1 AND 7 THEN CONCAT('Weekly_on: must be from 1 to 7, is ', NEW.Weekly_on)
        WHEN TRIM(NEW.Mail_refused) = '' THEN 'Mail_refused: must not be empty'
        WHEN CHAR_LENGTH(NEW.Mail_refused) > 254 THEN CONCAT('Mail_refused: may have 254 characters, has ', CHAR_LENGTH(NEW.Mail_refused))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.By_mail = COALESCE(NEW.By_mail, 0) <> 0;
    SET changed_remindat = NOT (CAST(NEW.Remind_at AS BINARY) <=> CAST(OLD.Remind_at AS BINARY));
    SET changed_language = NOT (CAST(NEW.Language AS BINARY) <=> CAST(OLD.Language AS BINARY));
    SET changed_repeatdays = NOT (NEW.Repeat_days <=> OLD.Repeat_days);
    SET changed_weeklyon = NOT (NEW.Weekly_on <=> OLD.Weekly_on);
    SET changed_bymail = NOT (NEW.By_mail <=> OLD.By_mail);
    SET changed_mailrefused = NOT (CAST(NEW.Mail_refused AS BINARY) <=> CAST(OLD.Mail_refused AS BINARY));
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver, NEW.Ver_remind_at = OLD.Ver_remind_at, NEW.Ver_language = OLD.Ver_language, NEW.Ver_repeat_days = OLD.Ver_repeat_days, NEW.Ver_weekly_on = OLD.Ver_weekly_on, NEW.Ver_by_mail = OLD.Ver_by_mail, NEW.Ver_mail_refused = OLD.Ver_mail_refused;
    IF asked OR NOT (NEW.Deleted_at <=> OLD.Deleted_at) OR changed_remindat OR changed_language OR changed_repeatdays OR changed_weeklyon OR changed_bymail OR changed_mailrefused THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        SET NEW.Ver_remind_at = IF(changed_remindat, NEW.Ver, OLD.Ver_remind_at);
        SET NEW.Ver_language = IF(changed_language, NEW.Ver, OLD.Ver_language);
        SET NEW.Ver_repeat_days = IF(changed_repeatdays, NEW.Ver, OLD.Ver_repeat_days);
        SET NEW.Ver_weekly_on = IF(changed_weeklyon, NEW.Ver, OLD.Ver_weekly_on);
        SET NEW.Ver_by_mail = IF(changed_bymail, NEW.Ver, OLD.Ver_by_mail);
        SET NEW.Ver_mail_refused = IF(changed_mailrefused, NEW.Ver, OLD.Ver_mail_refused);
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_after_update//
CREATE TRIGGER Reminder_setting_after_update AFTER UPDATE ON Reminder_setting FOR EACH ROW
BEGIN
    IF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        VALUES (NEW.User_ID, NEW.Ver, 9, NEW.Reminder_setting_ID, UTC_TIMESTAMP());
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_after_delete//
CREATE TRIGGER Reminder_setting_after_delete AFTER DELETE ON Reminder_setting FOR EACH ROW
BEGIN
    -- One that was marked as deleted has its tombstone already.
    IF OLD.Deleted_at IS NULL THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 9, OLD.Reminder_setting_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
