-- Currency: checks, versions in the scope 'reference', tombstones.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Currency_before_insert//
CREATE TRIGGER Currency_before_insert BEFORE INSERT ON Currency FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE scope BINARY(16) DEFAULT 'reference';
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT COALESCE(NEW.Currency_code REGEXP '^[A-Z][A-Z][A-Z]$', FALSE)
            THEN CONCAT('Currency_code: not three letters A to Z: ', COALESCE(NEW.Currency_code, 'NULL'))
        WHEN TRIM(COALESCE(NEW.Currency_name, '')) = ''
            THEN CONCAT('Currency_name: it is empty; currency: ', NEW.Currency_code)
        -- Columns of money have six.
        WHEN NOT COALESCE(NEW.Minor_digits BETWEEN 0 AND 6, FALSE)
            THEN CONCAT('Minor_digits: not between 0 and 6 (', NEW.Currency_code, '): ',
                COALESCE(NEW.Minor_digits, 'NULL'))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Currency.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
    -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
    -- would lock the gap where the row is not.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Currency WHERE Currency_code = NEW.Currency_code;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Currency_after_insert//
CREATE TRIGGER Currency_after_insert AFTER INSERT ON Currency FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Currency.Currency_code: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Currency_before_update//
CREATE TRIGGER Currency_before_update BEFORE UPDATE ON Currency FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT (NEW.Currency_code <=> OLD.Currency_code)
            THEN CONCAT('Currency_code: it never changes: ', OLD.Currency_code)
        WHEN TRIM(COALESCE(NEW.Currency_name, '')) = ''
            THEN CONCAT('Currency_name: it is empty; currency: ', OLD.Currency_code)
        WHEN NOT COALESCE(NEW.Minor_digits BETWEEN 0 AND 6, FALSE)
            THEN CONCAT('Minor_digits: not between 0 and 6 (', OLD.Currency_code, '): ',
                COALESCE(NEW.Minor_digits, 'NULL'))
        WHEN NEW.Minor_digits < OLD.Minor_digits AND (
            EXISTS (SELECT 1 FROM Plan
                WHERE Currency_code = OLD.Currency_code AND Fee <> ROUND(Fee, NEW.Minor_digits))
            OR EXISTS (SELECT 1 FROM Plan_price
                WHERE Currency_code = OLD.Currency_code AND Fee <> ROUND(Fee, NEW.Minor_digits)))
            THEN CONCAT('Minor_digits: there are prices with more digits (', OLD.Currency_code, '): ', NEW.Minor_digits)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Currency.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = OLD.Ver;
    IF asked OR NOT (CAST(NEW.Currency_name AS BINARY) <=> CAST(OLD.Currency_name AS BINARY)
        AND NEW.Minor_digits <=> OLD.Minor_digits)
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Currency_after_delete//
CREATE TRIGGER Currency_after_delete AFTER DELETE ON Currency FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT 'reference';

    INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 8, CAST(OLD.Currency_code AS BINARY), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = scope;
END//

DELIMITER ;
