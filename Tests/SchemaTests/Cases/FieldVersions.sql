-- Some fields have a version of their own: a renewal does not count as a change of the plan or the user's own fee, nor a
-- confirmed account as one of the name.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
SELECT Ver_terms = Ver FROM Subscription;
-- expect: 1
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Ver_billing = Ver, Ver_terms = Ver, Ver_terms FROM Subscription;
-- expect: 1 | 0 | 2
UPDATE Subscription SET Own_fee = 3 WHERE Subscription_ID = @s;
SELECT Ver_billing = Ver, Ver_terms = Ver FROM Subscription;
-- expect: 1 | 1
UPDATE Subscription SET Note = 'x', Ver_terms = 99 WHERE Subscription_ID = @s;
SELECT Ver - Ver_terms FROM Subscription;
-- expect: 1
UPDATE Subscription SET Plan_ID = 3 WHERE Subscription_ID = @s;
SELECT Ver_terms = Ver FROM Subscription;
-- expect: 1
UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE Subscription_ID = @s;
SELECT Ver_terms = Ver FROM Subscription;
-- expect: 0
UPDATE Subscription SET Deleted_at = NULL WHERE Subscription_ID = @s;
SELECT Ver_terms = Ver FROM Subscription;
-- expect: 1

UPDATE `User` SET User_name = 'é' WHERE User_ID = @u;
UPDATE `User` SET User_name = 'e' WHERE User_ID = @u;
SELECT Ver_name = Ver, Ver_country < Ver, Ver_zone < Ver FROM `User` WHERE User_ID = @u;
-- expect: 1 | 1 | 1
UPDATE `User` SET Time_zone = 'Europe/Paris' WHERE User_ID = @u;
SELECT Ver - Ver_name, Ver_country < Ver_name, Ver_zone = Ver FROM `User` WHERE User_ID = @u;
-- expect: 1 | 1 | 1
UPDATE `User` SET Country_ID = IF(Country_ID = 'US', 'DE', 'US') WHERE User_ID = @u;
SELECT Ver - Ver_name, Ver_country = Ver, Ver - Ver_zone FROM `User` WHERE User_ID = @u;
-- expect: 2 | 1 | 1
INSERT INTO Account (Email, Password, User_ID) VALUES ('new@example.org', '$pbkdf2-sha256$i=1$a$b', @u);
SELECT Ver - Ver_country FROM `User` WHERE User_ID = @u;
-- expect: 1
