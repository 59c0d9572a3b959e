-- A reminder is at most 365 days before the end, in the database as in the API.
-- sessions: strict lax
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Reminder_days) VALUES (@u, 1, '2027-01-31', 366);
-- error: Subscription.Reminder_days: more than 365: 366
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Reminder_days) VALUES (@s, @u, 1, '2027-01-31', 365);
UPDATE Subscription SET Reminder_days = 366 WHERE Subscription_ID = @s;
-- error: Subscription.Reminder_days: more than 365: 366
UPDATE Subscription SET Reminder_days = 0 WHERE Subscription_ID = @s;
SELECT Reminder_days FROM Subscription;
-- expect: 0
