-- Account: an account is seen with its user, whose row takes a new version when an account comes, goes or changes. The
-- links that were sent to an address end when it leads elsewhere or nowhere: they were about the user of before.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Account_before_insert//
CREATE TRIGGER Account_before_insert BEFORE INSERT ON Account FOR EACH ROW
BEGIN
    IF NOT COALESCE(NEW.Email LIKE '_%@_%' AND NEW.Email NOT LIKE '% %', FALSE) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Account.Email: not an e-mail address';
    END IF;
    -- Who types a password here would store it for all to read. The value is in no message.
    IF COALESCE(NEW.Password, '') NOT LIKE '$%$%$%' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Account.Password: not an encoded hash ($algorithm$parameters$...)';
    END IF;
END//

DROP TRIGGER IF EXISTS Account_after_insert//
CREATE TRIGGER Account_after_insert AFTER INSERT ON Account FOR EACH ROW
BEGIN
    UPDATE `User` SET Ver = 0 WHERE User_ID = NEW.User_ID;
END//

-- The empty hash comes from Erasure_before_insert.
DROP TRIGGER IF EXISTS Account_before_update//
CREATE TRIGGER Account_before_update BEFORE UPDATE ON Account FOR EACH ROW
BEGIN
    IF NOT COALESCE(NEW.Email LIKE '_%@_%' AND NEW.Email NOT LIKE '% %', FALSE) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Account.Email: not an e-mail address';
    END IF;
    IF NEW.Password <> '' AND NEW.Password NOT LIKE '$%$%$%' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Account.Password: not an encoded hash ($algorithm$parameters$...)';
    END IF;
END//

DROP TRIGGER IF EXISTS Account_after_update//
CREATE TRIGGER Account_after_update AFTER UPDATE ON Account FOR EACH ROW
BEGIN
    IF NEW.User_ID <> OLD.User_ID THEN
        UPDATE `User` SET Ver = 0 WHERE User_ID IN (OLD.User_ID, NEW.User_ID) ORDER BY User_ID;
    ELSEIF NOT (CAST(NEW.Email AS BINARY) <=> CAST(OLD.Email AS BINARY) AND NEW.Verified_at <=> OLD.Verified_at) THEN
        UPDATE `User` SET Ver = 0 WHERE User_ID = NEW.User_ID;
    END IF;
    IF NEW.User_ID <> OLD.User_ID OR NOT (CAST(NEW.Email AS BINARY) <=> CAST(OLD.Email AS BINARY)) THEN
        DELETE FROM Mail_secret WHERE Email = OLD.Email;
    END IF;
END//

DROP TRIGGER IF EXISTS Account_after_delete//
CREATE TRIGGER Account_after_delete AFTER DELETE ON Account FOR EACH ROW
BEGIN
    IF OLD.Password <> '' THEN
        UPDATE `User` SET Ver = 0 WHERE User_ID = OLD.User_ID;
    END IF;
    DELETE FROM Mail_secret WHERE Email = OLD.Email;
END//

DELIMITER ;
