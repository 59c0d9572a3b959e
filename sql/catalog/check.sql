-- Checks a revision of the catalogue and says what applying it would do. Nothing of the catalogue is changed.
--     SET @revision = 'spring';
--     source sql/catalog/check.sql
-- After the rows were mended or others were added, check again.
-- What was typed before is committed, and each statement commits by itself and writes what it says, also in a session that
-- was told otherwise.
COMMIT;
SET SESSION autocommit = 1, sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615;
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
-- In the collation of the tables, whatever that of the session was.
SET @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci;
-- What is only read is not locked.
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;

UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = @revision;

-- The sums, and the first 200 rows that change something or were rejected. All rows are in Revised_plan.
SELECT COUNT(*) AS Countries, COUNT(Applied_at) AS Applied, SUM(New_plans) AS New_plans,
    SUM(Changed_price) AS Changed_price, SUM(Changed_terms) AS Changed_terms, SUM(Withdrawn) AS Withdrawn,
    SUM(Unchanged) AS Unchanged, SUM(Rejected) AS Rejected
FROM Revision_country WHERE Revision = @revision;

SELECT Outcome, Line, Country_ID, Provider, Plan_name, Explanation
FROM Revised_plan
WHERE Revision = @revision AND Outcome NOT IN ('unchanged', 'new')
ORDER BY Outcome = 'rejected' DESC, Country_ID, Row_no LIMIT 200;
