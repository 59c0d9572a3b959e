-- Plan_price: what an admin typed is checked, versions. A price is in the scope of its plan.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Plan_price_before_insert//
CREATE TRIGGER Plan_price_before_insert BEFORE INSERT ON Plan_price FOR EACH ROW
rules: BEGIN
    -- Of a revision: see Plan.
    IF NEW.Ver >= 1 << 63 THEN
        IF @subtrackit_applying = UTC_TIMESTAMP(6) THEN
            SET NEW.Ver = NEW.Ver - (1 << 63);
            LEAVE rules;
        END IF;
    END IF;
    -- In a block of its own: a row of a revision makes no variables.
    BEGIN
        DECLARE scope BINARY(16);
        DECLARE digits, found INT;
        DECLARE since DATE;
        DECLARE plan_currency, line_currency CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
        DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

        SELECT COALESCE(Owner_ID, CONCAT('C', Country_ID)), Fee_since, Currency_code INTO scope, since, plan_currency
        FROM Plan WHERE Plan_ID = NEW.Plan_ID;
        -- The currency of the line on that day, which is the plan's unless there is a price since.
        IF COALESCE(NEW.Currency_code, '') = '' THEN
            SELECT Currency_code INTO line_currency
            FROM Plan_price
            WHERE Plan_ID = NEW.Plan_ID AND Effective_on <= NEW.Effective_on
                AND (Effective_on > since OR NEW.Effective_on < since)
            ORDER BY Effective_on DESC
            LIMIT 1;
            SET NEW.Currency_code = COALESCE(line_currency, plan_currency);
        END IF;
        SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = NEW.Currency_code;
        SET problem = CASE
            WHEN scope IS NULL THEN CONCAT('Plan_ID: there is no such plan: ', COALESCE(NEW.Plan_ID, 'NULL'))
            WHEN digits IS NULL
                THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
            WHEN NOT COALESCE(NEW.Effective_on BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Effective_on) > 0 AND DAYOFMONTH(NEW.Effective_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Effective_on)), FALSE)
                THEN CONCAT('Effective_on: no day from 1970-01-02 to 2999-12-31 (plan ', NEW.Plan_ID, '): ',
                    COALESCE(NEW.Effective_on, 'NULL'))
            WHEN NEW.Effective_on = since
                THEN CONCAT('Effective_on: the price from that day on stands in Plan.Fee (plan ', NEW.Plan_ID, '): ', since)
            WHEN NOT COALESCE(NEW.Fee BETWEEN 0 AND 99999999999, FALSE)
                THEN CONCAT('Fee: not between 0 and 99999999999 (plan ', NEW.Plan_ID, '): ', COALESCE(NEW.Fee, 'NULL'))
            WHEN NEW.Fee <> ROUND(NEW.Fee, digits)
                THEN CONCAT('Fee: ', NEW.Currency_code, ' has ', digits, ' digits (plan ', NEW.Plan_ID, '): ', NEW.Fee)
        END;
        IF problem IS NOT NULL THEN
            SET problem = LEFT(CONCAT('Plan_price.', problem), 128);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;

        -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
        -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
        -- would lock the gap where the row is not.
        SET NEW.Ver = 0;
        SELECT COUNT(*) INTO found FROM Plan_price WHERE Plan_ID = NEW.Plan_ID AND Effective_on = NEW.Effective_on;
        IF found = 0 THEN
            INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
            SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
        END IF;
    END;
END//

DROP TRIGGER IF EXISTS Plan_price_after_insert//
CREATE TRIGGER Plan_price_after_insert AFTER INSERT ON Plan_price FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Plan_price.Effective_on: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

-- Ver = 0 asks for a new version of a row that does not change.
DROP TRIGGER IF EXISTS Plan_price_before_update//
CREATE TRIGGER Plan_price_before_update BEFORE UPDATE ON Plan_price FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16);
    DECLARE digits INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;

    IF COALESCE(NEW.Currency_code, '') = '' THEN
        SET NEW.Currency_code = OLD.Currency_code;
    END IF;
    SET NEW.Ver = OLD.Ver;
    SELECT COALESCE(Owner_ID, CONCAT('C', Country_ID)) INTO scope FROM Plan WHERE Plan_ID = OLD.Plan_ID;
    IF NOT (NEW.Plan_ID <=> OLD.Plan_ID AND NEW.Effective_on <=> OLD.Effective_on) THEN
        SET problem = CONCAT('Effective_on: plan and day never change, delete the row and insert another: ',
            OLD.Plan_ID, ', ', OLD.Effective_on);
    ELSEIF NOT (NEW.Fee <=> OLD.Fee AND NEW.Currency_code <=> OLD.Currency_code) THEN
        SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = NEW.Currency_code;
        SET problem = CASE
            WHEN digits IS NULL THEN CONCAT('Currency_code: there is no such currency: ', NEW.Currency_code)
            WHEN NOT COALESCE(NEW.Fee BETWEEN 0 AND 99999999999, FALSE)
                THEN CONCAT('Fee: not between 0 and 99999999999 (plan ', NEW.Plan_ID, '): ', COALESCE(NEW.Fee, 'NULL'))
            WHEN NEW.Fee <> ROUND(NEW.Fee, digits)
                THEN CONCAT('Fee: ', NEW.Currency_code, ' has ', digits, ' digits (plan ', NEW.Plan_ID, '): ', NEW.Fee)
        END;
        SET asked = TRUE;
    END IF;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Plan_price.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    IF asked THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
    END IF;
END//

DROP TRIGGER IF EXISTS Plan_price_after_delete//
CREATE TRIGGER Plan_price_after_delete AFTER DELETE ON Plan_price FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16);

    SELECT COALESCE(Owner_ID, CONCAT('C', Country_ID)) INTO scope FROM Plan WHERE Plan_ID = OLD.Plan_ID;
    INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    -- The id of a price: its plan's and its day.
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 5, CAST(CONCAT(OLD.Plan_ID, ' ', OLD.Effective_on) AS BINARY), UTC_TIMESTAMP()
    FROM Scope WHERE Scope_ID = scope;
END//

DELIMITER ;
