-- Private providers, their owners' ids as text.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Private_provider_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Owner_ID, 1, 4)), '-', HEX(SUBSTRING(Owner_ID, 5, 2)), '-',
        HEX(SUBSTRING(Owner_ID, 7, 2)), '-', HEX(SUBSTRING(Owner_ID, 9, 2)), '-',
        HEX(SUBSTRING(Owner_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Owner_ID,
    Provider,
    Category
FROM Private_provider;
