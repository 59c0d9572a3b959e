-- Users, their accounts, and all that goes with a user who is deleted.
-- sessions: strict collations
SET @u = 0x01900000000070008000000000000001, @v = 0x01900000000070008000000000000002;
INSERT INTO `User` (User_ID, Country_ID) VALUES (0x01900000000070008000000000000003, 'QQ');
-- error: User.Country_ID: there is no such country: QQ
INSERT INTO `User` (User_ID, Country_ID, Time_zone) VALUES (0x01900000000070008000000000000003, 'US', '');
-- error: User.Time_zone: it is empty
INSERT INTO `User` (User_ID, Country_ID) VALUES ('', 'US');
-- error: User.User_ID: it is empty
UPDATE `User` SET Country_ID = 'QQ' WHERE User_ID = @u;
-- error: User.Country_ID: there is no such country: QQ
UPDATE `User` SET User_name = '  ' WHERE User_ID = @u;
-- error: User.User_name: it is empty; NULL where there is none

-- An account is seen with its user.
INSERT INTO Account (Email, Password, User_ID) VALUES ('ann@example.org', 'secret', @u);
-- error: Account.Password: not an encoded hash
INSERT INTO Account (Email, Password, User_ID) VALUES ('ann', '$x$i=1$c2FsdA$aGFzaA', @u);
-- error: Account.Email: not an e-mail address
INSERT INTO Account (Email, Password, User_ID) VALUES ('ann@example.org', '$x$i=1$c2FsdA$aGFzaA', @u);
SELECT Ver FROM `User` WHERE User_ID = @u;
-- expect: 2
INSERT INTO Account (Email, Password, User_ID) VALUES ('ANN@example.org', '$x$i=1$c2FsdA$aGFzaA', @v);
-- error: Duplicate entry
UPDATE Account SET Verified_at = UTC_TIMESTAMP() WHERE Email = 'ann@example.org';
SELECT Ver FROM `User` WHERE User_ID = @u;
-- expect: 3
UPDATE Account SET Password = '$x$i=2$c2FsdA$aGFzaA' WHERE Email = 'ann@example.org';
SELECT Ver FROM `User` WHERE User_ID = @u;
-- expect: 3
UPDATE Account SET User_ID = @v WHERE Email = 'ann@example.org';
SELECT Ver FROM `User` ORDER BY User_ID;
-- expect: 4
-- expect: 2
DELETE FROM Account WHERE Email = 'ann@example.org';
SELECT Ver FROM `User` ORDER BY User_ID;
-- expect: 4
-- expect: 3

-- Everything of a user.
INSERT INTO Account (Email, Password, User_ID) VALUES ('ann@example.org', '$x$i=1$c2FsdA$aGFzaA', @u), ('ann@example.com', '$x$i=1$c2FsdA$aGFzaA', @u);
INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES (0x01900000000070008000000000000201, @u, 'phone'), (0x01900000000070008000000000000202, @v, 'phone');
INSERT INTO Session (Session_ID, Device_ID, Token_hash) VALUES
    (0x01900000000070008000000000000301, 0x01900000000070008000000000000201, UNHEX(SHA2('1', 256))),
    (0x01900000000070008000000000000302, 0x01900000000070008000000000000201, UNHEX(SHA2('2', 256))),
    (0x01900000000070008000000000000303, 0x01900000000070008000000000000202, UNHEX(SHA2('3', 256)));
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES (100, 'Aunt Mary', 'Piano', 30, 'US', 1, 'week', @u);
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (100, '2020-01-01', 20);
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-01-31'), (@u, 100, '2027-01-31'), (@u, 2, '2027-01-31'), (@v, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date;
UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE Plan_ID = 2;
DELETE FROM `User` WHERE User_ID = @u;
-- affected: 1
SELECT (SELECT COUNT(*) FROM `User`), (SELECT COUNT(*) FROM Account), (SELECT COUNT(*) FROM Device), (SELECT COUNT(*) FROM Session),
    (SELECT COUNT(*) FROM Plan WHERE Owner_ID IS NOT NULL), (SELECT COUNT(*) FROM Private_provider), (SELECT COUNT(*) FROM Subscription),
    (SELECT COUNT(*) FROM Subscription_period), (SELECT COUNT(*) FROM Plan_price);
-- expect: 1 | 0 | 1 | 1 | 0 | 0 | 1 | 1 | 0
-- Its counter stays, and the last thing in it is that the user is gone.
SELECT t.Ver = s.Ver, t.Row_ID = @u FROM Scope s JOIN Tombstone t USING (Scope_ID) WHERE Scope_ID = @u AND Entity = 1;
-- expect: 1 | 1
INSERT INTO `User` (User_ID, Country_ID) VALUES (@u, 'US');
SELECT u.Ver > t.Ver FROM `User` u JOIN Tombstone t ON t.Scope_ID = u.User_ID AND t.Entity = 1;
-- expect: 1
DELETE FROM `User`;
-- affected: 2
SELECT COUNT(*) FROM Subscription;
-- expect: 0
