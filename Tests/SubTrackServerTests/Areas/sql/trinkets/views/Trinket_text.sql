-- Trinket, its ids as text. Written by script/generate-sql from the declaration of trinket.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Trinket_text AS
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
    Code,
    Note,
    Shelf,
    Starred,
    Bought_on,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Friend_id, 1, 4)), '-', HEX(SUBSTRING(Friend_id, 5, 2)), '-',
        HEX(SUBSTRING(Friend_id, 7, 2)), '-', HEX(SUBSTRING(Friend_id, 9, 2)), '-',
        HEX(SUBSTRING(Friend_id, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Friend_id,
    Created_at,
    Deleted_at,
    Ver
FROM Trinket;
