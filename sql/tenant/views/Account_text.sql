-- Accounts, whose users' ids are text. Without the hashes of passwords.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Account_text AS
SELECT
    Email,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    Verified_at,
    Created_at
FROM Account;
