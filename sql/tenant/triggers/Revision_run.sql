-- Revision_run: written by the statement that applies a country. In that statement the rules of Plan and Plan_price let rows by,
-- because the check of the revision has looked at them.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

-- A statement of a trigger cannot write the table whose trigger it is (1442). To be refused so shows that this insert comes from
-- the trigger of Revision_country, or from a statement that reads that table: whoever may write here, which a catalogue admin
-- may not. Such a row is worth nothing: the time of a statement is the same in all its triggers, and no other statement's.
DROP TRIGGER IF EXISTS Revision_run_before_insert//
CREATE TRIGGER Revision_run_before_insert BEFORE INSERT ON Revision_run FOR EACH ROW
BEGIN
    DECLARE is_applying BOOLEAN DEFAULT FALSE;

    BEGIN
        DECLARE CONTINUE HANDLER FOR 1442 SET is_applying = TRUE;
        UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = '';
    END;
    IF NOT is_applying THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Revision_run.Connection_ID: it is written while a country of a revision is applied, not by hand';
    END IF;
    SET NEW.Connection_ID = CONNECTION_ID(), NEW.Started_at = UTC_TIMESTAMP(6);
END//

-- The row of one connection or statement cannot be made that of another.
DROP TRIGGER IF EXISTS Revision_run_before_update//
CREATE TRIGGER Revision_run_before_update BEFORE UPDATE ON Revision_run FOR EACH ROW
BEGIN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Revision_run.Connection_ID: it never changes';
END//

DELIMITER ;
