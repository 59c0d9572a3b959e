-- Session: a token that ends is remembered as one that has ended.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

-- Erasure_before_insert has noted it before, with the reason.
DROP TRIGGER IF EXISTS Session_after_delete//
CREATE TRIGGER Session_after_delete AFTER DELETE ON Session FOR EACH ROW
BEGIN
    INSERT INTO Ended_session (Token_hash) VALUES (OLD.Token_hash)
    ON DUPLICATE KEY UPDATE User_deleted = User_deleted;
END//

DELIMITER ;
