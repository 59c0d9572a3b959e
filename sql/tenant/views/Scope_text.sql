-- Scopes, with what they are.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Scope_text AS
SELECT
    -- Names are ASCII, padded with zeros; UUIDs made begin with a byte below that of any letter.
    CASE WHEN Scope_ID >= 0x41000000000000000000000000000000 AND SUBSTRING(Scope_ID, 16, 1) = 0x00
        THEN CONVERT(TRIM(TRAILING 0x00 FROM Scope_ID) USING ascii) COLLATE ascii_general_ci
        ELSE CONVERT(LOWER(CONCAT(
            HEX(SUBSTRING(Scope_ID, 1, 4)), '-', HEX(SUBSTRING(Scope_ID, 5, 2)), '-',
            HEX(SUBSTRING(Scope_ID, 7, 2)), '-', HEX(SUBSTRING(Scope_ID, 9, 2)), '-',
            HEX(SUBSTRING(Scope_ID, 11, 6))
        )) USING ascii) COLLATE ascii_general_ci
    END AS Scope_ID,
    Ver,
    Floor_ver
FROM Scope;
