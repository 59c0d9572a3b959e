-- Written by script/generate-sql from the declaration of trinket.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Trinket_mark_before_insert//
CREATE TRIGGER Trinket_mark_before_insert BEFORE INSERT ON Trinket_mark FOR EACH ROW
BEGIN
    DECLARE found INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    IF COALESCE(NEW.Mark_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET NEW.Mark_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
            SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
    END IF;
    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Label, '')) = '' THEN 'Label: must not be empty'
        WHEN CHAR_LENGTH(NEW.Label) > 20 THEN CONCAT('Label: may have 20 characters, has ', CHAR_LENGTH(NEW.Label))
        WHEN NEW.Weight NOT BETWEEN 1 AND 9 THEN CONCAT('Weight: must be from 1 to 9, is ', NEW.Weight)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Trinket_mark.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Trinket_mark WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID AND Mark_ID = NEW.Mark_ID;
    IF found = 0 THEN
        -- It takes the version that its trinket gets with it.
        UPDATE Trinket SET Ver = 0 WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Trinket WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_mark_after_insert//
CREATE TRIGGER Trinket_mark_after_insert AFTER INSERT ON Trinket_mark FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Trinket_mark.Mark_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_mark_before_update//
CREATE TRIGGER Trinket_mark_before_update BEFORE UPDATE ON Trinket_mark FOR EACH ROW
BEGIN
    DECLARE changed BOOLEAN DEFAULT NOT (CAST(NEW.Label AS BINARY) <=> CAST(OLD.Label AS BINARY)) OR NOT (NEW.Weight <=> OLD.Weight);
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    SET problem = CASE
        WHEN NEW.Mark_ID <> OLD.Mark_ID OR NEW.Trinket_ID <> OLD.Trinket_ID OR NEW.User_ID <> OLD.User_ID THEN 'Mark_ID: never changes'
        WHEN TRIM(COALESCE(NEW.Label, '')) = '' THEN 'Label: must not be empty'
        WHEN CHAR_LENGTH(NEW.Label) > 20 THEN CONCAT('Label: may have 20 characters, has ', CHAR_LENGTH(NEW.Label))
        WHEN NEW.Weight NOT BETWEEN 1 AND 9 THEN CONCAT('Weight: must be from 1 to 9, is ', NEW.Weight)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Trinket_mark.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- Version 0 says that it goes with its trinket.
    IF changed OR COALESCE(NEW.Ver, 0) <> 0 THEN
        SET NEW.Ver = OLD.Ver;
    END IF;
    IF changed THEN
        UPDATE Trinket SET Ver = 0 WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID;
        SET NEW.Ver = COALESCE((SELECT Ver FROM Trinket WHERE User_ID = NEW.User_ID AND Trinket_ID = NEW.Trinket_ID), 0);
    END IF;
END//

DROP TRIGGER IF EXISTS Trinket_mark_after_delete//
CREATE TRIGGER Trinket_mark_after_delete AFTER DELETE ON Trinket_mark FOR EACH ROW
BEGIN
    IF OLD.Ver > 0 THEN
        UPDATE Trinket SET Ver = 0 WHERE User_ID = OLD.User_ID AND Trinket_ID = OLD.Trinket_ID;
    END IF;
END//

DELIMITER ;
