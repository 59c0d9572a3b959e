-- Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_before_insert//
CREATE TRIGGER Contact_before_insert BEFORE INSERT ON Contact FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Contact_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Contact_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.First_name, '')) = '' THEN 'First_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.First_name) > 100 THEN CONCAT('First_name: may have 100 characters, has ', CHAR_LENGTH(NEW.First_name))
        WHEN TRIM(NEW.Middle_name) = '' THEN 'Middle_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.Middle_name) > 100 THEN CONCAT('Middle_name: may have 100 characters, has ', CHAR_LENGTH(NEW.Middle_name))
        WHEN TRIM(COALESCE(NEW.Last_name, '')) = '' THEN 'Last_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.Last_name) > 100 THEN CONCAT('Last_name: may have 100 characters, has ', CHAR_LENGTH(NEW.Last_name))
        WHEN TRIM(NEW.Note) = '' THEN 'Note: must not be empty'
        WHEN CHAR_LENGTH(NEW.Note) > 2000 THEN CONCAT('Note: may have 2000 characters, has ', CHAR_LENGTH(NEW.Note))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Contact WHERE User_ID = NEW.User_ID AND Contact_ID = NEW.Contact_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Created_at = UTC_TIMESTAMP(), NEW.Ver_note = NEW.Ver;
END//

DROP TRIGGER IF EXISTS Contact_after_insert//
CREATE TRIGGER Contact_after_insert AFTER INSERT ON Contact FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact.Contact_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_before_update//
CREATE TRIGGER Contact_before_update BEFORE UPDATE ON Contact FOR EACH ROW
BEGIN
    -- Version 0 asks for a new one: a part has changed.
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE changed_note BOOLEAN;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Contact_ID <> OLD.Contact_ID OR NEW.User_ID <> OLD.User_ID THEN 'Contact_ID: never changes'
        WHEN NOT (CAST(NEW.First_name AS BINARY) <=> CAST(OLD.First_name AS BINARY)) THEN 'First_name: never changes'
        WHEN NOT (CAST(NEW.Middle_name AS BINARY) <=> CAST(OLD.Middle_name AS BINARY)) THEN 'Middle_name: never changes'
        WHEN NOT (CAST(NEW.Last_name AS BINARY) <=> CAST(OLD.Last_name AS BINARY)) THEN 'Last_name: never changes'
        WHEN TRIM(COALESCE(NEW.First_name, '')) = '' THEN 'First_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.First_name) > 100 THEN CONCAT('First_name: may have 100 characters, has ', CHAR_LENGTH(NEW.First_name))
        WHEN TRIM(NEW.Middle_name) = '' THEN 'Middle_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.Middle_name) > 100 THEN CONCAT('Middle_name: may have 100 characters, has ', CHAR_LENGTH(NEW.Middle_name))
        WHEN TRIM(COALESCE(NEW.Last_name, '')) = '' THEN 'Last_name: must not be empty'
        WHEN CHAR_LENGTH(NEW.Last_name) > 100 THEN CONCAT('Last_name: may have 100 characters, has ', CHAR_LENGTH(NEW.Last_name))
        WHEN TRIM(NEW.Note) = '' THEN 'Note: must not be empty'
        WHEN CHAR_LENGTH(NEW.Note) > 2000 THEN CONCAT('Note: may have 2000 characters, has ', CHAR_LENGTH(NEW.Note))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET changed_note = NOT (CAST(NEW.Note AS BINARY) <=> CAST(OLD.Note AS BINARY));
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver, NEW.Ver_note = OLD.Ver_note;
    IF asked OR NOT (NEW.Deleted_at <=> OLD.Deleted_at) OR changed_note THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        SET NEW.Ver_note = IF(changed_note, NEW.Ver, OLD.Ver_note);
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_after_update//
CREATE TRIGGER Contact_after_update AFTER UPDATE ON Contact FOR EACH ROW
BEGIN
    IF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        VALUES (NEW.User_ID, NEW.Ver, 12, NEW.Contact_ID, UTC_TIMESTAMP());
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_before_delete//
CREATE TRIGGER Contact_before_delete BEFORE DELETE ON Contact FOR EACH ROW
BEGIN
    -- Version 0 says that they go with their contact. A cascade of a foreign key would fire no trigger.
    UPDATE Contact_phone SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    DELETE FROM Contact_phone WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    -- Version 0 says that they go with their contact. A cascade of a foreign key would fire no trigger.
    UPDATE Contact_address SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    DELETE FROM Contact_address WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    -- Version 0 says that they go with their contact. A cascade of a foreign key would fire no trigger.
    UPDATE Contact_email SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    DELETE FROM Contact_email WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    -- Version 0 says that they go with their contact. A cascade of a foreign key would fire no trigger.
    UPDATE Contact_date SET Ver = 0 WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
    DELETE FROM Contact_date WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
END//

DROP TRIGGER IF EXISTS Contact_after_delete//
CREATE TRIGGER Contact_after_delete AFTER DELETE ON Contact FOR EACH ROW
BEGIN
    -- One that was marked as deleted has its tombstone already.
    IF OLD.Deleted_at IS NULL THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 12, OLD.Contact_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
