-- Erasure: a user is gone from this statement on; the service removes the other rows.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

-- What goes at once, for it takes few rows: a user has a hundred devices and ten accounts at the most. User_before_delete sets
-- this off as well.
DROP TRIGGER IF EXISTS Erasure_before_insert//
CREATE TRIGGER Erasure_before_insert BEFORE INSERT ON Erasure FOR EACH ROW
BEGIN
    -- The scope first, as every writer does. Its version tells everybody who remembers a list.
    INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Ended_session (Token_hash, User_deleted)
    SELECT s.Token_hash, TRUE FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.User_ID = NEW.User_ID
    ON DUPLICATE KEY UPDATE User_deleted = TRUE;
    -- Not by IN: MariaDB 10 would look at every session there is.
    DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.User_ID = NEW.User_ID;
    DELETE FROM Device WHERE User_ID = NEW.User_ID;
    DELETE FROM Known_device WHERE User_ID = NEW.User_ID;
    -- An empty hash says that the account goes with its user.
    UPDATE Account SET Password = '' WHERE User_ID = NEW.User_ID;
    DELETE FROM Account WHERE User_ID = NEW.User_ID;
END//

DELIMITER ;
