-- Users @first to @last. Ids are UUIDv7 (RFC 9562) of people who came one after the other.
INSERT INTO `User` (User_ID, User_name, Country_ID, Time_zone)
SELECT UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * n), 12, '0'), '7', LEFT(MD5(n), 3), 'a', MID(MD5(n), 4, 15))),
    IF(n MOD 3 = 0, CONCAT('User ', n), NULL),
    ELT(1 + n MOD 10, 'US', 'DE', 'FR', 'GB', 'IT', 'ES', 'CA', 'AU', 'BR', 'IN'),
    ELT(1 + n MOD 5, 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney')
FROM (SELECT @first + seq AS n FROM seq_0_to_9999) numbers
WHERE n <= @last;
