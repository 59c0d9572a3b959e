-- Plans with their category, whatever kind of plan it is; the owner's id as text.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Plan_text AS
SELECT
    p.Plan_ID,
    p.Provider,
    COALESCE(x.Category, v.Category) AS Category,
    p.Plan_name,
    p.Subscription_type,
    p.Fee,
    p.Currency_code,
    p.Fee_since,
    p.Duration_value,
    p.Duration_unit,
    p.Country_ID,
    p.Trial_days,
    p.Notice_days,
    p.Withdrawn_on,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(p.Owner_ID, 1, 4)), '-', HEX(SUBSTRING(p.Owner_ID, 5, 2)), '-',
        HEX(SUBSTRING(p.Owner_ID, 7, 2)), '-', HEX(SUBSTRING(p.Owner_ID, 9, 2)), '-',
        HEX(SUBSTRING(p.Owner_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Owner_ID,
    p.Ver
FROM Plan p
LEFT JOIN Private_provider x ON x.Owner_ID = p.Owner_ID AND x.Provider = p.Provider
LEFT JOIN Provider v ON v.Provider = p.Provider AND p.Owner_ID IS NULL;
