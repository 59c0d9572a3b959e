-- Subscription, of another area: each new one is counted.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Noted_subscription_after_insert//
CREATE TRIGGER Noted_subscription_after_insert AFTER INSERT ON Subscription FOR EACH ROW
BEGIN
    INSERT INTO Noted_count (User_ID, Subscriptions) VALUES (NEW.User_ID, 1)
    ON DUPLICATE KEY UPDATE Subscriptions = Subscriptions + 1;
END//

DELIMITER ;
