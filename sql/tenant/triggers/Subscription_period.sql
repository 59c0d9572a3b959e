-- Subscription_period: written by renewals; what a period cost may be corrected; versions.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Subscription_period_before_insert//
CREATE TRIGGER Subscription_period_before_insert BEFORE INSERT ON Subscription_period FOR EACH ROW
BEGIN
    -- The triggers of Subscription give the version of the subscription that is being changed; nobody else has one.
    IF COALESCE(NEW.Ver, 0) = 0
        OR NOT EXISTS (SELECT 1 FROM Subscription WHERE Subscription_ID = NEW.Subscription_ID AND Ver = NEW.Ver)
    THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Subscription_period.Ver: a period is written when its subscription is renewed, not by hand';
    END IF;
END//

-- Version 0 comes from Subscription_before_delete: the row is about to go.
DROP TRIGGER IF EXISTS Subscription_period_before_update//
CREATE TRIGGER Subscription_period_before_update BEFORE UPDATE ON Subscription_period FOR EACH ROW
BEGIN
    DECLARE digits INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    IF NOT (NEW.Subscription_ID <=> OLD.Subscription_ID
        AND NEW.Period <=> OLD.Period
        AND NEW.Start_date <=> OLD.Start_date
        AND NEW.End_date <=> OLD.End_date
        AND NEW.Plan_ID <=> OLD.Plan_ID)
    THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Subscription_period.Period: of a period that has ended only Fee, Currency_code and Free_trial change';
    END IF;
    -- The calendar's place is what it was. That a period began by itself holds until somebody says something of it.
    SET NEW.Free_trial = COALESCE(NEW.Free_trial, 0) <> 0,
        NEW.Anchor_date = OLD.Anchor_date,
        NEW.Anchor_count = OLD.Anchor_count,
        NEW.Auto_renewed = OLD.Auto_renewed AND COALESCE(NEW.Auto_renewed, 0) <> 0;
    IF NOT (NEW.Fee <=> OLD.Fee AND NEW.Currency_code <=> OLD.Currency_code AND NEW.Free_trial <=> OLD.Free_trial) THEN
        SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = NEW.Currency_code;
        SET problem = CASE
            WHEN digits IS NULL
                THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
            WHEN NOT COALESCE(NEW.Fee BETWEEN 0 AND 99999999999, FALSE)
                THEN CONCAT('Fee: not between 0 and 99999999999: ', COALESCE(NEW.Fee, 'NULL'))
            WHEN NEW.Fee <> ROUND(NEW.Fee, digits)
                THEN CONCAT('Fee: ', NEW.Currency_code, ' has ', digits, ' digits: ', NEW.Fee)
        END;
        IF problem IS NOT NULL THEN
            SET problem = LEFT(CONCAT('Subscription_period.', problem), 128);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;
        SET NEW.Auto_renewed = FALSE;
        -- A feed finds a period by way of its subscription: both take the same version.
        UPDATE Subscription SET Ver = 0 WHERE Subscription_ID = NEW.Subscription_ID;
        SET NEW.Ver = (SELECT Ver FROM Subscription WHERE Subscription_ID = NEW.Subscription_ID);
    END IF;
END//

DROP TRIGGER IF EXISTS Subscription_period_after_delete//
CREATE TRIGGER Subscription_period_after_delete AFTER DELETE ON Subscription_period FOR EACH ROW
BEGIN
    DECLARE user_scope BINARY(16);

    IF OLD.Ver > 0 THEN
        SELECT User_ID INTO user_scope FROM Subscription WHERE Subscription_ID = OLD.Subscription_ID;
        INSERT INTO Scope (Scope_ID, Ver) VALUES (user_scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        -- The id of a period: the 16 bytes of its subscription's, and its number in decimal.
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 3, CONCAT(OLD.Subscription_ID, CAST(OLD.Period AS BINARY)), UTC_TIMESTAMP()
        FROM Scope WHERE Scope_ID = user_scope;
    END IF;
END//

DELIMITER ;
