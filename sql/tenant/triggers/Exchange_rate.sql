-- Exchange_rate: what an admin typed is checked. Rates are no part of what clients hold: no versions.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Exchange_rate_before_insert//
CREATE TRIGGER Exchange_rate_before_insert BEFORE INSERT ON Exchange_rate FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT EXISTS (SELECT 1 FROM Currency WHERE Currency_code = NEW.Currency_code)
            THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
        WHEN NEW.Currency_code = 'EUR' THEN 'Currency_code: rates are for one euro; it has none itself'
        WHEN NOT COALESCE(NEW.Rated_on BETWEEN '1970-01-02' AND '2999-12-31'
            AND MONTH(NEW.Rated_on) > 0 AND DAYOFMONTH(NEW.Rated_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Rated_on)), FALSE)
            THEN CONCAT('Rated_on: no day from 1970-01-02 to 2999-12-31 (', NEW.Currency_code, '): ',
                COALESCE(NEW.Rated_on, 'NULL'))
        WHEN NOT COALESCE(NEW.Per_euro BETWEEN 0.000001 AND 99999999999, FALSE)
            THEN CONCAT('Per_euro: not between 0.000001 and 99999999999 (', NEW.Currency_code, '): ',
                COALESCE(NEW.Per_euro, 'NULL'))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Exchange_rate.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Exchange_rate_before_update//
CREATE TRIGGER Exchange_rate_before_update BEFORE UPDATE ON Exchange_rate FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN NOT EXISTS (SELECT 1 FROM Currency WHERE Currency_code = NEW.Currency_code)
            THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
        WHEN NEW.Currency_code = 'EUR' THEN 'Currency_code: rates are for one euro; it has none itself'
        WHEN NOT COALESCE(NEW.Rated_on BETWEEN '1970-01-02' AND '2999-12-31'
            AND MONTH(NEW.Rated_on) > 0 AND DAYOFMONTH(NEW.Rated_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Rated_on)), FALSE)
            THEN CONCAT('Rated_on: no day from 1970-01-02 to 2999-12-31 (', NEW.Currency_code, '): ',
                COALESCE(NEW.Rated_on, 'NULL'))
        WHEN NOT COALESCE(NEW.Per_euro BETWEEN 0.000001 AND 99999999999, FALSE)
            THEN CONCAT('Per_euro: not between 0.000001 and 99999999999 (', NEW.Currency_code, '): ',
                COALESCE(NEW.Per_euro, 'NULL'))
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Exchange_rate.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
