-- Contact_date: rules that no declaration can say, as second triggers of the same events. A text that is blank or too long is the
-- other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_date_rules_before_insert//
CREATE TRIGGER Contact_date_rules_before_insert BEFORE INSERT ON Contact_date FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    -- A day without a year is one of a leap year.
    DECLARE whole VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        DEFAULT IF(NEW.Happens_on LIKE '--%', CONCAT('2000-', SUBSTRING(NEW.Happens_on, 3)), NEW.Happens_on);
    DECLARE day INT DEFAULT CASE
        WHEN CHAR_LENGTH(whole) = 10 AND whole REGEXP '^[12][0-9]{3}-(0[1-9]|1[0-2])-[0-9]{2}' AND whole NOT REGEXP '[^0-9-]'
        THEN CAST(RIGHT(whole, 2) AS UNSIGNED)
    END;
    IF day NOT BETWEEN 1 AND DAYOFMONTH(LAST_DAY(CONCAT(LEFT(whole, 7), '-01'))) THEN
        SET day = NULL;
    END IF;
    -- Without a year it comes each year.
    IF NEW.Happens_on LIKE '--%' THEN
        SET NEW.Yearly = TRUE;
    END IF;
    SET problem = CASE
        WHEN TRIM(NEW.Happens_on) <> '' AND CHAR_LENGTH(NEW.Happens_on) <= 10 AND day IS NULL
            THEN CONCAT('Happens_on: must be a day from 1000 to 2999 such as 1995-06-25, or --06-25, is ', NEW.Happens_on)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_date.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_date_rules_before_update//
CREATE TRIGGER Contact_date_rules_before_update BEFORE UPDATE ON Contact_date FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    -- A day without a year is one of a leap year.
    DECLARE whole VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        DEFAULT IF(NEW.Happens_on LIKE '--%', CONCAT('2000-', SUBSTRING(NEW.Happens_on, 3)), NEW.Happens_on);
    DECLARE day INT DEFAULT CASE
        WHEN CHAR_LENGTH(whole) = 10 AND whole REGEXP '^[12][0-9]{3}-(0[1-9]|1[0-2])-[0-9]{2}' AND whole NOT REGEXP '[^0-9-]'
        THEN CAST(RIGHT(whole, 2) AS UNSIGNED)
    END;
    IF day NOT BETWEEN 1 AND DAYOFMONTH(LAST_DAY(CONCAT(LEFT(whole, 7), '-01'))) THEN
        SET day = NULL;
    END IF;
    -- Without a year it comes each year.
    IF NEW.Happens_on LIKE '--%' THEN
        SET NEW.Yearly = TRUE;
    END IF;
    SET problem = CASE
        WHEN TRIM(NEW.Happens_on) <> '' AND CHAR_LENGTH(NEW.Happens_on) <= 10 AND day IS NULL
            THEN CONCAT('Happens_on: must be a day from 1000 to 2999 such as 1995-06-25, or --06-25, is ', NEW.Happens_on)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_date.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
