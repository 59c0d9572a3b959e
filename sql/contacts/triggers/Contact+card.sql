-- Contact: the names of cards that were merged into a contact go with it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Contact_card_before_delete//
CREATE TRIGGER Contact_card_before_delete BEFORE DELETE ON Contact FOR EACH ROW
BEGIN
    DELETE FROM Former_card WHERE User_ID = OLD.User_ID AND Contact_ID = OLD.Contact_ID;
END//

DELIMITER ;
