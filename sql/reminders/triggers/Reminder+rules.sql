-- Reminder: rules that no declaration can say, as second triggers of the same events. A text that is blank or too long
-- is the other trigger's.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_rules_before_insert//
CREATE TRIGGER Reminder_rules_before_insert BEFORE INSERT ON Reminder FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Kind) <> '' AND CHAR_LENGTH(NEW.Kind) <= 20
            AND CAST(NEW.Kind AS BINARY) NOT IN ('renewal', 'cancelBy', 'trial', 'price', 'ended', 'overdue', 'date', 'digest')
            THEN 'Kind: must be one of renewal, cancelBy, trial, price, ended, overdue, date, digest'
        WHEN TRIM(NEW.Answer) = '' OR CHAR_LENGTH(NEW.Answer) > 20 THEN NULL
        WHEN CAST(NEW.Kind AS BINARY) IN ('ended', 'date') AND CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'snooze', 'done') THEN 'Answer: must be one of keep, snooze, done'
        WHEN CAST(NEW.Kind AS BINARY) = 'digest' AND CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'done') THEN 'Answer: must be one of keep, done'
        WHEN CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'cancel', 'renew', 'snooze', 'done')
            THEN 'Answer: must be one of keep, cancel, renew, snooze, done'
        WHEN NEW.Snoozed_until IS NOT NULL AND NOT (CAST(NEW.Answer AS BINARY) <=> 'snooze') THEN 'Snoozed_until: is for the answer snooze alone'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DROP TRIGGER IF EXISTS Reminder_rules_before_update//
CREATE TRIGGER Reminder_rules_before_update BEFORE UPDATE ON Reminder FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN TRIM(NEW.Answer) = '' OR CHAR_LENGTH(NEW.Answer) > 20 THEN NULL
        WHEN CAST(NEW.Kind AS BINARY) IN ('ended', 'date') AND CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'snooze', 'done') THEN 'Answer: must be one of keep, snooze, done'
        WHEN CAST(NEW.Kind AS BINARY) = 'digest' AND CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'done') THEN 'Answer: must be one of keep, done'
        WHEN CAST(NEW.Answer AS BINARY) NOT IN ('keep', 'cancel', 'renew', 'snooze', 'done')
            THEN 'Answer: must be one of keep, cancel, renew, snooze, done'
        WHEN NEW.Snoozed_until IS NOT NULL AND NOT (CAST(NEW.Answer AS BINARY) <=> 'snooze') THEN 'Snoozed_until: is for the answer snooze alone'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
END//

DELIMITER ;
