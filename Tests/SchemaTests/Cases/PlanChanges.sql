-- Another plan in the running period, or with a renewal; and a plan whose duration is changed.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
-- The same duration: the end stays, the fee is the new plan's.
UPDATE Subscription SET Plan_ID = 3 WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-02-28 | 2027-03-31 | 2027-01-31 | 2 | 1 | 22.990000
-- Another duration: counted from the running period's start.
UPDATE Subscription SET Plan_ID = 2 WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-02-28 | 2028-02-28 | 2027-02-28 | 1 | 1 | 150.000000

-- With a renewal: the history has the plan that was.
SET @r = 0x01900000000070008000000000000102;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@r, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @r;
UPDATE Subscription SET Start_date = End_date, Plan_ID = 2 WHERE Subscription_ID = @r;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription WHERE Subscription_ID = @r;
-- expect: 2027-03-31 | 2028-03-31 | 2027-03-31 | 1 | 2 | 150.000000
SELECT Period, Plan_ID, Fee FROM Subscription_period WHERE Subscription_ID = @r ORDER BY Period;
-- expect: 0 | 1 | 15.490000
-- expect: 1 | 1 | 15.490000
SET @e = 0x01900000000070008000000000000103;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@e, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @e;
UPDATE Subscription SET Start_date = End_date, Plan_ID = 3 WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-03-31 | 2027-04-30 | 2027-01-31 | 3 | 2 | 22.990000

-- In a trial: a plan without trial days makes it a whole period.
SET @t = 0x01900000000070008000000000000104;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial) VALUES (@t, @u, 1, '2027-01-24', 1);
UPDATE Subscription SET Plan_ID = 3 WHERE Subscription_ID = @t;
SELECT Start_date, End_date, Free_trial, Anchor_count, Period_fee FROM Subscription WHERE Subscription_ID = @t;
-- expect: 2027-01-24 | 2027-02-24 | 1 | 1 | 0.000000

-- The plan's terms change: a period that has begun keeps its end; the next one is counted from there.
SET @d = 0x01900000000070008000000000000105;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@d, @u, 3, '2027-01-31');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @d;
UPDATE Plan SET Duration_value = 3 WHERE Plan_ID = 3;
UPDATE Subscription SET End_date = '2030-01-01', Note = 'x' WHERE Subscription_ID = @d;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = @d;
-- expect: 2027-02-28 | 2027-03-31 | 2027-01-31 | 2
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @d;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @d;
-- expect: 2027-03-31 | 2027-06-30 | 2027-03-31 | 1 | 2
-- A month, then twelve of them under another unit: the same calendar.
UPDATE Plan SET Duration_value = 12, Duration_unit = 'month' WHERE Plan_ID = 2;
SET @y = 0x01900000000070008000000000000106;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@y, @u, 2, '2028-02-29');
UPDATE Plan SET Duration_value = 1, Duration_unit = 'year' WHERE Plan_ID = 2;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @y;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = @y;
-- expect: 2029-02-28 | 2030-02-28 | 2028-02-29 | 2

-- A plan that is withdrawn stays valid for those who have it.
UPDATE Plan SET Withdrawn_on = '2027-01-01' WHERE Plan_ID = 1;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @t;
-- affected: 1
