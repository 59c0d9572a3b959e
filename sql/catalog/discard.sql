-- Throws a revision away, or tidies up after it was applied: what was applied stays.
--     SET @revision = 'spring';
--     source sql/catalog/discard.sql
DELETE FROM Revision WHERE Revision = @revision;
DELETE FROM Staged_plan WHERE Revision = @revision;
