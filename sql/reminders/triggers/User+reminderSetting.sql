-- Written by script/generate-sql from the declaration of reminderSetting.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS User_before_delete_reminderSetting//
CREATE TRIGGER User_before_delete_reminderSetting BEFORE DELETE ON `User` FOR EACH ROW
BEGIN
    -- The scope first, as every writer does, whichever trigger runs first.
    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver;
    DELETE FROM Reminder_setting WHERE User_ID = OLD.User_ID;
END//

DELIMITER ;
