-- Written by script/generate-sql from the declaration of reminderLead.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_lead_before_insert//
CREATE TRIGGER Reminder_lead_before_insert BEFORE INSERT ON Reminder_lead FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Reminder_lead_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Reminder_lead_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Kind, '')) = '' THEN 'Kind: must not be empty'
        WHEN CHAR_LENGTH(NEW.Kind) > 20 THEN CONCAT('Kind: may have 20 characters, has ', CHAR_LENGTH(NEW.Kind))
        WHEN NEW.Days NOT BETWEEN 0 AND 365 THEN CONCAT('Days: must be from 0 to 365, is ', NEW.Days)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_lead.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Reminder_lead WHERE User_ID = NEW.User_ID AND Reminder_lead_ID = NEW.Reminder_lead_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Created_at = UTC_TIMESTAMP(), NEW.Ver_days = NEW.Ver;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_insert//
CREATE TRIGGER Reminder_lead_after_insert AFTER INSERT ON Reminder_lead FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Reminder_lead.Reminder_lead_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_lead_before_update//
CREATE TRIGGER Reminder_lead_before_update BEFORE UPDATE ON Reminder_lead FOR EACH ROW
BEGIN
    -- Version 0 asks for a new one: a part has changed.
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE changed_days BOOLEAN;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Reminder_lead_ID <> OLD.Reminder_lead_ID OR NEW.User_ID <> OLD.User_ID THEN 'Reminder_lead_ID: never changes'
        WHEN NOT (CAST(NEW.Kind AS BINARY) <=> CAST(OLD.Kind AS BINARY)) THEN 'Kind: never changes'
        WHEN TRIM(COALESCE(NEW.Kind, '')) = '' THEN 'Kind: must not be empty'
        WHEN CHAR_LENGTH(NEW.Kind) > 20 THEN CONCAT('Kind: may have 20 characters, has ', CHAR_LENGTH(NEW.Kind))
        WHEN NEW.Days NOT BETWEEN 0 AND 365 THEN CONCAT('Days: must be from 0 to 365, is ', NEW.Days)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_lead.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET changed_days = NOT (NEW.Days <=> OLD.Days);
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver, NEW.Ver_days = OLD.Ver_days;
    IF asked OR NOT (NEW.Deleted_at <=> OLD.Deleted_at) OR changed_days THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        SET NEW.Ver_days = IF(changed_days, NEW.Ver, OLD.Ver_days);
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_update//
CREATE TRIGGER Reminder_lead_after_update AFTER UPDATE ON Reminder_lead FOR EACH ROW
BEGIN
    IF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        VALUES (NEW.User_ID, NEW.Ver, 13, NEW.Reminder_lead_ID, UTC_TIMESTAMP());
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_lead_after_delete//
CREATE TRIGGER Reminder_lead_after_delete AFTER DELETE ON Reminder_lead FOR EACH ROW
BEGIN
    -- One that was marked as deleted has its tombstone already.
    IF OLD.Deleted_at IS NULL THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 13, OLD.Reminder_lead_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
