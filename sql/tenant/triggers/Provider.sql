-- Provider: checks, versions in the scope 'reference', tombstones. The plans of the catalogue name a provider without a
-- foreign key: deleting one that is in use is refused here.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Provider_before_insert//
CREATE TRIGGER Provider_before_insert BEFORE INSERT ON Provider FOR EACH ROW
BEGIN
    DECLARE found INT;

    IF TRIM(COALESCE(NEW.Provider, '')) = '' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Provider.Provider: it is empty';
    END IF;
    IF TRIM(COALESCE(NEW.Category, '')) = '' THEN
        SET NEW.Category = 'Other';
    END IF;
    -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
    -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
    -- would lock the gap where the row is not.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Provider WHERE Provider = NEW.Provider;
    IF found = 0 THEN
        -- As few statements and tables as can be: each plan that is typed opens those of this trigger, whether it makes a provider
        -- or not. What LAST_INSERT_ID is told here it forgets at the end of the trigger.
        INSERT INTO Scope (Scope_ID, Ver) VALUES ('reference', LAST_INSERT_ID(1))
        ON DUPLICATE KEY UPDATE Ver = LAST_INSERT_ID(Ver + 1);
        SET NEW.Ver = LAST_INSERT_ID();
    END IF;
END//

DROP TRIGGER IF EXISTS Provider_after_insert//
CREATE TRIGGER Provider_after_insert AFTER INSERT ON Provider FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Provider.Provider: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

-- The name changes in its spelling only, and takes the plans along. Ver = 0 asks for a new version.
DROP TRIGGER IF EXISTS Provider_before_update//
CREATE TRIGGER Provider_before_update BEFORE UPDATE ON Provider FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    IF NOT (NEW.Provider <=> OLD.Provider) THEN
        SET problem = LEFT(CONCAT('Provider.Provider: only its case changes; insert another, and change its plans: ',
            OLD.Provider), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    IF TRIM(COALESCE(NEW.Category, '')) = '' THEN
        SET NEW.Category = OLD.Category;
    END IF;
    SET NEW.Ver = OLD.Ver;
    IF asked OR NOT (CAST(NEW.Provider AS BINARY) <=> CAST(OLD.Provider AS BINARY)
        AND CAST(NEW.Category AS BINARY) <=> CAST(OLD.Category AS BINARY)
        AND CAST(NEW.Website AS BINARY) <=> CAST(OLD.Website AS BINARY)
        AND CAST(NEW.Cancel_URL AS BINARY) <=> CAST(OLD.Cancel_URL AS BINARY))
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Provider_after_update//
CREATE TRIGGER Provider_after_update AFTER UPDATE ON Provider FOR EACH ROW
BEGIN
    IF NOT (CAST(NEW.Provider AS BINARY) <=> CAST(OLD.Provider AS BINARY)) THEN
        UPDATE Plan SET Provider = NEW.Provider WHERE Provider = NEW.Provider AND Owner_ID IS NULL;
        -- A tombstone of the former spelling, for clients that compare by bytes.
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, NEW.Ver, 6, CAST(OLD.Provider AS BINARY), UTC_TIMESTAMP()
        FROM Scope WHERE Scope_ID = CAST('reference' AS BINARY(16));
    END IF;
END//

DROP TRIGGER IF EXISTS Provider_before_delete//
CREATE TRIGGER Provider_before_delete BEFORE DELETE ON Provider FOR EACH ROW
BEGIN
    DECLARE used INT UNSIGNED;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    -- A locking read: it waits for a plan that is just being inserted.
    SELECT Plan_ID INTO used FROM Plan
    WHERE Provider = OLD.Provider AND Owner_ID IS NULL LIMIT 1 LOCK IN SHARE MODE;
    IF used IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Provider.Provider: plan ', used, ' names it: ', OLD.Provider), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Provider_after_delete//
CREATE TRIGGER Provider_after_delete AFTER DELETE ON Provider FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';

    INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 6, CAST(OLD.Provider AS BINARY), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = scope;
END//

DELIMITER ;
