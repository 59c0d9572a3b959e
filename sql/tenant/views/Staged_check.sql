-- A sum for each staged row, by which it is seen whether rows were added, mended or deleted since a revision was checked.
-- An empty Withdrawn_on says that a plan is sold, and NULL says nothing of it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Staged_check AS
SELECT Revision,
    CRC32(CONCAT_WS(0x1F, CAST(Staged_ID AS BINARY), COALESCE(Country_ID, _binary''), COALESCE(Provider, _binary''), COALESCE(Plan_name, _binary''), COALESCE(Subscription_type, _binary''), COALESCE(Fee, _binary''),
        COALESCE(Currency_code, _binary''), COALESCE(Fee_since, _binary''), COALESCE(Duration_value, _binary''), COALESCE(Duration_unit, _binary''), COALESCE(Trial_days, _binary''),
        COALESCE(Notice_days, _binary''), COALESCE(Withdrawn_on, 0x00), COALESCE(Category, _binary''), COALESCE(Surplus, _binary''))) AS Row_sum
FROM Staged_plan;
