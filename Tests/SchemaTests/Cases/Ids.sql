-- A subscription that is inserted without an id gets a UUIDv7; views show ids as text, and take changes.
-- sessions: strict lax zone collations
SET @u = 0x01900000000070008000000000000001;
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-01-31'), (@u, 1, '2027-01-31');
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES ('', @u, 1, '2027-01-31'), (0x00, @u, 1, '2027-01-31');
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) SELECT User_ID, Plan_ID, Start_date FROM Subscription;
-- affected: 4
SELECT COUNT(DISTINCT Subscription_ID), MIN(HEX(Subscription_ID) REGEXP '^01[0-9A-F]{10}7[0-9A-F]{3}[89AB][0-9A-F]{15}$') FROM Subscription;
-- expect: 8 | 1
SELECT MAX(ABS(CONV(LEFT(HEX(Subscription_ID), 12), 16, 10) / 1000 - UNIX_TIMESTAMP())) < 60 FROM Subscription;
-- expect: 1
-- An id of one's own is kept as it is. It may look like anything but a cut text.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES
    (0x01900000000070008000000000000101, @u, 1, '2027-01-31'), (0xA1, @u, 1, '2027-01-31'),
    (UNHEX(REPLACE('0190abcd-0000-4000-8000-00000000abcd', '-', '')), @u, 3, '2027-01-31');
SELECT Subscription_ID, User_ID, Provider, Plan_name, End_date FROM Subscription_text WHERE Plan_ID = 3;
-- expect: 0190abcd-0000-4000-8000-00000000abcd | 01900000-0000-7000-8000-000000000001 | Netflix | Premium | 2027-02-28
UPDATE Subscription_text SET Start_date = End_date WHERE Subscription_ID = '0190abcd-0000-4000-8000-00000000abcd';
-- affected: 1
SELECT Start_date, End_date FROM Subscription_text WHERE Subscription_ID = '0190abcd-0000-4000-8000-00000000abcd';
-- expect: 2027-02-28 | 2027-03-31
SELECT Subscription_ID, Period, Start_date, Plan_ID FROM Subscription_period_text;
-- expect: 0190abcd-0000-4000-8000-00000000abcd | 0 | 2027-01-31 | 3
SELECT User_ID, Country_ID FROM User_text ORDER BY User_ID;
-- expect: 01900000-0000-7000-8000-000000000001 | US
-- expect: 01900000-0000-7000-8000-000000000002 | US
INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES (0x01900000000070008000000000000201, @u, 'phone');
INSERT INTO Session (Session_ID, Device_ID, Token_hash) VALUES (0x01900000000070008000000000000301, 0x01900000000070008000000000000201, UNHEX(SHA2('t', 256)));
SELECT s.Session_ID, s.User_ID, d.Device_ID, d.Device_name FROM Session_text s JOIN Device_text d USING (Device_ID);
-- expect: 01900000-0000-7000-8000-000000000301 | 01900000-0000-7000-8000-000000000001 | 01900000-0000-7000-8000-000000000201 | phone
SELECT Scope_ID, Ver FROM Scope_text WHERE Scope_ID IN ('CUS', 'reference', '01900000-0000-7000-8000-000000000002') ORDER BY Scope_ID;
-- expect: 01900000-0000-7000-8000-000000000002 | 1
-- expect: CUS | 6
-- expect: reference | 10
DELETE FROM Subscription WHERE Plan_ID = 3;
SELECT Entity, Row_ID FROM Tombstone_text;
-- expect: subscription | 0190abcd00004000800000000000abcd
