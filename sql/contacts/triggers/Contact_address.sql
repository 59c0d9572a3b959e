-- Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_address_before_insert//
CREATE TRIGGER Contact_address_before_insert BEFORE INSERT ON Contact_address FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Address_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Address_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(NEW.Street) = '' THEN 'Street: must not be empty'
        WHEN CHAR_LENGTH(NEW.Street) > 40 THEN CONCAT('Street: may have 40 characters, has ', CHAR_LENGTH(NEW.Street))
        WHEN TRIM(NEW.Apt) = '' THEN 'Apt: must not be empty'
        WHEN CHAR_LENGTH(NEW.Apt) > 100 THEN CONCAT('Apt: may have 100 characters, has ', CHAR_LENGTH(NEW.Apt))
        WHEN TRIM(NEW.City) = '' THEN 'City: must not be empty'
        WHEN CHAR_LENGTH(NEW.City) > 100 THEN CONCAT('City: may have 100 characters, has ', CHAR_LENGTH(NEW.City))
        WHEN TRIM(NEW.State) = '' THEN 'State: must not be empty'
        WHEN CHAR_LENGTH(NEW.State) > 100 THEN CONCAT('State: may have 100 characters, has ', CHAR_LENGTH(NEW.State))
        WHEN TRIM(NEW.Zip) = '' THEN 'Zip: must not be empty'
        WHEN CHAR_LENGTH(NEW.Zip) > 10 THEN CONCAT('Zip: may have 10 characters, has ', CHAR_LENGTH(NEW.Zip))
        WHEN TRIM(NEW.Country) = '' THEN 'Country: must not be empty'
        WHEN CHAR_LENGTH(NEW.Country) > 100 THEN CONCAT('Country: may have 100 characters, has ', CHAR_LENGTH(NEW.Country))
        WHEN TRIM(COALESCE(NEW.Address_type, '')) = '' THEN 'Address_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Address_type) > 30 THEN CONCAT('Address_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Address_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_address.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Contact_address WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID AND Address_ID = NEW.Address_ID;
    IF found = 0 THEN
        -- It takes the version that its contact gets with it.
        UPDATE Contact SET Ver = 0 WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_address_after_insert//
CREATE TRIGGER Contact_address_after_insert AFTER INSERT ON Contact_address FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact_address.Address_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_address_before_update//
CREATE TRIGGER Contact_address_before_update BEFORE UPDATE ON Contact_address FOR EACH ROW
BEGIN
    DECLARE changed BOOLEAN DEFAULT NOT (CAST(NEW.Street AS BINARY) <=> CAST(OLD.Street AS BINARY)) OR NOT (CAST(NEW.Apt AS BINARY) <=> CAST(OLD.Apt AS BINARY)) OR NOT (CAST(NEW.City AS BINARY) <=> CAST(OLD.City AS BINARY)) OR NOT (CAST(NEW.State AS BINARY) <=> CAST(OLD.State AS BINARY)) OR NOT (CAST(NEW.Zip AS BINARY) <=> CAST(OLD.Zip AS BINARY)) OR NOT (CAST(NEW.Country AS BINARY) <=> CAST(OLD.Country AS BINARY)) OR NOT (CAST(NEW.Address_type AS BINARY) <=> CAST(OLD.Address_type AS BINARY));
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Address_ID <> OLD.Address_ID OR NEW.Contact_ID <> OLD.Contact_ID OR NEW.User_ID <> OLD.User_ID THEN 'Address_ID: never changes'
        WHEN TRIM(NEW.Street) = '' THEN 'Street: must not be empty'
        WHEN CHAR_LENGTH(NEW.Street) > 40 THEN CONCAT('Street: may have 40 characters, has ', CHAR_LENGTH(NEW.Street))
        WHEN TRIM(NEW.Apt) = '' THEN 'Apt: must not be empty'
        WHEN CHAR_LENGTH(NEW.Apt) > 100 THEN CONCAT('Apt: may have 100 characters, has ', CHAR_LENGTH(NEW.Apt))
        WHEN TRIM(NEW.City) = '' THEN 'City: must not be empty'
        WHEN CHAR_LENGTH(NEW.City) > 100 THEN CONCAT('City: may have 100 characters, has ', CHAR_LENGTH(NEW.City))
        WHEN TRIM(NEW.State) = '' THEN 'State: must not be empty'
        WHEN CHAR_LENGTH(NEW.State) > 100 THEN CONCAT('State: may have 100 characters, has ', CHAR_LENGTH(NEW.State))
        WHEN TRIM(NEW.Zip) = '' THEN 'Zip: must not be empty'
        WHEN CHAR_LENGTH(NEW.Zip) > 10 THEN CONCAT('Zip: may have 10 characters, has ', CHAR_LENGTH(NEW.Zip))
        WHEN TRIM(NEW.Country) = '' THEN 'Country: must not be empty'
        WHEN CHAR_LENGTH(NEW.Country) > 100 THEN CONCAT('Country: may have 100 characters, has ', CHAR_LENGTH(NEW.Country))
        WHEN TRIM(COALESCE(NEW.Address_type, '')) = '' THEN 'Address_type: must not be empty'
        WHEN CHAR_LENGTH(NEW.Address_type) > 30 THEN CONCAT('Address_type: may have 30 characters, has ', CHAR_LENGTH(NEW.Address_type))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_address.', problem), 128);
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

DROP TRIGGER IF EXISTS Contact_address_after_delete//
CREATE TRIGGER Contact_address_after_delete AFTER DELETE ON Contact_address FOR EACH ROW
BEGIN
    IF OLD.Ver > 0 THEN
        UPDATE Contact SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    END IF;
END//

DELIMITER ;
