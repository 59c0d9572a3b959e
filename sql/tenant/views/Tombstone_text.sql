-- Tombstones, with what they are of.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Tombstone_text AS
SELECT
    HEX(Scope_ID) AS Scope_ID,
    Ver,
    -- Declared kinds of areas are told by their numbers.
    COALESCE(ELT(Entity, 'me', 'subscription', 'period', 'plan', 'price', 'provider', 'country', 'currency'), CONCAT('kind ', Entity))
        AS Entity,
    CASE
        -- A period's id: that of its subscription, and its number in decimal.
        WHEN Entity = 3 THEN CONCAT(LOWER(HEX(LEFT(Row_ID, 16))), ' ',
            CONVERT(CONVERT(SUBSTRING(Row_ID, 17) USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci)
        WHEN Entity <= 2 OR Entity > 8 THEN LOWER(HEX(Row_ID))
        ELSE CONVERT(Row_ID USING utf8mb4) COLLATE utf8mb4_unicode_ci
    END AS Row_ID,
    Deleted_at
FROM Tombstone;
