-- User: a tracked row of its own scope. Its children go with it, each through triggers of its own: a foreign key's
-- CASCADE would fire none. An area removes its own rows by a trigger in a file of its own, User+area.sql. The order of the
-- triggers of one event is that in which they were made, so that none may rely on another.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS User_before_insert//
CREATE TRIGGER User_before_insert BEFORE INSERT ON `User` FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        -- The text of a UUID, cut to 16 bytes where the session is not strict.
        WHEN CONVERT(NEW.User_ID USING latin1) COLLATE latin1_swedish_ci REGEXP '^[0-9A-Fa-f-]{16}$'
            THEN CONCAT('User_ID: the text of a UUID, cut; write UNHEX(REPLACE(''…'', ''-'', '''')): ',
                CONVERT(CONVERT(NEW.User_ID USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci)
        WHEN NEW.User_ID = 0x00000000000000000000000000000000 THEN 'User_ID: it is empty'
        WHEN NOT EXISTS (SELECT 1 FROM Country WHERE Country_ID = NEW.Country_ID)
            THEN CONCAT('Country_ID: there is no such country: ', COALESCE(NEW.Country_ID, 'NULL'))
        WHEN TRIM(COALESCE(NEW.Time_zone, '')) = '' THEN 'Time_zone: it is empty'
        WHEN TRIM(NEW.User_name) = '' THEN 'User_name: it is empty; NULL where there is none'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('User.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
    -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
    -- would lock the gap where the row is not.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM `User` WHERE User_ID = NEW.User_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Ver_name = NEW.Ver, NEW.Ver_country = NEW.Ver, NEW.Ver_zone = NEW.Ver;
END//

DROP TRIGGER IF EXISTS User_after_insert//
CREATE TRIGGER User_after_insert AFTER INSERT ON `User` FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'User.User_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

-- Ver = 0 asks for a new version of a row that does not change: its accounts have.
DROP TRIGGER IF EXISTS User_before_update//
CREATE TRIGGER User_before_update BEFORE UPDATE ON `User` FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;

    SET problem = CASE
        WHEN NEW.User_ID <> OLD.User_ID THEN CONCAT('User_ID: an id never changes: ', HEX(OLD.User_ID))
        WHEN NOT (NEW.Country_ID <=> OLD.Country_ID)
            AND NOT EXISTS (SELECT 1 FROM Country WHERE Country_ID = NEW.Country_ID)
            THEN CONCAT('Country_ID: there is no such country: ', COALESCE(NEW.Country_ID, 'NULL'))
        WHEN TRIM(COALESCE(NEW.Time_zone, '')) = '' THEN 'Time_zone: it is empty'
        WHEN TRIM(NEW.User_name) = '' THEN 'User_name: it is empty; NULL where there is none'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('User.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver,
        NEW.Ver_name = COALESCE(OLD.Ver_name, OLD.Ver),
        NEW.Ver_country = COALESCE(OLD.Ver_country, OLD.Ver),
        NEW.Ver_zone = COALESCE(OLD.Ver_zone, OLD.Ver);
    IF asked OR NOT (CAST(NEW.User_name AS BINARY) <=> CAST(OLD.User_name AS BINARY)
        AND NEW.Country_ID <=> OLD.Country_ID
        AND NEW.Time_zone <=> OLD.Time_zone)
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        -- A version for each field that has changed.
        SET NEW.Ver_name = IF(CAST(NEW.User_name AS BINARY) <=> CAST(OLD.User_name AS BINARY), NEW.Ver_name, NEW.Ver),
            NEW.Ver_country = IF(NEW.Country_ID <=> OLD.Country_ID, NEW.Ver_country, NEW.Ver),
            NEW.Ver_zone = IF(NEW.Time_zone <=> OLD.Time_zone, NEW.Ver_zone, NEW.Ver);
    END IF;
END//

DROP TRIGGER IF EXISTS User_before_delete//
CREATE TRIGGER User_before_delete BEFORE DELETE ON `User` FOR EACH ROW
BEGIN
    -- Erasure_before_insert locks the scope first: who writes for this user waits there, and not in the middle. It ends the
    -- sessions, which are told that they have nobody any more, and removes devices and accounts.
    INSERT INTO Erasure (User_ID) VALUES (OLD.User_ID) ON DUPLICATE KEY UPDATE Erased_at = Erased_at;
    DELETE FROM Idempotency WHERE User_ID = OLD.User_ID;
    DELETE FROM Erasure WHERE User_ID = OLD.User_ID;
END//

DROP TRIGGER IF EXISTS User_after_delete//
CREATE TRIGGER User_after_delete AFTER DELETE ON `User` FOR EACH ROW
BEGIN
    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 1, OLD.User_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
END//

DELIMITER ;
