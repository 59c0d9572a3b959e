-- Country: checks, versions in the scope 'reference', tombstones.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Country_before_insert//
CREATE TRIGGER Country_before_insert BEFORE INSERT ON Country FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE scope BINARY(16) DEFAULT 'reference';
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT COALESCE(NEW.Country_ID REGEXP '^[A-Z][A-Z]$', FALSE)
            THEN CONCAT('Country_ID: not two letters A to Z: ', COALESCE(NEW.Country_ID, 'NULL'))
        WHEN TRIM(COALESCE(NEW.Country_name, '')) = '' THEN CONCAT('Country_name: it is empty; country: ', NEW.Country_ID)
        WHEN NOT EXISTS (SELECT 1 FROM Currency WHERE Currency_code = NEW.Currency_code)
            THEN CONCAT('Currency_code: there is no such currency (', NEW.Country_ID, '): ',
                COALESCE(NEW.Currency_code, 'NULL'))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Country.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
    -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
    -- would lock the gap where the row is not.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Country WHERE Country_ID = NEW.Country_ID OR Country_name = NEW.Country_name;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Country_after_insert//
CREATE TRIGGER Country_after_insert AFTER INSERT ON Country FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Country.Country_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

-- Another currency is that of plans to come: those that are there keep theirs.
DROP TRIGGER IF EXISTS Country_before_update//
CREATE TRIGGER Country_before_update BEFORE UPDATE ON Country FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT (NEW.Country_ID <=> OLD.Country_ID) THEN CONCAT('Country_ID: it never changes: ', OLD.Country_ID)
        WHEN TRIM(COALESCE(NEW.Country_name, '')) = '' THEN CONCAT('Country_name: it is empty; country: ', OLD.Country_ID)
        WHEN NOT (NEW.Currency_code <=> OLD.Currency_code)
            AND NOT EXISTS (SELECT 1 FROM Currency WHERE Currency_code = NEW.Currency_code)
            THEN CONCAT('Currency_code: there is no such currency (', OLD.Country_ID, '): ',
                COALESCE(NEW.Currency_code, 'NULL'))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Country.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = OLD.Ver;
    IF asked OR NOT (CAST(NEW.Country_name AS BINARY) <=> CAST(OLD.Country_name AS BINARY)
        AND NEW.Currency_code <=> OLD.Currency_code)
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Country_after_delete//
CREATE TRIGGER Country_after_delete AFTER DELETE ON Country FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';

    INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 7, CAST(OLD.Country_ID AS BINARY), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = scope;
END//

DELIMITER ;
