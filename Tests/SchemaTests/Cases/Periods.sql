-- Periods are written by renewals. What one cost may be corrected; then it is new, and its subscription with it.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date;
UPDATE Subscription SET Start_date = End_date;
UPDATE Subscription_period SET Fee = 14.99 WHERE Subscription_ID = @s AND Period = 0;
SELECT p.Period, p.Fee, p.Ver, s.Ver, s.Ver_billing FROM Subscription_period p JOIN Subscription s USING (Subscription_ID) ORDER BY Period;
-- expect: 0 | 14.990000 | 5 | 5 | 4
-- expect: 1 | 15.490000 | 4 | 5 | 4
UPDATE Subscription_period SET Fee = 14.99, Ver = 99 WHERE Subscription_ID = @s AND Period = 0;
SELECT Ver FROM Scope WHERE Scope_ID = @u;
-- expect: 5
UPDATE Subscription_period SET Fee = 1.999 WHERE Subscription_ID = @s AND Period = 0;
-- error: Subscription_period.Fee: USD has 2 digits: 1.999
UPDATE Subscription_period SET Fee = -1 WHERE Subscription_ID = @s AND Period = 0;
-- error: Subscription_period.Fee: not between 0 and 99999999999: -1
UPDATE Subscription_period SET Currency_code = 'QQQ' WHERE Subscription_ID = @s AND Period = 0;
-- error: Subscription_period.Currency_code: there is no such currency: QQQ
UPDATE Subscription_period SET End_date = '2027-03-01' WHERE Subscription_ID = @s AND Period = 0;
-- error: Subscription_period.Period: of a period that has ended only Fee, Currency_code and Free_trial change
INSERT INTO Subscription_period (Subscription_ID, Period, Start_date, End_date, Fee, Currency_code, Free_trial, Plan_ID, Ver)
VALUES (@s, 77, '2026-12-31', '2027-01-31', 1, 'USD', 0, 1, 0);
-- error: Subscription_period.Ver: a period is written when its subscription is renewed, not by hand
DELETE FROM Subscription_period WHERE Subscription_ID = @s AND Period = 0;
SELECT Ver, Entity, LEFT(Row_ID, 16) = @s, CONVERT(SUBSTRING(Row_ID, 17) USING utf8mb4) FROM Tombstone;
-- expect: 6 | 3 | 1 | 0
-- With the subscription they go without tombstones of their own.
DELETE FROM Subscription;
SELECT Ver, Entity FROM Tombstone ORDER BY Ver;
-- expect: 6 | 3
-- expect: 7 | 2
SELECT COUNT(*) FROM Subscription_period;
-- expect: 0
