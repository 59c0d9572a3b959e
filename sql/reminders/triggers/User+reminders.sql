-- User: agenda, tokens and calendars of a user go with the user.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS User_before_delete_reminders//
CREATE TRIGGER User_before_delete_reminders BEFORE DELETE ON `User` FOR EACH ROW
BEGIN
    -- The scope first, as every writer does, whichever trigger runs first.
    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver;
    DELETE FROM Agenda WHERE User_ID = OLD.User_ID;
    DELETE FROM Answer_secret WHERE User_ID = OLD.User_ID;
    DELETE FROM Calendar_feed WHERE User_ID = OLD.User_ID;
END//

DELIMITER ;
