-- Trinket_mark, its ids as text. Written by script/generate-sql from the declaration of trinket.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Trinket_mark_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Trinket_ID, 1, 4)), '-', HEX(SUBSTRING(Trinket_ID, 5, 2)), '-',
        HEX(SUBSTRING(Trinket_ID, 7, 2)), '-', HEX(SUBSTRING(Trinket_ID, 9, 2)), '-',
        HEX(SUBSTRING(Trinket_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Trinket_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Mark_ID, 1, 4)), '-', HEX(SUBSTRING(Mark_ID, 5, 2)), '-',
        HEX(SUBSTRING(Mark_ID, 7, 2)), '-', HEX(SUBSTRING(Mark_ID, 9, 2)), '-',
        HEX(SUBSTRING(Mark_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Mark_ID,
    Label,
    Weight,
    Ver
FROM Trinket_mark;
