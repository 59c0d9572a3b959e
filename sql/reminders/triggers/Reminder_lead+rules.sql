-- Reminder_lead: a rule that no declaration can say, as a second trigger of the same event. A text that is blank or too long
-- is the other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_lead_rules_before_insert//
CREATE TRIGGER Reminder_lead_rules_before_insert BEFORE INSERT ON Reminder_lead FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Kind) <> '' AND CHAR_LENGTH(NEW.Kind) <= 20
            AND CAST(NEW.Kind AS BINARY) NOT IN ('renewal', 'cancelBy', 'trial', 'price', 'ended', 'overdue', 'date')
            THEN 'Kind: must be one of renewal, cancelBy, trial, price, ended, overdue, date'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder_lead.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
