-- What requests and statements are made of: a line for each of the users @first to @last with token, user and one
-- subscription, as text and in hexadecimal.
SELECT
    CONCAT('sub_', TRIM(TRAILING '=' FROM REPLACE(REPLACE(
        TO_BASE64(UNHEX(SHA2(CONCAT('benchmark token ', n), 256))), '+', '-'), '/', '_'))),
    HEX(s.User_ID), HEX(MIN(s.Subscription_ID))
FROM (
    SELECT @first + seq AS n,
        UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * (@first + seq)), 12, '0'), '7', LEFT(MD5(@first + seq), 3), 'a',
            MID(MD5(@first + seq), 4, 15))) AS User_ID
    FROM seq_0_to_9999 WHERE @first + seq <= @last
) numbers
JOIN Subscription s ON s.User_ID = numbers.User_ID
GROUP BY n;
