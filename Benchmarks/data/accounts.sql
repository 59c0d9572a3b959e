-- An account for each of the users @first to @last, all with the password of @password, and a device that it knows.
-- Ids are those of `users.sql`; the device has the user's.
INSERT INTO Account (Email, Password, User_ID)
SELECT CONCAT(LOWER(HEX(User_ID)), '@bench.example'), @password, User_ID
FROM (
    SELECT UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * (@first + seq)), 12, '0'), '7', LEFT(MD5(@first + seq), 3), 'a',
        MID(MD5(@first + seq), 4, 15))) AS User_ID
    FROM seq_0_to_9999 WHERE @first + seq <= @last
) numbers;
INSERT INTO Known_device (User_ID, Device_ID)
SELECT User_ID, User_ID FROM Account WHERE Email LIKE '%@bench.example';
