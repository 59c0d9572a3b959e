-- Contact_email: a rule that no declaration can say, as second triggers of the same events. A text that is blank or too long is the
-- other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_email_rules_before_insert//
CREATE TRIGGER Contact_email_rules_before_insert BEFORE INSERT ON Contact_email FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Email) <> '' AND CHAR_LENGTH(NEW.Email) <= 254
            AND (NEW.Email NOT LIKE '_%@_%' OR NEW.Email REGEXP '[[:space:]]')
            THEN CONCAT('Email: must be an address such as ada@example.org, is ', NEW.Email)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_email.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Contact_email_rules_before_update//
CREATE TRIGGER Contact_email_rules_before_update BEFORE UPDATE ON Contact_email FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Email) <> '' AND CHAR_LENGTH(NEW.Email) <= 254
            AND (NEW.Email NOT LIKE '_%@_%' OR NEW.Email REGEXP '[[:space:]]')
            THEN CONCAT('Email: must be an address such as ada@example.org, is ', NEW.Email)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Contact_email.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
