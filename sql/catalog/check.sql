-- Checks a revision of the catalogue and says what applying it would do. Nothing of the catalogue is changed.
--     SET @revision = 'spring';
--     source sql/catalog/check.sql
-- After the rows were mended or others were added, check again.
-- It commits the statements before it. Each of its own commits by itself and writes all its rows, also in a session that
-- was told otherwise.
COMMIT;
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
-- What is only read is not locked.
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
-- In the collation of the tables, whatever that of the session was.
SET SESSION autocommit = 1, SESSION sql_safe_updates = 0, SESSION sql_big_selects = 1, SESSION sql_select_limit = 18446744073709551615,
    @revision = CONVERT(@revision USING utf8mb4) COLLATE utf8mb4_unicode_ci;

SET @checked_before = (SELECT Checked_at FROM Revision WHERE Revision = @revision);
UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = @revision;

-- The verdict stands last, where a screen shows it. A revision with rejected rows applies nothing: its other rows wait.
-- All rows are in Revised_plan.
SET @rejected = (SELECT COALESCE(SUM(Rejected), 0) FROM Revision_country WHERE Revision = @revision);
SELECT Outcome, Line, Staged_ID, Country_ID, Provider, Plan_name, Explanation
FROM (
    SELECT Outcome, Line, Staged_ID, Country_ID, Provider, Plan_name, Explanation, Row_no,
        -- Rejected rows come in the order of the file, the others by country.
        IF(Outcome = 'rejected', Row_no, 0) AS Line_order,
        ROW_NUMBER() OVER (PARTITION BY Outcome ORDER BY IF(Outcome = 'rejected', Row_no, 0), Country_ID, Row_no) AS Place
    FROM Revised_plan
    WHERE Revision = @revision AND (Outcome NOT IN ('unchanged', 'new') OR Explanation IS NOT NULL)
        AND (Outcome = 'rejected' OR @rejected = 0)
) r
WHERE Place <= 20
ORDER BY Outcome, Line_order, Country_ID, Row_no;

SELECT COALESCE(SUM(Rejected), 0) AS Rejected, COALESCE(SUM(Withdrawn), 0) AS Withdrawn,
    COALESCE(SUM(Changed_price), 0) AS Changed_price, COALESCE(SUM(Changed_terms), 0) AS Changed_terms,
    COALESCE(SUM(New_plans), 0) AS New_plans, COALESCE(SUM(Unchanged), 0) AS Unchanged, COUNT(*) AS Countries
FROM Revision_country WHERE Revision = @revision;

SELECT CASE
        WHEN @revision IS NULL THEN 'no revision is named: SET @revision = ''spring'' first'
        WHEN NOT EXISTS (SELECT 1 FROM Revision WHERE Revision = @revision)
            THEN CONCAT('there is no revision ', @revision, ': INSERT INTO Revision first')
        WHEN (SELECT Checked_at FROM Revision WHERE Revision = @revision) <=> @checked_before
            THEN 'it was not checked: see the error above'
        WHEN @rejected > 0
            THEN CONCAT(@rejected, ' rejected, of which up to 20 are shown: mend or delete them in Staged_plan by Staged_ID, and check again')
        ELSE 'nothing is rejected; up to 20 rows of each kind are shown. sql/catalog/apply.sql applies it'
    END AS What_next;
