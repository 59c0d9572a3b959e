-- A free trial ends after the plan's trial days, costs nothing, and its first paid period begins where it ended.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial) VALUES (@s, @u, 1, '2027-01-24', TRUE);
SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Period, Period_fee, Period_currency FROM Subscription;
-- expect: 2027-01-24 | 2027-01-31 | 1 | 2027-01-24 | 0 | 0 | 0.000000 | USD
UPDATE Subscription SET End_date = '2030-01-01' WHERE Subscription_ID = @s;
SELECT End_date FROM Subscription;
-- expect: 2027-01-31
-- Converted: the anchor is the first paid day.
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription;
-- expect: 2027-01-31 | 2027-02-28 | 0 | 2027-01-31 | 1 | 1 | 15.490000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription;
-- expect: 2027-02-28 | 2027-03-31 | 0 | 2027-01-31 | 2 | 2 | 15.490000
SELECT Period, Start_date, End_date, Free_trial, Fee, Currency_code FROM Subscription_period ORDER BY Period;
-- expect: 0 | 2027-01-24 | 2027-01-31 | 1 | 0.000000 | USD
-- expect: 1 | 2027-01-31 | 2027-02-28 | 0 | 15.490000 | USD

-- A plan without trial days: the trial is a whole period, and the calendar goes on.
SET @w = 0x01900000000070008000000000000102;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial) VALUES (@w, @u, 3, '2027-01-31', 1);
SELECT End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @w;
-- expect: 2027-02-28 | 1 | 1 | 0.000000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @w;
SELECT End_date, Free_trial, Anchor_date, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @w;
-- expect: 2027-03-31 | 0 | 2027-01-31 | 2 | 22.990000

-- The flag set and taken back in the first period moves the end; in a later one it does not.
SET @f = 0x01900000000070008000000000000103;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@f, @u, 1, '2027-01-31');
UPDATE Subscription SET Free_trial = TRUE WHERE Subscription_ID = @f;
SELECT End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @f;
-- expect: 2027-02-07 | 1 | 0 | 0.000000
UPDATE Subscription SET Free_trial = FALSE WHERE Subscription_ID = @f;
SELECT End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @f;
-- expect: 2027-02-28 | 0 | 1 | 15.490000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @f;
UPDATE Subscription SET Free_trial = TRUE WHERE Subscription_ID = @f;
SELECT Start_date, End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @f;
-- expect: 2027-02-28 | 2027-03-31 | 1 | 2 | 0.000000
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @f;
SELECT Start_date, End_date, Free_trial, Period_fee FROM Subscription WHERE Subscription_ID = @f;
-- expect: 2027-03-31 | 2027-04-30 | 0 | 15.490000

-- Another plan and the flag in one statement: the same as in two.
SET @p = 0x01900000000070008000000000000105;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@p, @u, 3, '2027-01-31');
UPDATE Subscription SET Plan_ID = 1, Free_trial = TRUE WHERE Subscription_ID = @p;
SELECT Start_date, End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @p;
-- expect: 2027-01-31 | 2027-02-07 | 1 | 0 | 0.000000

-- Any number is true; NULL is not.
SET @n = 0x01900000000070008000000000000104;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial, Auto_renew) VALUES (@n, @u, 1, '2027-01-31', 5, 7);
SELECT Free_trial, Auto_renew FROM Subscription WHERE Subscription_ID = @n;
-- expect: 1 | 1
