-- Throws a revision away, or tidies up after it was applied: what was applied stays.
--     SET @revision = 'spring';
--     source sql/catalog/discard.sql
-- What was typed before is committed, and each statement commits by itself and writes what it says, also in a session that
-- was told otherwise.
COMMIT;
SET SESSION autocommit = 1, sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615;
SET SESSION TRANSACTION READ WRITE;
-- In the collation of the tables, whatever that of the session was.
SET @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci;
DELETE FROM Revision WHERE Revision = @revision;
DELETE FROM Staged_plan WHERE Revision = @revision;
