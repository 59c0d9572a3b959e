-- Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_date_before_insert//
CREATE TRIGGER Contact_date_before_insert BEFORE INSERT ON Contact_date FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Date_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Date_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Happens_on, '')) = '' THEN 'Happens_on: must not be empty'
        WHEN CHAR_LENGTH(NEW.Happens_on) > 10 THEN CONCAT('Happens_on: may have 10 characters, has ', CHAR_LENGTH(NEW.Happens_on))
        WHEN NEW.Reminder_days NOT BETWEEN 0 AND 365 THEN CONCAT('Reminder_days: must be from 0 to 365, is ', NEW.Reminder_days)
        WHEN TRIM(COALESCE(NEW.Date_type, '')) = '' THEN 'Date_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Date_type) > 30 THEN CONCAT('Date_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Date_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_date.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Yearly = COALESCE(NEW.Yearly, 0) <> 0;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Contact_date WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID AND Date_ID = NEW.Date_ID;
    IF found = 0 THEN
        -- It takes the version that its contact gets with it.
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_date_after_insert//
CREATE TRIGGER Contact_date_after_insert AFTER INSERT ON Contact_date FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact_date.Date_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_date_before_update//
CREATE TRIGGER Contact_date_before_update BEFORE UPDATE ON Contact_date FOR EACH ROW
BEGIN
    DECLARE changed BOOLEAN DEFAULT NOT (CAST(NEW.Happens_on AS BINARY) <=> CAST(OLD.Happens_on AS BINARY)) OR NOT (NEW.Yearly <=> OLD.Yearly) OR NOT (NEW.Reminder_days <=> OLD.Reminder_days) OR NOT (CAST(NEW.Date_type AS BINARY) <=> CAST(OLD.Date_type AS BINARY));
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Date_ID <> OLD.Date_ID OR NEW.Contact_ID <> OLD.Contact_ID OR NEW.User_ID <> OLD.User_ID THEN 'Date_ID: never changes'
        WHEN TRIM(COALESCE(NEW.Happens_on, '')) = '' THEN 'Happens_on: must not be empty'
        WHEN CHAR_LENGTH(NEW.Happens_on) > 10 THEN CONCAT('Happens_on: may have 10 characters, has ', CHAR_LENGTH(NEW.Happens_on))
        WHEN NEW.Reminder_days NOT BETWEEN 0 AND 365 THEN CONCAT('Reminder_days: must be from 0 to 365, is ', NEW.Reminder_days)
        WHEN TRIM(COALESCE(NEW.Date_type, '')) = '' THEN 'Date_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Date_type) > 30 THEN CONCAT('Date_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Date_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_date.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Yearly = COALESCE(NEW.Yearly, 0) <> 0;
    -- Version 0 says that it goes with its contact.
    IF changed OR COALESCE(NEW.Ver, 0) <> 0 THEN
        SET NEW.Ver = OLD.Ver;
    END IF;
    IF changed THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_date_after_delete//
CREATE TRIGGER Contact_date_after_delete AFTER DELETE ON Contact_date FOR EACH ROW
BEGIN
    IF OLD.Ver > 0 THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    END IF;
END//

DELIMITER ;
