-- Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_email_before_insert//
CREATE TRIGGER Contact_email_before_insert BEFORE INSERT ON Contact_email FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Email_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Email_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Email, '')) = '' THEN 'Email: must not be empty'
        WHEN CHAR_LENGTH(NEW.Email) > 254 THEN CONCAT('Email: may have 254 characters, has ', CHAR_LENGTH(NEW.Email))
        WHEN TRIM(COALESCE(NEW.Email_type, '')) = '' THEN 'Email_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Email_type) > 30 THEN CONCAT('Email_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Email_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_email.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Contact_email WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID AND Email_ID = NEW.Email_ID;
    IF found = 0 THEN
        -- It takes the version that its contact gets with it.
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_email_after_insert//
CREATE TRIGGER Contact_email_after_insert AFTER INSERT ON Contact_email FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact_email.Email_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_email_before_update//
CREATE TRIGGER Contact_email_before_update BEFORE UPDATE ON Contact_email FOR EACH ROW
BEGIN
    DECLARE changed BOOLEAN DEFAULT NOT (CAST(NEW.Email AS BINARY) <=> CAST(OLD.Email AS BINARY)) OR NOT (CAST(NEW.Email_type AS BINARY) <=> CAST(OLD.Email_type AS BINARY));
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Email_ID <> OLD.Email_ID OR NEW.Contact_ID <> OLD.Contact_ID OR NEW.User_ID <> OLD.User_ID THEN 'Email_ID: never changes'
        WHEN TRIM(COALESCE(NEW.Email, '')) = '' THEN 'Email: must not be empty'
        WHEN CHAR_LENGTH(NEW.Email) > 254 THEN CONCAT('Email: may have 254 characters, has ', CHAR_LENGTH(NEW.Email))
        WHEN TRIM(COALESCE(NEW.Email_type, '')) = '' THEN 'Email_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Email_type) > 30 THEN CONCAT('Email_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Email_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_email.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- Version 0 says that it goes with its contact.
    IF changed OR COALESCE(NEW.Ver, 0) <> 0 THEN
        SET NEW.Ver = OLD.Ver;
    END IF;
    IF changed THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_email_after_delete//
CREATE TRIGGER Contact_email_after_delete AFTER DELETE ON Contact_email FOR EACH ROW
BEGIN
    IF OLD.Ver > 0 THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    END IF;
END//

DELIMITER ;
