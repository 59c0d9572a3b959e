-- Account: tokens of mails end with the password and the address of their reader, as those of accounts do. Addresses of
-- calendars end with the password: a stranger who was signed in may have made one.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Account_after_update_reminders//
CREATE TRIGGER Account_after_update_reminders AFTER UPDATE ON Account FOR EACH ROW
BEGIN
    IF NEW.Password <> OLD.Password OR NEW.User_ID <> OLD.User_ID OR CAST(NEW.Email AS BINARY) <> CAST(OLD.Email AS BINARY) THEN
        DELETE FROM Answer_secret WHERE User_ID = OLD.User_ID AND Purpose = 'answer';
    END IF;
    IF NEW.Password <> OLD.Password OR NEW.User_ID <> OLD.User_ID THEN
        DELETE FROM Calendar_feed WHERE User_ID = OLD.User_ID;
    END IF;
END//

DROP TRIGGER IF EXISTS Account_after_delete_reminders//
CREATE TRIGGER Account_after_delete_reminders AFTER DELETE ON Account FOR EACH ROW
BEGIN
    DELETE FROM Answer_secret WHERE User_ID = OLD.User_ID AND Purpose = 'answer';
    DELETE FROM Calendar_feed WHERE User_ID = OLD.User_ID;
END//

DELIMITER ;
