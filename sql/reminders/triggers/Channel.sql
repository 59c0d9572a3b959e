-- Channel: its bounds, the version that a change takes, and its deliveries, which wait while it is paused and go with it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Channel_before_insert//
CREATE TRIGGER Channel_before_insert BEFORE INSERT ON Channel FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Channel_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Channel_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    IF COALESCE(NEW.Key_salt, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Key_salt = UNHEX(SUBSTRING(SHA2(CONCAT(UUID(), RAND(), NEW.User_ID, NEW.Channel_ID), 256), 1, 32));
    END IF;
    SET problem = CASE
        WHEN NEW.Kind + 0 = 0 THEN 'Kind: must be webpush, ntfy or webhook'
        WHEN NOT COALESCE(NEW.Target REGEXP '^https?://[^/@? ]+([/?][^ ]*)?$', FALSE)
            THEN 'Target: must be a URL with https:// or http://, without user, password and spaces'
        WHEN TRIM(NEW.Channel_name) = '' THEN 'Channel_name: must not be empty'
        WHEN NEW.Kind = 'webpush' AND NEW.Sealed IS NULL THEN 'Sealed: a browser has keys'
        WHEN NEW.Kind = 'webhook' AND NEW.Sealed IS NOT NULL THEN 'Sealed: a webhook has nothing sealed'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Channel.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Channel WHERE User_ID = NEW.User_ID AND Channel_ID = NEW.Channel_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
END//

DROP TRIGGER IF EXISTS Channel_after_insert//
CREATE TRIGGER Channel_after_insert AFTER INSERT ON Channel FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Channel.Channel_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Channel_before_update//
CREATE TRIGGER Channel_before_update BEFORE UPDATE ON Channel FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NOT (NEW.User_ID <=> OLD.User_ID) THEN 'User_ID: never changes'
        WHEN NOT (NEW.Channel_ID <=> OLD.Channel_ID) THEN 'Channel_ID: never changes'
        WHEN NOT (NEW.Kind <=> OLD.Kind) THEN 'Kind: never changes'
        WHEN NOT (NEW.Key_salt <=> OLD.Key_salt) THEN 'Key_salt: never changes'
        WHEN NOT COALESCE(NEW.Target REGEXP '^https?://[^/@? ]+([/?][^ ]*)?$', FALSE)
            THEN 'Target: must be a URL with https:// or http://, without user, password and spaces'
        WHEN TRIM(NEW.Channel_name) = '' THEN 'Channel_name: must not be empty'
        WHEN NEW.Kind = 'webpush' AND NEW.Sealed IS NULL THEN 'Sealed: a browser has keys'
        WHEN NEW.Kind = 'webhook' AND NEW.Sealed IS NOT NULL THEN 'Sealed: a webhook has nothing sealed'
        WHEN NEW.Secret_no < OLD.Secret_no THEN 'Secret_no: only grows'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Channel.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Created_at = OLD.Created_at, NEW.Ver = OLD.Ver;
    -- Secrets and a test that is still to be sent are nothing that clients hold.
    IF NOT (NEW.Target <=> OLD.Target AND CAST(NEW.Channel_name AS BINARY) <=> CAST(OLD.Channel_name AS BINARY)
        AND NEW.Device_ID <=> OLD.Device_ID AND NEW.Failing_since <=> OLD.Failing_since
        AND NEW.Last_problem <=> OLD.Last_problem AND NEW.Paused_at <=> OLD.Paused_at
        AND NEW.Tested_at <=> OLD.Tested_at)
    THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
END//

DROP TRIGGER IF EXISTS Channel_after_update//
CREATE TRIGGER Channel_after_update AFTER UPDATE ON Channel FOR EACH ROW
BEGIN
    IF NEW.Paused_at IS NOT NULL AND OLD.Paused_at IS NULL THEN
        UPDATE Delivery SET Next_attempt_at = '9999-12-31'
        WHERE User_ID = NEW.User_ID AND Channel_ID = NEW.Channel_ID AND Dead_at IS NULL;
    ELSEIF NEW.Paused_at IS NULL AND OLD.Paused_at IS NOT NULL THEN
        -- The time of the pause is past by each clock.
        UPDATE Delivery SET Next_attempt_at = OLD.Paused_at, Attempts = 0
        WHERE User_ID = NEW.User_ID AND Channel_ID = NEW.Channel_ID AND Dead_at IS NULL;
    END IF;
END//

DROP TRIGGER IF EXISTS Channel_before_delete//
CREATE TRIGGER Channel_before_delete BEFORE DELETE ON Channel FOR EACH ROW
BEGIN
    -- The scope first, as every writer does.
    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    DELETE FROM Delivery WHERE User_ID = OLD.User_ID AND Channel_ID = OLD.Channel_ID;
END//

DROP TRIGGER IF EXISTS Channel_after_delete//
CREATE TRIGGER Channel_after_delete AFTER DELETE ON Channel FOR EACH ROW
BEGIN
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 10, OLD.Channel_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
END//

DELIMITER ;
