-- Written by script/generate-sql from the declaration of trinket.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Trinket_before_insert//
CREATE TRIGGER Trinket_before_insert BEFORE INSERT ON Trinket FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Trinket_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Trinket_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Code, '')) = '' THEN 'Code: must not be empty'
        WHEN CHAR_LENGTH(NEW.Code) > 10 THEN CONCAT('Code: may have 10 characters, has ', CHAR_LENGTH(NEW.Code))
        WHEN TRIM(NEW.Note) = '' THEN 'Note: must not be empty'
        WHEN CHAR_LENGTH(NEW.Note) > 100 THEN CONCAT('Note: may have 100 characters, has ', CHAR_LENGTH(NEW.Note))
        WHEN NEW.Shelf NOT BETWEEN 0 AND 365 THEN CONCAT('Shelf: must be from 0 to 365, is ', NEW.Shelf)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Trinket.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Starred = COALESCE(NEW.Starred, 0) <> 0;
    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Trinket WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Created_at = UTC_TIMESTAMP(), NEW.Ver_note = NEW.Ver, NEW.Ver_place = NEW.Ver, NEW.Ver_bought_on = NEW.Ver, NEW.Ver_friend_id = NEW.Ver;
END//

DROP TRIGGER IF EXISTS Trinket_after_insert//
CREATE TRIGGER Trinket_after_insert AFTER INSERT ON Trinket FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Trinket.Trinket_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_before_update//
CREATE TRIGGER Trinket_before_update BEFORE UPDATE ON Trinket FOR EACH ROW
BEGIN
    -- Version 0 asks for a new one: a part has changed.
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE changed_note, changed_place, changed_boughton, changed_friendid BOOLEAN;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Trinket_ID <> OLD.Trinket_ID OR NEW.User_ID <> OLD.User_ID THEN 'Trinket_ID: never changes'
        WHEN NOT (CAST(NEW.Code AS BINARY) <=> CAST(OLD.Code AS BINARY)) THEN 'Code: never changes'
        WHEN TRIM(COALESCE(NEW.Code, '')) = '' THEN 'Code: must not be empty'
        WHEN CHAR_LENGTH(NEW.Code) > 10 THEN CONCAT('Code: may have 10 characters, has ', CHAR_LENGTH(NEW.Code))
        WHEN TRIM(NEW.Note) = '' THEN 'Note: must not be empty'
        WHEN CHAR_LENGTH(NEW.Note) > 100 THEN CONCAT('Note: may have 100 characters, has ', CHAR_LENGTH(NEW.Note))
        WHEN NEW.Shelf NOT BETWEEN 0 AND 365 THEN CONCAT('Shelf: must be from 0 to 365, is ', NEW.Shelf)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Trinket.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Starred = COALESCE(NEW.Starred, 0) <> 0;
    SET changed_note = NOT (CAST(NEW.Note AS BINARY) <=> CAST(OLD.Note AS BINARY));
    SET changed_place = NOT (NEW.Shelf <=> OLD.Shelf) OR NOT (NEW.Starred <=> OLD.Starred);
    SET changed_boughton = NOT (NEW.Bought_on <=> OLD.Bought_on);
    SET changed_friendid = NOT (NEW.Friend_id <=> OLD.Friend_id);
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver, NEW.Ver_note = OLD.Ver_note, NEW.Ver_place = OLD.Ver_place, NEW.Ver_bought_on = OLD.Ver_bought_on, NEW.Ver_friend_id = OLD.Ver_friend_id;
    IF asked OR NOT (NEW.Deleted_at <=> OLD.Deleted_at) OR changed_note OR changed_place OR changed_boughton OR changed_friendid THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        SET NEW.Ver_note = IF(changed_note, NEW.Ver, OLD.Ver_note);
        SET NEW.Ver_place = IF(changed_place, NEW.Ver, OLD.Ver_place);
        SET NEW.Ver_bought_on = IF(changed_boughton, NEW.Ver, OLD.Ver_bought_on);
        SET NEW.Ver_friend_id = IF(changed_friendid, NEW.Ver, OLD.Ver_friend_id);
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_after_update//
CREATE TRIGGER Trinket_after_update AFTER UPDATE ON Trinket FOR EACH ROW
BEGIN
    IF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        VALUES (NEW.User_ID, NEW.Ver, 99, NEW.Trinket_ID, UTC_TIMESTAMP());
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_before_delete//
CREATE TRIGGER Trinket_before_delete BEFORE DELETE ON Trinket FOR EACH ROW
BEGIN
    -- Version 0 says that they go with their trinket. A cascade of a foreign key would fire no trigger.
    UPDATE Trinket_mark SET Ver = 0 WHERE User_ID = OLD.User_ID AND Trinket_ID = OLD.Trinket_ID;
    DELETE FROM Trinket_mark WHERE User_ID = OLD.User_ID AND Trinket_ID = OLD.Trinket_ID;
END//

DROP TRIGGER IF EXISTS Trinket_after_delete//
CREATE TRIGGER Trinket_after_delete AFTER DELETE ON Trinket FOR EACH ROW
BEGIN
    -- One that was marked as deleted has its tombstone already.
    IF OLD.Deleted_at IS NULL THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 99, OLD.Trinket_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
