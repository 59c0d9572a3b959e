-- Applies a revision of the catalogue that was checked, one country after the other. When it was cut off, run it again: it
-- goes on where it stopped.
--     SET @revision = 'spring';
--     source sql/catalog/apply.sql
-- With a row that was rejected, or that was changed since the check, it applies nothing.
-- What was typed before is committed, and each statement commits by itself and writes what it says, also in a session that
-- was told otherwise. The revision is named in the collation of the tables, whatever that of the session was.
COMMIT;
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
SET SESSION autocommit = 1, SESSION sql_safe_updates = 0, SESSION sql_big_selects = 1, SESSION sql_select_limit = 18446744073709551615,
    @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci, @subtrackit_compared = 0;

UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @revision AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
-- Where that was refused, the others would say the same. (Where none was left, ROW_COUNT() is 0.)
SET @further = IF(ROW_COUNT() = 1, @revision, NULL);

-- MariaDB applies the others in a loop, each in a transaction of its own: the client says one line for all of them. The
-- MySQL server takes this for a comment, as its client may where it leaves comments out.
DELIMITER //
/*M!100103 BEGIN NOT ATOMIC
    DECLARE turns INT UNSIGNED DEFAULT 0;
    WHILE turns < 1000 AND EXISTS (SELECT 1 FROM Revision_country WHERE Revision = @further AND Applied_at IS NULL) DO
        SET turns = turns + 1;
        UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @further AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
    END WHILE;
END */ //
DELIMITER ;
-- MySQL has no loop outside of a routine: there several countries are one transaction. Nobody waits for the numbers of plans
-- there. On MariaDB nothing is left for these two.
UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @further AND Applied_at IS NULL ORDER BY Country_ID LIMIT 30;
UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @further AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1000;
-- It changes nothing, and tells whether somebody has changed staged rows since the check.
SET @subtrackit_changed = FALSE;
UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = @revision AND Applied_at IS NOT NULL ORDER BY Country_ID LIMIT 1;
SET @changed = @subtrackit_changed, @subtrackit_changed = NULL;
-- A country that is left gives its error here, beside the verdict.
UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @revision AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;
SET @subtrackit_compared = NULL;

-- The verdict stands last, where a screen shows it. Rejected rows come in the order of the file.
SELECT Outcome, Line, Staged_ID, Country_ID, Provider, Plan_name, Explanation
FROM Revised_plan WHERE Revision = @revision AND Outcome = 'rejected'
ORDER BY Row_no LIMIT 20;

SELECT COALESCE(SUM(Rejected), 0) AS Rejected, COALESCE(SUM(Withdrawn), 0) AS Withdrawn,
    COALESCE(SUM(Changed_price), 0) AS Changed_price, COALESCE(SUM(Changed_terms), 0) AS Changed_terms,
    COALESCE(SUM(New_plans), 0) AS New_plans, COALESCE(SUM(Unchanged), 0) AS Unchanged
FROM Revision_country WHERE Revision = @revision;

SELECT COUNT(*) AS Countries, COUNT(Applied_at) AS Applied,
    CASE
        WHEN COUNT(*) = 0 THEN 'there is nothing that was checked: source sql/catalog/check.sql first'
        WHEN COALESCE(SUM(Rejected), 0) > 0 THEN 'nothing was applied: mend or delete the rejected rows, and check again'
        WHEN COUNT(Applied_at) = 0 THEN 'nothing was applied: do what the error above says'
        WHEN COUNT(Applied_at) < COUNT(*) THEN 'cut off: source it again, after what the error above says'
        WHEN @changed THEN 'applied as it was checked; Staged_plan has changed since: check it again, and apply it'
        ELSE 'all is applied; sql/catalog/discard.sql tidies up'
    END AS What_next
FROM Revision_country WHERE Revision = @revision;
