-- Throws a revision away, or tidies up after it was applied: what was applied stays.
--     SET @revision = 'spring';
--     source sql/catalog/discard.sql
-- It commits the statements before it. Each of its own commits by itself and writes all its rows, also in a session that
-- was told otherwise.
COMMIT;
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION TRANSACTION READ WRITE;
-- In the collation of the tables, whatever that of the session was.
SET SESSION autocommit = 1, SESSION sql_safe_updates = 0, SESSION sql_big_selects = 1, SESSION sql_select_limit = 18446744073709551615,
    @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci;
SET @found = EXISTS (SELECT 1 FROM Revision WHERE Revision = @revision),
    @staged = (SELECT COUNT(*) FROM Staged_plan WHERE Revision = @revision),
    @countries = (SELECT COUNT(*) FROM Revision_country WHERE Revision = @revision),
    @applied = (SELECT COUNT(Applied_at) FROM Revision_country WHERE Revision = @revision);
-- It changes nothing, and tells whether somebody has changed staged rows since the check.
SET @subtrackit_changed = FALSE;
UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = @revision AND Applied_at IS NOT NULL ORDER BY Country_ID LIMIT 1;
SET @changed = @subtrackit_changed, @subtrackit_changed = NULL;
DELETE FROM Revision WHERE Revision = @revision;
DELETE FROM Staged_plan WHERE Revision = @revision;

SELECT @staged AS Staged_rows,
    CASE
        WHEN @revision IS NULL THEN 'no revision is named: SET @revision = ''spring'' first'
        WHEN EXISTS (SELECT 1 FROM Revision WHERE Revision = @revision)
            THEN 'nothing was thrown away: see the error above'
        WHEN NOT @found AND @staged = 0 THEN CONCAT('there was no revision ', @revision, '; nothing was changed')
        WHEN @applied = 0 THEN 'thrown away; the catalogue is as it was'
        WHEN @applied < @countries
            THEN CONCAT('thrown away half applied: ', @applied, ' of ', @countries, ' countries were applied, and stay so')
        WHEN @changed THEN 'tidied up; what was applied stays. What was changed in Staged_plan since the check was never applied'
        ELSE 'tidied up; what was applied stays'
    END AS What_was_done;
