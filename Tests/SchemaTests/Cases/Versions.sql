-- Each change takes the next version of its scope, in its group of fields; what changes nothing takes none.
-- The days lie far off: a subscription whose period has ended would begin anew.
-- sessions: strict collations
SET @u = 0x01900000000070008000000000000001, @v = 0x01900000000070008000000000000002;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2897-01-31');
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 2 | 2 | 2 | 2
UPDATE Subscription SET Auto_renew = TRUE WHERE Subscription_ID = @s;
UPDATE Subscription SET Note = 'é' WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 4 | 2 | 3 | 4
-- For the collation é and e, a and A, and a space at the end are the same; they are changes all the same.
UPDATE Subscription SET Note = 'e' WHERE Subscription_ID = @s;
UPDATE Subscription SET Label = 'A' WHERE Subscription_ID = @s;
UPDATE Subscription SET Label = 'a' WHERE Subscription_ID = @s;
UPDATE Subscription SET Label = 'a ' WHERE Subscription_ID = @s;
UPDATE Subscription SET Label = NULL WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 9 | 2 | 3 | 9
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
UPDATE Subscription SET Own_fee = 3 WHERE Subscription_ID = @s;
UPDATE Subscription SET Reminder_days = 3 WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 12 | 11 | 12 | 9
UPDATE Subscription SET Cancelled_on = '2897-03-01', Label = 'x', Start_date = '2897-03-01' WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 13 | 13 | 13 | 13
-- Nothing changes.
UPDATE Subscription SET Plan_ID = Plan_ID, Note = 'e', Free_trial = FALSE, End_date = '2900-01-01' WHERE Subscription_ID = @s;
INSERT IGNORE INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 3, '2897-09-01');
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 3, '2897-09-01')
ON DUPLICATE KEY UPDATE Plan_ID = Plan_ID;
SELECT Ver FROM Scope WHERE Scope_ID = @u;
-- expect: 13
-- ON DUPLICATE KEY UPDATE that changes something takes one.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 3, '2897-09-01')
ON DUPLICATE KEY UPDATE Start_date = End_date;
SELECT s.Ver, x.Ver, Start_date, Period FROM Subscription s JOIN Scope x ON x.Scope_ID = s.User_ID;
-- expect: 14 | 14 | 2897-04-01 | 2
-- Renewed: who goes on has not cancelled.
SELECT Cancelled_on FROM Subscription;
-- expect: NULL
-- A version that is asked for.
UPDATE Subscription SET Ver = 0 WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 15 | 14 | 14 | 13
REPLACE INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 3, '2897-09-01');
-- error: Subscription.Subscription_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE
SELECT s.Ver, x.Ver, Start_date, Plan_ID FROM Subscription s JOIN Scope x ON x.Scope_ID = s.User_ID;
-- expect: 15 | 15 | 2897-04-01 | 1
SELECT COUNT(*) FROM Tombstone;
-- expect: 0

-- Deleted, and restored: a tombstone, and then everything is new.
UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE Subscription_ID = @s;
SELECT s.Ver, s.Ver_billing, t.Ver, t.Entity, t.Row_ID = @s FROM Subscription s JOIN Tombstone t ON t.Scope_ID = s.User_ID;
-- expect: 16 | 14 | 16 | 2 | 1
UPDATE Subscription SET Deleted_at = Deleted_at + INTERVAL 1 SECOND WHERE Subscription_ID = @s;
SELECT COUNT(*) FROM Tombstone;
-- expect: 1
UPDATE Subscription SET Deleted_at = NULL WHERE Subscription_ID = @s;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription;
-- expect: 18 | 18 | 18 | 18
SELECT DISTINCT Ver FROM Subscription_period;
-- expect: 18
-- Deleted for good: it has its tombstone, once.
UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE Subscription_ID = @s;
DELETE FROM Subscription WHERE Subscription_ID = @s;
SELECT Ver FROM Scope WHERE Scope_ID = @u;
-- expect: 19
SELECT Ver, Entity FROM Tombstone ORDER BY Ver;
-- expect: 16 | 2
-- expect: 19 | 2
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2897-01-31');
DELETE FROM Subscription WHERE Subscription_ID = @s;
SELECT Ver, Entity FROM Tombstone ORDER BY Ver DESC LIMIT 1;
-- expect: 21 | 2

