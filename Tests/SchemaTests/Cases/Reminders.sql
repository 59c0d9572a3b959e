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
-- Muted is said by a flag: it is of the group of renewal, cancelling and reminder, and any other number than 0 is 1.
SELECT Muted, Ver_intent - Ver_billing FROM Subscription;
-- expect: 0 | 1
UPDATE Subscription SET Muted = 5 WHERE Subscription_ID = @s;
SELECT Muted, Ver - Ver_billing, Ver_intent - Ver_billing, Ver_notes - Ver_billing FROM Subscription;
-- expect: 1 | 2 | 2 | 0
-- Nothing changes.
UPDATE Subscription SET Muted = TRUE WHERE Subscription_ID = @s;
SELECT Ver - Ver_billing FROM Subscription;
-- expect: 2
UPDATE Subscription_text SET Muted = FALSE WHERE Subscription_ID = '01900000-0000-7000-8000-000000000101';
SELECT t.Muted, s.Ver_intent - s.Ver_billing FROM Subscription_text t JOIN Subscription s;
-- expect: 0 | 3
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Muted) VALUES (@u, 1, '2027-01-31', TRUE);
SELECT COUNT(*) FROM Subscription WHERE Muted;
-- expect: 1
