-- A start other than the end date corrects the current period; one with an anchor of its own does whatever the day.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
UPDATE Subscription SET Start_date = '2027-03-05' WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-03-05 | 2027-04-05 | 2027-03-05 | 1 | 1
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
-- After a lapse: the period so far has ended.
UPDATE Subscription SET Start_date = '2027-09-01' WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-09-01 | 2027-10-01 | 2027-09-01 | 1 | 3
SELECT Period, Start_date, End_date FROM Subscription_period WHERE Subscription_ID = @s ORDER BY Period;
-- expect: 0 | 2027-01-31 | 2027-02-28
-- expect: 1 | 2027-03-05 | 2027-04-05
-- expect: 2 | 2027-04-05 | 2027-05-05
UPDATE Subscription SET Start_date = '2027-05-04' WHERE Subscription_ID = @s;
-- error: Subscription.Start_date: lies in a period that has ended; the earliest is 2027-05-05: 2027-05-04
UPDATE Subscription SET Start_date = '2027-05-05' WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Period FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-05-05 | 2027-06-05 | 3
-- With another plan at once.
UPDATE Subscription SET Start_date = '2027-05-06', Plan_ID = 2 WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Period, Period_fee FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-05-06 | 2028-05-06 | 3 | 150.000000

-- A correction that falls on the end date names its anchor, and is no renewal.
SET @e = 0x01900000000070008000000000000102;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@e, @u, 3, '2027-01-31');
UPDATE Subscription SET Start_date = '2027-02-28', Anchor_date = '2027-02-28' WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-02-28 | 2027-03-28 | 2027-02-28 | 1 | 0
-- An anchor that leads to the start is kept: the next renewal is on 31 March.
UPDATE Subscription SET Anchor_date = '2027-01-31' WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-02-28 | 2027-03-31 | 2027-01-31 | 2 | 0
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Period FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-03-31 | 2027-04-30 | 1
-- On the end date, in the row's own calendar: the count says that it is a correction.
UPDATE Subscription SET Start_date = '2027-04-30', Anchor_date = '2027-01-31', Anchor_count = 4 WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-04-30 | 2027-05-31 | 2027-01-31 | 4 | 1
SELECT COUNT(*) FROM Subscription_period WHERE Subscription_ID = @e;
-- expect: 1
-- An anchor that does not lead there is not taken.
UPDATE Subscription SET Start_date = '2027-05-02', Anchor_date = '2027-01-31' WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-05-02 | 2027-06-02 | 2027-05-02 | 1
UPDATE Subscription SET Start_date = '2027-05-03', Anchor_date = '2027-06-03' WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-05-03 | 2027-06-03 | 2027-05-03 | 1
UPDATE Subscription SET Anchor_date = '2027-01-31' WHERE Subscription_ID = @e;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = @e;
-- expect: 2027-05-03 | 2027-06-03 | 2027-05-03 | 1

-- The same on INSERT.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Anchor_date) VALUES
    (0x01900000000070008000000000000111, @u, 3, '2027-02-28', '2027-01-31'),
    (0x01900000000070008000000000000112, @u, 3, '2027-02-28', '2026-12-31'),
    (0x01900000000070008000000000000113, @u, 3, '2027-02-28', '2027-01-15'),
    (0x01900000000070008000000000000114, @u, 3, '2027-02-28', '2027-03-28'),
    (0x01900000000070008000000000000115, @u, 2, '2027-02-28', '2024-02-29'),
    (0x01900000000070008000000000000116, @u, 4, '2027-02-28', '2027-01-31'),
    (0x01900000000070008000000000000117, @u, 4, '2027-02-28', '2026-11-30'),
    (0x01900000000070008000000000000118, @u, 5, '2027-02-28', '2027-02-14'),
    (0x01900000000070008000000000000119, @u, 5, '2027-02-28', '2027-02-21');
SELECT Plan_ID, Start_date, End_date, Anchor_date, Anchor_count FROM Subscription
WHERE Subscription_ID >= 0x01900000000070008000000000000111 ORDER BY Subscription_ID;
-- expect: 3 | 2027-02-28 | 2027-03-31 | 2027-01-31 | 2
-- expect: 3 | 2027-02-28 | 2027-03-31 | 2026-12-31 | 3
-- expect: 3 | 2027-02-28 | 2027-03-28 | 2027-02-28 | 1
-- expect: 3 | 2027-02-28 | 2027-03-28 | 2027-02-28 | 1
-- expect: 2 | 2027-02-28 | 2028-02-29 | 2024-02-29 | 4
-- expect: 4 | 2027-02-28 | 2027-05-28 | 2027-02-28 | 1
-- expect: 4 | 2027-02-28 | 2027-05-30 | 2026-11-30 | 2
-- expect: 5 | 2027-02-28 | 2027-03-14 | 2027-02-14 | 2
-- expect: 5 | 2027-02-28 | 2027-03-14 | 2027-02-28 | 1
-- A trial of its own length has no other anchor than its start.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial, Anchor_date)
VALUES (0x01900000000070008000000000000121, @u, 1, '2027-02-28', TRUE, '2027-01-31');
SELECT End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000121;
-- expect: 2027-03-07 | 2027-02-28 | 0
-- The default of the column is no anchor that somebody gave.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000122, @u, 1, '2027-03-02');
SELECT End_date, Anchor_date, Anchor_count FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000122;
-- expect: 2027-04-02 | 2027-03-02 | 1

-- Where the calendar ends.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000131, @u, 2, '2999-12-31');
UPDATE Plan SET Duration_value = 1200 WHERE Plan_ID = 2;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000132, @u, 2, '2999-12-31');
SELECT End_date FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000132;
-- expect: 4199-12-31
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = 0x01900000000070008000000000000132;
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: 4199-12-31
