-- A device for each of the users @first to @last.
INSERT INTO Device (Device_ID, User_ID, Device_name)
SELECT UNHEX(MD5(CONCAT('device ', n))),
    UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * n), 12, '0'), '7', LEFT(MD5(n), 3), 'a', MID(MD5(n), 4, 15))),
    CONCAT('Phone ', n)
FROM (SELECT @first + seq AS n FROM seq_0_to_9999) numbers
WHERE n <= @last;
