-- A session with a known token on the device of each of the users @first to @last.
INSERT INTO Session (Session_ID, Device_ID, Token_hash)
SELECT UNHEX(MD5(CONCAT('session ', n))), UNHEX(MD5(CONCAT('device ', n))),
    UNHEX(SHA2(UNHEX(SHA2(CONCAT('benchmark token ', n), 256)), 256))
FROM (SELECT @first + seq AS n FROM seq_0_to_9999) numbers
WHERE n <= @last;
