-- What a period costs: the plan's price of its first day, or the user's own fee; nothing in a trial.
SET @u = 0x01900000000070008000000000000001;
UPDATE Plan SET Fee = 17.99, Fee_since = '2025-01-18' WHERE Plan_ID = 1;
UPDATE Plan SET Fee = 16.49, Fee_since = '2024-02-01' WHERE Plan_ID = 1;
UPDATE Plan SET Fee = 19.99, Fee_since = '2099-01-01' WHERE Plan_ID = 1;
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 1 ORDER BY Effective_on;
-- expect: 2023-01-07 | 15.490000
-- expect: 2024-02-01 | 16.490000
-- expect: 2025-01-18 | 17.990000
-- expect: 2099-01-01 | 19.990000
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2023-12-20');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Start_date, Period_fee FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2024-01-20 | 15.490000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Start_date, Period_fee FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2024-02-20 | 16.490000
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES
    (0x01900000000070008000000000000102, @u, 1, '2020-05-01'),
    (0x01900000000070008000000000000103, @u, 1, '2025-01-17'),
    (0x01900000000070008000000000000104, @u, 1, '2025-01-18'),
    (0x01900000000070008000000000000105, @u, 1, '2098-12-31'),
    (0x01900000000070008000000000000106, @u, 1, '2099-01-01');
SELECT Start_date, Period_fee FROM Subscription WHERE Subscription_ID > @s ORDER BY Subscription_ID;
-- expect: 2020-05-01 | 15.490000
-- expect: 2025-01-17 | 16.490000
-- expect: 2025-01-18 | 17.990000
-- expect: 2098-12-31 | 17.990000
-- expect: 2099-01-01 | 19.990000
-- What the line says later does not change what was paid.
UPDATE Plan SET Fee = 99 WHERE Plan_ID = 1;
UPDATE Plan_price SET Fee = 88 WHERE Plan_ID = 1;
SELECT Start_date, Period_fee FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000106;
-- expect: 2099-01-01 | 19.990000

-- A user's own fee.
SET @o = 0x01900000000070008000000000000110;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Own_fee) VALUES (@o, @u, 3, '2027-01-31', 5.55);
SELECT Period_fee, Period_currency FROM Subscription WHERE Subscription_ID = @o;
-- expect: 5.550000 | USD
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @o;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @o;
-- expect: 5.550000
-- Changed: it is a correction of what is paid, for the running period too; history stays.
UPDATE Subscription SET Own_fee = 6 WHERE Subscription_ID = @o;
SELECT Period_fee, Start_date, End_date FROM Subscription WHERE Subscription_ID = @o;
-- expect: 6.000000 | 2027-02-28 | 2027-03-31
SELECT Fee FROM Subscription_period WHERE Subscription_ID = @o;
-- expect: 5.550000
UPDATE Subscription SET Own_fee = NULL WHERE Subscription_ID = @o;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @o;
-- expect: 22.990000
UPDATE Subscription SET Own_fee = 0 WHERE Subscription_ID = @o;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @o;
-- expect: 0.000000
-- In a trial it waits for the first paid period.
SET @t = 0x01900000000070008000000000000111;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Own_fee, Free_trial) VALUES (@t, @u, 1, '2027-01-24', 5.55, TRUE);
UPDATE Subscription SET Own_fee = 4.44 WHERE Subscription_ID = @t;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @t;
-- expect: 0.000000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @t;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @t;
-- expect: 4.440000
-- It stays with another plan, if that plan's currency has its digits.
UPDATE Subscription SET Plan_ID = 2 WHERE Subscription_ID = @t;
SELECT Period_fee FROM Subscription WHERE Subscription_ID = @t;
-- expect: 4.440000
UPDATE Subscription SET Plan_ID = 6 WHERE Subscription_ID = @t;
-- error: Subscription.Own_fee: JPY has 0 digits: 4.440000
UPDATE Subscription SET Own_fee = 5.555 WHERE Subscription_ID = @t;
-- error: Subscription.Own_fee: USD has 2 digits: 5.555000
UPDATE Subscription SET Own_fee = -1 WHERE Subscription_ID = @t;
-- error: Subscription.Own_fee: not between 0 and 99999999999: -1
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Own_fee) VALUES (@u, 6, '2027-01-31', 1.5);
-- error: Subscription.Own_fee: JPY has 0 digits: 1.5
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Own_fee) VALUES (@u, 1, '2027-01-31', 100000000000);
-- error: Subscription.Own_fee: not between 0 and 99999999999: 100000000000
-- The plan gets another currency: a renewal is not refused for the fee of before.
UPDATE Plan SET Fee = 2000, Currency_code = 'JPY', Fee_since = '2027-03-01' WHERE Plan_ID = 1;
SET @c = 0x01900000000070008000000000000112;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Own_fee) VALUES (@c, @u, 1, '2027-02-15', 5.55);
SELECT Period_fee, Period_currency FROM Subscription WHERE Subscription_ID = @c;
-- expect: 5.550000 | USD
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @c;
SELECT Period_fee, Period_currency, Own_fee FROM Subscription WHERE Subscription_ID = @c;
-- expect: 6.000000 | JPY | 5.550000
