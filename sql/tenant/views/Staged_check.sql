-- A sum for each staged row, by which it is seen whether rows were added, mended or deleted since a revision was checked.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Staged_check AS
SELECT Revision,
    CRC32(CONCAT_WS(0x1F, Staged_ID, COALESCE(Country_ID, ''), COALESCE(Provider, ''), COALESCE(Plan_name, ''), COALESCE(Subscription_type, ''), COALESCE(Fee, ''),
        COALESCE(Currency_code, ''), COALESCE(Fee_since, ''), COALESCE(Duration_value, ''), COALESCE(Duration_unit, ''), COALESCE(Trial_days, ''),
        COALESCE(Notice_days, ''), COALESCE(Withdrawn_on, ''), COALESCE(Category, ''), COALESCE(Surplus, ''))) AS Row_sum
FROM Staged_plan;
