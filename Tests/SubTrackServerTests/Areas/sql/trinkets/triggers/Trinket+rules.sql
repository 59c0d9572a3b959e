-- Trinket: a rule that no declaration can say, as a second trigger of the same event.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Trinket_rules_before_update//
CREATE TRIGGER Trinket_rules_before_update BEFORE UPDATE ON Trinket FOR EACH ROW
BEGIN
    IF NEW.Shelf = 13 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Trinket.Shelf: there is no shelf 13';
    END IF;
END//

DELIMITER ;