-- Several rows: a version each.
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@v, 1, '2897-01-31'), (@v, 1, '2897-01-31'), (@v, 2, '2897-01-31');
UPDATE Subscription SET Start_date = End_date WHERE User_ID = @v;
-- affected: 3
SELECT COUNT(DISTINCT Ver), MIN(Ver), MAX(Ver) FROM Subscription;
-- expect: 3 | 5 | 7
UPDATE Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID JOIN `User` u ON u.User_ID = s.User_ID
SET s.Start_date = s.End_date WHERE p.Provider = 'Netflix' AND u.Country_ID = 'US';
-- affected: 3
UPDATE Subscription SET Start_date = End_date WHERE Plan_ID IN (SELECT Plan_ID FROM Plan WHERE Duration_unit = 'year');
-- affected: 1

-- Moved to another user: new there, a tombstone here, its periods too.
SET @m = (SELECT MAX(Subscription_ID) FROM Subscription WHERE Plan_ID = 2);
UPDATE Subscription SET User_ID = @u WHERE Subscription_ID = @m;
SELECT Ver, Ver_billing, Ver_intent, Ver_notes FROM Subscription WHERE Subscription_ID = @m;
-- expect: 22 | 22 | 22 | 22
SELECT DISTINCT Ver FROM Subscription_period WHERE Subscription_ID = @m;
-- expect: 22
SELECT Ver, Entity, Row_ID = @m FROM Tombstone WHERE Scope_ID = @v;
-- expect: 12 | 2 | 1

-- Plans.
SELECT Ver INTO @c FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
UPDATE Plan SET Fee = Fee WHERE Plan_ID = 1;
UPDATE Plan SET Fee_since = '2020-01-01' WHERE Plan_ID = 1;
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Standard', 15.49, 'US', 1, 'month')
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Trial_days = 7;
INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Standard', 1, 'US', 1, 'month');
INSERT IGNORE INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES (1, 'Other', 'Other', 1, 'US', 1, 'month');
SELECT Ver - @c FROM Scope WHERE Scope_ID = CAST('CUS' AS BINARY(16));
-- expect: 0
SELECT COUNT(*) FROM Provider WHERE Provider = 'Other';
-- expect: 0
REPLACE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('Gym', 'Ten days', 3, 'US', 10, 'day');
-- error: Plan.Plan_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE
-- Of another scope, by its number.
REPLACE INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES (6, 'Netflix', 'Else', 9, 'US', 1, 'month');
-- error: Plan.Plan_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE
UPDATE Plan SET Plan_name = 'STANDARD' WHERE Plan_ID = 1;
UPDATE Plan SET Notice_days = 3 WHERE Plan_ID = 1;
SELECT p.Ver - @c, s.Ver - @c FROM Plan p JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16)) WHERE Plan_ID = 1;
-- expect: 2 | 2

-- A user.
UPDATE `User` SET User_name = 'Ann' WHERE User_ID = @u;
UPDATE `User` SET User_name = 'ann', Time_zone = 'Europe/Berlin' WHERE User_ID = @u;
UPDATE `User` SET User_name = 'ann', Ver = 5000 WHERE User_ID = @u;
INSERT IGNORE INTO `User` (User_ID, Country_ID) VALUES (@u, 'DE');
INSERT INTO `User` (User_ID, Country_ID) VALUES (@u, 'DE') ON DUPLICATE KEY UPDATE Country_ID = Country_ID;
SELECT Ver FROM `User` WHERE User_ID = @u;
-- expect: 24
SELECT Ver FROM Scope WHERE Scope_ID = @u;
-- expect: 24
REPLACE INTO `User` (User_ID, Country_ID) VALUES (@u, 'DE');
-- error: not by REPLACE
UPDATE `User` SET User_ID = 0x01900000000070008000000000000003 WHERE User_ID = @u;
-- error: User.User_ID: an id never changes
