-- Throws a revision away, or tidies up after it was applied: what was applied stays.
--     SET @revision = 'spring';
--     source sql/catalog/discard.sql
-- In the collation of the tables, whatever that of the session was.
SET @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci;
DELETE FROM Revision WHERE Revision = @revision;
DELETE FROM Staged_plan WHERE Revision = @revision;
