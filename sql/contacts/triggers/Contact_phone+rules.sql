-- Contact_phone: rules that no declaration can say, as second triggers of the same events. A text that is blank or too long is the
-- other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_phone_rules_before_insert//
CREATE TRIGGER Contact_phone_rules_before_insert BEFORE INSERT ON Contact_phone FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Area_code) <> '' AND CHAR_LENGTH(NEW.Area_code) <= 10
            AND (CHAR_LENGTH(NEW.Area_code) <> 3 OR NEW.Area_code REGEXP '[^0-9]')
            THEN CONCAT('Area_code: must be 3 digits, is ', NEW.Area_code)
        WHEN TRIM(NEW.Phone_number) <> '' AND CHAR_LENGTH(NEW.Phone_number) <= 20
            AND (CHAR_LENGTH(NEW.Phone_number) <> 7 OR NEW.Phone_number REGEXP '[^0-9]')
            THEN CONCAT('Phone_number: must be 7 digits, is ', NEW.Phone_number)
        WHEN TRIM(NEW.E164) <> '' AND CHAR_LENGTH(NEW.E164) <= 20
            AND (CHAR_LENGTH(NEW.E164) NOT BETWEEN 3 AND 16 OR NEW.E164 NOT LIKE '+%' OR NEW.E164 LIKE '+0%'
                OR SUBSTRING(NEW.E164, 2) REGEXP '[^0-9]')
            THEN CONCAT('E164: must be + and 2 to 15 digits, the first not 0, is ', NEW.E164)
        WHEN TRIM(NEW.E164) <> '' AND CHAR_LENGTH(NEW.E164) <= 20
            AND (NEW.Area_code IS NOT NULL OR NEW.Phone_number IS NOT NULL)
            THEN 'E164: stands in place of area code and number, not beside them'
        WHEN NEW.E164 IS NULL AND NEW.Phone_number IS NULL THEN 'Phone_number: is needed, 7 digits beside an area code'
        WHEN NEW.E164 IS NULL AND NEW.Area_code IS NULL THEN 'Area_code: is needed, 3 digits beside a number of 7'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_phone.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_phone_rules_before_update//
CREATE TRIGGER Contact_phone_rules_before_update BEFORE UPDATE ON Contact_phone FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Area_code) <> '' AND CHAR_LENGTH(NEW.Area_code) <= 10
            AND (CHAR_LENGTH(NEW.Area_code) <> 3 OR NEW.Area_code REGEXP '[^0-9]')
            THEN CONCAT('Area_code: must be 3 digits, is ', NEW.Area_code)
        WHEN TRIM(NEW.Phone_number) <> '' AND CHAR_LENGTH(NEW.Phone_number) <= 20
            AND (CHAR_LENGTH(NEW.Phone_number) <> 7 OR NEW.Phone_number REGEXP '[^0-9]')
            THEN CONCAT('Phone_number: must be 7 digits, is ', NEW.Phone_number)
        WHEN TRIM(NEW.E164) <> '' AND CHAR_LENGTH(NEW.E164) <= 20
            AND (CHAR_LENGTH(NEW.E164) NOT BETWEEN 3 AND 16 OR NEW.E164 NOT LIKE '+%' OR NEW.E164 LIKE '+0%'
                OR SUBSTRING(NEW.E164, 2) REGEXP '[^0-9]')
            THEN CONCAT('E164: must be + and 2 to 15 digits, the first not 0, is ', NEW.E164)
        WHEN TRIM(NEW.E164) <> '' AND CHAR_LENGTH(NEW.E164) <= 20
            AND (NEW.Area_code IS NOT NULL OR NEW.Phone_number IS NOT NULL)
            THEN 'E164: stands in place of area code and number, not beside them'
        WHEN NEW.E164 IS NULL AND NEW.Phone_number IS NULL THEN 'Phone_number: is needed, 7 digits beside an area code'
        WHEN NEW.E164 IS NULL AND NEW.Area_code IS NULL THEN 'Area_code: is needed, 3 digits beside a number of 7'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_phone.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
