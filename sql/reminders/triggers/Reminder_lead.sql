-- Reminder_lead: its bounds. A change moves the version of the settings.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_lead_before_insert//
CREATE TRIGGER Reminder_lead_before_insert BEFORE INSERT ON Reminder_lead FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Kind + 0 = 0 THEN 'Kind: is no kind of reminder that has days ahead'
        WHEN NEW.Lead_days > 365 THEN CONCAT('Lead_days: must be from 0 to 365, is ', NEW.Lead_days)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_lead.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_insert//
CREATE TRIGGER Reminder_lead_after_insert AFTER INSERT ON Reminder_lead FOR EACH ROW
BEGIN
    UPDATE Reminder_setting SET Ver = 0 WHERE User_ID = NEW.User_ID;
END//

DROP TRIGGER IF EXISTS Reminder_lead_before_update//
CREATE TRIGGER Reminder_lead_before_update BEFORE UPDATE ON Reminder_lead FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.User_ID <> OLD.User_ID THEN 'User_ID: never changes'
        WHEN NEW.Kind + 0 = 0 THEN 'Kind: is no kind of reminder that has days ahead'
        WHEN NEW.Lead_days > 365 THEN CONCAT('Lead_days: must be from 0 to 365, is ', NEW.Lead_days)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_lead.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_update//
CREATE TRIGGER Reminder_lead_after_update AFTER UPDATE ON Reminder_lead FOR EACH ROW
BEGIN
    UPDATE Reminder_setting SET Ver = 0 WHERE User_ID = NEW.User_ID;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_delete//
CREATE TRIGGER Reminder_lead_after_delete AFTER DELETE ON Reminder_lead FOR EACH ROW
BEGIN
    -- Settings that are being deleted cannot be written: their trigger says whose they are.
    IF @subtrackit_deleted_settings <=> OLD.User_ID THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    ELSE
        UPDATE Reminder_setting SET Ver = 0 WHERE User_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
