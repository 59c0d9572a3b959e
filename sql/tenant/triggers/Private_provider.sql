-- Private_provider: made and removed by the triggers of Plan; the owner's plans take a new version when the category
-- changes, for it is seen with them.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Private_provider_before_insert//
CREATE TRIGGER Private_provider_before_insert BEFORE INSERT ON Private_provider FOR EACH ROW
BEGIN
    IF TRIM(COALESCE(NEW.Provider, '')) = '' OR TRIM(COALESCE(NEW.Category, '')) = '' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Private_provider.Provider: it is empty, or Category is';
    END IF;
END//

DROP TRIGGER IF EXISTS Private_provider_before_update//
CREATE TRIGGER Private_provider_before_update BEFORE UPDATE ON Private_provider FOR EACH ROW
BEGIN
    IF NEW.Owner_ID <> OLD.Owner_ID
        OR NOT (CAST(NEW.Provider AS BINARY) <=> CAST(OLD.Provider AS BINARY))
    THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Private_provider.Provider: it never changes; change Plan.Provider of the owner''s plans';
    END IF;
    IF TRIM(COALESCE(NEW.Category, '')) = '' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Private_provider.Category: it is empty';
    END IF;
END//

DROP TRIGGER IF EXISTS Private_provider_after_update//
CREATE TRIGGER Private_provider_after_update AFTER UPDATE ON Private_provider FOR EACH ROW
BEGIN
    DECLARE plans INT UNSIGNED;
    DECLARE version BIGINT UNSIGNED;

    IF NOT (CAST(NEW.Category AS BINARY) <=> CAST(OLD.Category AS BINARY)) THEN
        -- The scope is counted once, by as many as there are. The plans take those versions in the order of their numbers.
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.Owner_ID, 0) ON DUPLICATE KEY UPDATE Ver = Ver;
        SELECT COUNT(*) INTO plans FROM Plan FORCE INDEX (Plan_own_provider)
        WHERE Owner_ID = NEW.Owner_ID AND Own_provider = NEW.Provider COLLATE utf8mb4_bin FOR UPDATE;
        IF plans > 0 THEN
            SELECT Ver INTO version FROM Scope WHERE Scope_ID = NEW.Owner_ID FOR UPDATE;
            UPDATE Scope SET Ver = version + plans WHERE Scope_ID = NEW.Owner_ID;
            SET @subtrackit_counted = UTC_TIMESTAMP(6);
            UPDATE (
                SELECT Plan_ID, ROW_NUMBER() OVER (ORDER BY Plan_ID) AS Place
                FROM Plan FORCE INDEX (Plan_own_provider)
                WHERE Owner_ID = NEW.Owner_ID AND Own_provider = NEW.Provider COLLATE utf8mb4_bin
            ) r STRAIGHT_JOIN Plan p FORCE INDEX (PRIMARY) ON p.Plan_ID = r.Plan_ID
            SET p.Ver = (1 << 63) + version + r.Place;
            SET @subtrackit_counted = NULL;
        END IF;
    END IF;
END//

DROP TRIGGER IF EXISTS Private_provider_before_delete//
CREATE TRIGGER Private_provider_before_delete BEFORE DELETE ON Private_provider FOR EACH ROW
BEGIN
    IF EXISTS (
        SELECT 1 FROM Plan FORCE INDEX (Plan_own_provider)
        WHERE Owner_ID = OLD.Owner_ID AND Own_provider = OLD.Provider COLLATE utf8mb4_bin)
    THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Private_provider.Provider: a plan of the owner''s names it';
    END IF;
END//

DELIMITER ;
