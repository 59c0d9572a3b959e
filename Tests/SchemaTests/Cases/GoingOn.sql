-- What has ended and goes on begins a period on that day: nobody paid for the time between.
-- sessions: strict lax
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101, @h = 0x01900000000070008000000000000102;
SET timestamp = UNIX_TIMESTAMP('2027-11-05 12:00:00');
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Auto_renew, Cancelled_on) VALUES
    (@s, @u, 1, '2027-01-31', TRUE, '2027-02-10'), (@h, @u, 3, '2027-01-31', FALSE, '2027-02-10');
-- Resumed after nine months.
UPDATE Subscription SET Cancelled_on = NULL WHERE User_ID = @u;
-- affected: 2
SELECT Plan_ID, Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee, Cancelled_on, Auto_renewed FROM Subscription ORDER BY Subscription_ID;
-- expect: 1 | 2027-11-05 | 2027-12-05 | 2027-11-05 | 1 | 1 | 15.490000 | NULL | 0
-- expect: 3 | 2027-11-05 | 2027-12-05 | 2027-11-05 | 1 | 1 | 22.990000 | NULL | 0
SELECT Period, Start_date, End_date, Fee FROM Subscription_period ORDER BY Subscription_ID;
-- expect: 0 | 2027-01-31 | 2027-02-28 | 15.490000
-- expect: 0 | 2027-01-31 | 2027-02-28 | 22.990000
-- In its period, and on the day on which that ends: nothing but that.
UPDATE Subscription SET Cancelled_on = '2027-11-05' WHERE Subscription_ID = @s;
UPDATE Subscription SET Cancelled_on = NULL WHERE Subscription_ID = @s;
UPDATE Subscription SET Cancelled_on = '2027-11-05' WHERE Subscription_ID = @s;
SET timestamp = UNIX_TIMESTAMP('2027-12-05 12:00:00');
UPDATE Subscription SET Cancelled_on = NULL WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Period FROM Subscription WHERE Subscription_ID = @s;
-- expect: 2027-11-05 | 2027-12-05 | 1
-- Overdue, and said to renew by itself: from now on. One that is said to already is not.
SET timestamp = UNIX_TIMESTAMP('2028-03-10 12:00:00');
UPDATE Subscription SET Auto_renew = TRUE WHERE User_ID = @u;
-- affected: 1
SELECT Start_date, End_date, Period FROM Subscription ORDER BY Subscription_ID;
-- expect: 2027-11-05 | 2027-12-05 | 1
-- expect: 2028-03-10 | 2028-04-10 | 2
-- Restored: what renews by itself is as one that is resumed; what does not comes back as it was.
UPDATE Subscription SET Auto_renew = FALSE, Deleted_at = UTC_TIMESTAMP() WHERE Subscription_ID = @s;
UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE Subscription_ID = @h;
SET timestamp = UNIX_TIMESTAMP('2028-06-01 12:00:00');
UPDATE Subscription SET Deleted_at = NULL WHERE User_ID = @u;
SELECT Start_date, End_date, Period FROM Subscription ORDER BY Subscription_ID;
-- expect: 2027-11-05 | 2027-12-05 | 1
-- expect: 2028-06-01 | 2028-07-01 | 3
-- A trial that has ended goes on as a paid one, and by another plan where that is said.
UPDATE Subscription SET Cancelled_on = '2027-11-20', Free_trial = TRUE WHERE Subscription_ID = @s;
UPDATE Subscription SET Cancelled_on = NULL, Plan_ID = 4 WHERE Subscription_ID = @s;
SELECT Plan_ID, Start_date, End_date, Free_trial, Period_fee, Period FROM Subscription WHERE Subscription_ID = @s;
-- expect: 4 | 2028-06-01 | 2028-09-01 | 0 | 40.000000 | 2
-- Who names a start, or Ver = 0, says what is meant.
UPDATE Subscription SET Cancelled_on = '2028-06-01' WHERE User_ID = @u;
SET timestamp = UNIX_TIMESTAMP('2028-10-01 12:00:00');
UPDATE Subscription SET Cancelled_on = NULL, Ver = 0 WHERE Subscription_ID = @s;
UPDATE Subscription SET Cancelled_on = NULL, Start_date = End_date WHERE Subscription_ID = @h;
SELECT Start_date, End_date, Period, Cancelled_on FROM Subscription ORDER BY Subscription_ID;
-- expect: 2028-06-01 | 2028-09-01 | 2 | NULL
-- expect: 2028-07-01 | 2028-08-01 | 4 | NULL
-- A period of the past that is noted later does not say that what was cancelled went on.
UPDATE Subscription SET Cancelled_on = '2028-07-15' WHERE Subscription_ID = @h;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @h;
SELECT Start_date, End_date, Cancelled_on FROM Subscription WHERE Subscription_ID = @h;
-- expect: 2028-08-01 | 2028-09-01 | 2028-07-15
UPDATE Subscription SET Start_date = '2028-09-20' WHERE Subscription_ID = @h;
SELECT Start_date, End_date, Cancelled_on FROM Subscription WHERE Subscription_ID = @h;
-- expect: 2028-09-20 | 2028-10-20 | NULL
-- The gap is in no period.
SELECT Period, Start_date, End_date FROM Subscription_period WHERE Subscription_ID = @h ORDER BY Period;
-- expect: 0 | 2027-01-31 | 2027-02-28
-- expect: 1 | 2027-11-05 | 2027-12-05
-- expect: 2 | 2028-03-10 | 2028-04-10
-- expect: 3 | 2028-06-01 | 2028-07-01
-- expect: 4 | 2028-07-01 | 2028-08-01
-- expect: 5 | 2028-08-01 | 2028-09-01
