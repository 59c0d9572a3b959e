-- Contact_address: a rule that no declaration can say, as second triggers of the same events.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_address_rules_before_insert//
CREATE TRIGGER Contact_address_rules_before_insert BEFORE INSERT ON Contact_address FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN COALESCE(NULLIF(TRIM(NEW.Street), ''), NULLIF(TRIM(NEW.Apt), ''), NULLIF(TRIM(NEW.City), ''),
            NULLIF(TRIM(NEW.State), ''), NULLIF(TRIM(NEW.Zip), '')) IS NULL
            THEN 'Street: at least one of street, apt, city, state and zip is needed'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_address.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_address_rules_before_update//
CREATE TRIGGER Contact_address_rules_before_update BEFORE UPDATE ON Contact_address FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN COALESCE(NULLIF(TRIM(NEW.Street), ''), NULLIF(TRIM(NEW.Apt), ''), NULLIF(TRIM(NEW.City), ''),
            NULLIF(TRIM(NEW.State), ''), NULLIF(TRIM(NEW.Zip), '')) IS NULL
            THEN 'Street: at least one of street, apt, city, state and zip is needed'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_address.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
