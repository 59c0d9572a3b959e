-- Ten subscriptions of each of the users @first to @last, through the triggers. Nothing renews by itself: a read stays
-- a read, on whatever day the data are used again.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Own_fee, Reminder_days, Label, Note)
SELECT UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * n + k), 12, '0'), '7', LEFT(h, 3), 'b', MID(h, 4, 15))),
    UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * n), 12, '0'), '7', LEFT(MD5(n), 3), 'a', MID(MD5(n), 4, 15))),
    1 + r MOD 1000, UTC_DATE() - INTERVAL r MOD 27 DAY,
    IF(r MOD 10 = 0, 9.99, NULL), IF(r MOD 2 = 0, 3, NULL),
    IF(r MOD 4 = 0, CONCAT('Label ', k), NULL), IF(r MOD 9 = 0, 'Shared with the family; ask before cancelling.', NULL)
FROM (
    SELECT n, k, MD5(CONCAT(n, ' ', k)) AS h, CRC32(CONCAT(n, '/', k)) AS r
    FROM (SELECT @first + seq AS n FROM seq_0_to_999) users, (SELECT seq AS k FROM seq_1_to_10) ten
    WHERE n <= @last
) numbers
ORDER BY n, k;
