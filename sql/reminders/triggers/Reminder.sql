-- Reminder: a row takes a version of its user's scope, and only its answer changes.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Reminder_before_insert//
CREATE TRIGGER Reminder_before_insert BEFORE INSERT ON Reminder FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Kind + 0 = 0 THEN 'Kind: is no kind of reminder'
        WHEN NEW.Answer + 0 = 0 THEN 'Answer: is no answer to a reminder'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
END//

DROP TRIGGER IF EXISTS Reminder_before_update//
CREATE TRIGGER Reminder_before_update BEFORE UPDATE ON Reminder FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NOT (NEW.User_ID <=> OLD.User_ID AND NEW.Notification_no <=> OLD.Notification_no AND NEW.Kind <=> OLD.Kind
            AND NEW.Subject_ID <=> OLD.Subject_ID AND NEW.Occurs_on <=> OLD.Occurs_on AND NEW.Lead_days <=> OLD.Lead_days)
            THEN 'Answer: only the answer to a reminder changes'
        WHEN NEW.Answer + 0 = 0 THEN 'Answer: is no answer to a reminder'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Reminder.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = OLD.Ver;
    IF NOT (NEW.Answer <=> OLD.Answer AND NEW.Snoozed_until <=> OLD.Snoozed_until) THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
END//

DELIMITER ;
