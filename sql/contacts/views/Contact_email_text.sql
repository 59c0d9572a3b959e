-- Contact_email, its ids as text. Written by script/generate-sql from the declaration of contact.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Contact_email_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Contact_ID, 1, 4)), '-', HEX(SUBSTRING(Contact_ID, 5, 2)), '-',
        HEX(SUBSTRING(Contact_ID, 7, 2)), '-', HEX(SUBSTRING(Contact_ID, 9, 2)), '-',
        HEX(SUBSTRING(Contact_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Contact_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Email_ID, 1, 4)), '-', HEX(SUBSTRING(Email_ID, 5, 2)), '-',
        HEX(SUBSTRING(Email_ID, 7, 2)), '-', HEX(SUBSTRING(Email_ID, 9, 2)), '-',
        HEX(SUBSTRING(Email_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Email_ID,
    Email,
    Email_type,
    Ver
FROM Contact_email;
