-- Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_phone_before_insert//
CREATE TRIGGER Contact_phone_before_insert BEFORE INSERT ON Contact_phone FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Phone_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Phone_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(NEW.Area_code) = '' THEN 'Area_code: must not be empty'
        WHEN CHAR_LENGTH(NEW.Area_code) > 10 THEN CONCAT('Area_code: may have 10 characters, has ', CHAR_LENGTH(NEW.Area_code))
        WHEN TRIM(NEW.Phone_number) = '' THEN 'Phone_number: must not be empty'
        WHEN CHAR_LENGTH(NEW.Phone_number) > 20 THEN CONCAT('Phone_number: may have 20 characters, has ', CHAR_LENGTH(NEW.Phone_number))
        WHEN TRIM(NEW.E164) = '' THEN 'E164: must not be empty'
        WHEN CHAR_LENGTH(NEW.E164) > 20 THEN CONCAT('E164: may have 20 characters, has ', CHAR_LENGTH(NEW.E164))
        WHEN TRIM(COALESCE(NEW.Phone_type, '')) = '' THEN 'Phone_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Phone_type) > 30 THEN CONCAT('Phone_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Phone_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_phone.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Contact_phone WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID AND Phone_ID = NEW.Phone_ID;
    IF found = 0 THEN
        -- It takes the version that its contact gets with it.
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_phone_after_insert//
CREATE TRIGGER Contact_phone_after_insert AFTER INSERT ON Contact_phone FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact_phone.Phone_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_phone_before_update//
CREATE TRIGGER Contact_phone_before_update BEFORE UPDATE ON Contact_phone FOR EACH ROW
BEGIN
    DECLARE changed BOOLEAN DEFAULT NOT (CAST(NEW.Area_code AS BINARY) <=> CAST(OLD.Area_code AS BINARY)) OR NOT (CAST(NEW.Phone_number AS BINARY) <=> CAST(OLD.Phone_number AS BINARY)) OR NOT (CAST(NEW.E164 AS BINARY) <=> CAST(OLD.E164 AS BINARY)) OR NOT (CAST(NEW.Phone_type AS BINARY) <=> CAST(OLD.Phone_type AS BINARY));
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Phone_ID <> OLD.Phone_ID OR NEW.Contact_ID <> OLD.Contact_ID OR NEW.User_ID <> OLD.User_ID THEN 'Phone_ID: never changes'
        WHEN TRIM(NEW.Area_code) = '' THEN 'Area_code: must not be empty'
        WHEN CHAR_LENGTH(NEW.Area_code) > 10 THEN CONCAT('Area_code: may have 10 characters, has ', CHAR_LENGTH(NEW.Area_code))
        WHEN TRIM(NEW.Phone_number) = '' THEN 'Phone_number: must not be empty'
        WHEN CHAR_LENGTH(NEW.Phone_number) > 20 THEN CONCAT('Phone_number: may have 20 characters, has ', CHAR_LENGTH(NEW.Phone_number))
        WHEN TRIM(NEW.E164) = '' THEN 'E164: must not be empty'
        WHEN CHAR_LENGTH(NEW.E164) > 20 THEN CONCAT('E164: may have 20 characters, has ', CHAR_LENGTH(NEW.E164))
        WHEN TRIM(COALESCE(NEW.Phone_type, '')) = '' THEN 'Phone_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Phone_type) > 30 THEN CONCAT('Phone_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Phone_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_phone.', problem), 128);
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

DROP TRIGGER IF EXISTS Contact_phone_after_delete//
CREATE TRIGGER Contact_phone_after_delete AFTER DELETE ON Contact_phone FOR EACH ROW
BEGIN
    IF OLD.Ver > 0 THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    END IF;
END//

DELIMITER ;
