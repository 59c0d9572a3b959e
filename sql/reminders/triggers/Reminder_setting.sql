-- Reminder_setting: its bounds, and the version that a change takes. Its days ahead go with it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_setting_before_insert//
CREATE TRIGGER Reminder_setting_before_insert BEFORE INSERT ON Reminder_setting FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Remind_at NOT BETWEEN '00:00:00' AND '23:59:59' THEN CONCAT('Remind_at: must be a time of a day, is ', NEW.Remind_at)
        WHEN NEW.Language NOT REGEXP '^[a-z]{2}$' THEN CONCAT('Language: must be two small letters, is ', NEW.Language)
        WHEN NEW.Repeat_days NOT BETWEEN 1 AND 30 THEN CONCAT('Repeat_days: must be from 1 to 30, is ', NEW.Repeat_days)
        WHEN NEW.Weekly_on NOT BETWEEN 1 AND 7 THEN CONCAT('Weekly_on: must be from 1 to 7, is ', NEW.Weekly_on)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.By_mail = COALESCE(NEW.By_mail, 0) <> 0;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Reminder_setting WHERE User_ID = NEW.User_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_after_insert//
CREATE TRIGGER Reminder_setting_after_insert AFTER INSERT ON Reminder_setting FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Reminder_setting.User_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_before_update//
CREATE TRIGGER Reminder_setting_before_update BEFORE UPDATE ON Reminder_setting FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.User_ID <> OLD.User_ID THEN 'User_ID: never changes'
        WHEN NEW.Remind_at NOT BETWEEN '00:00:00' AND '23:59:59' THEN CONCAT('Remind_at: must be a time of a day, is ', NEW.Remind_at)
        WHEN NEW.Language NOT REGEXP '^[a-z]{2}$' THEN CONCAT('Language: must be two small letters, is ', NEW.Language)
        WHEN NEW.Repeat_days NOT BETWEEN 1 AND 30 THEN CONCAT('Repeat_days: must be from 1 to 30, is ', NEW.Repeat_days)
        WHEN NEW.Weekly_on NOT BETWEEN 1 AND 7 THEN CONCAT('Weekly_on: must be from 1 to 7, is ', NEW.Weekly_on)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_setting.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.By_mail = COALESCE(NEW.By_mail, 0) <> 0;
    -- Version 0 says that a number of days ahead has changed.
    IF COALESCE(NEW.Ver, 0) = 0 OR NOT (NEW.Remind_at <=> OLD.Remind_at AND NEW.Language <=> OLD.Language
        AND NEW.Repeat_days <=> OLD.Repeat_days AND NEW.Weekly_on <=> OLD.Weekly_on AND NEW.By_mail <=> OLD.By_mail)
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    ELSE
        SET NEW.Ver = OLD.Ver;
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_setting_before_delete//
CREATE TRIGGER Reminder_setting_before_delete BEFORE DELETE ON Reminder_setting FOR EACH ROW
BEGIN
    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 9, OLD.User_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    SET @subtrackit_deleted_settings = OLD.User_ID;
    DELETE FROM Reminder_lead WHERE User_ID = OLD.User_ID;
    SET @subtrackit_deleted_settings = NULL;
END//

DELIMITER ;
