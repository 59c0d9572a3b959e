-- Devices, their ids as text.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Device_text AS
SELECT
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(Device_ID, 1, 4)), '-', HEX(SUBSTRING(Device_ID, 5, 2)), '-',
        HEX(SUBSTRING(Device_ID, 7, 2)), '-', HEX(SUBSTRING(Device_ID, 9, 2)), '-',
        HEX(SUBSTRING(Device_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS Device_ID,
    CONVERT(LOWER(CONCAT(
        HEX(SUBSTRING(User_ID, 1, 4)), '-', HEX(SUBSTRING(User_ID, 5, 2)), '-',
        HEX(SUBSTRING(User_ID, 7, 2)), '-', HEX(SUBSTRING(User_ID, 9, 2)), '-',
        HEX(SUBSTRING(User_ID, 11, 6))
    )) USING ascii) COLLATE ascii_general_ci AS User_ID,
    Device_name,
    Created_at
FROM Device;
