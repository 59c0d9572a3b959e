-- Sessions, their ids as text, with their devices' users. Without the hashes of tokens.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Session_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(s.Session_ID, 1, 4)), '-', HEX(SUBSTRING(s.Session_ID, 5, 2)), '-',
        HEX(SUBSTRING(s.Session_ID, 7, 2)), '-', HEX(SUBSTRING(s.Session_ID, 9, 2)), '-',
        HEX(SUBSTRING(s.Session_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Session_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(s.Device_ID, 1, 4)), '-', HEX(SUBSTRING(s.Device_ID, 5, 2)), '-',
        HEX(SUBSTRING(s.Device_ID, 7, 2)), '-', HEX(SUBSTRING(s.Device_ID, 9, 2)), '-',
        HEX(SUBSTRING(s.Device_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Device_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(d.User_ID, 1, 4)), '-', HEX(SUBSTRING(d.User_ID, 5, 2)), '-',
        HEX(SUBSTRING(d.User_ID, 7, 2)), '-', HEX(SUBSTRING(d.User_ID, 9, 2)), '-',
        HEX(SUBSTRING(d.User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    s.Created_at,
    s.Last_used_at
FROM Session s
JOIN Device d ON d.Device_ID = s.Device_ID;
