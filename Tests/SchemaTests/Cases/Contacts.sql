-- Contacts by hand: names never change, parts are checked, versions and tombstones follow.
SET @u = 0x01900000000070008000000000000001, @v = 0x01900000000070008000000000000002;
SET @i = 0x01900000000070008000000000000301, @j = 0x01900000000070008000000000000302;
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, 'José', 'Meda');
SELECT SUBSTRING(HEX(Contact_ID), 13, 1), First_name, Ver > 0 FROM Contact;
-- expect: 7 | José | 1
DELETE FROM Contact;
INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@u, @i, 'José', 'Meda');
-- First and last name are needed.
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, '', 'x');
-- error: Contact.First_name: must not be empty
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, ' ', 'x');
-- error: Contact.First_name: must not be empty
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, NULL, 'x');
-- error: First_name
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, 'x', '');
-- error: Contact.Last_name: must not be empty
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, 'x', ' ');
-- error: Contact.Last_name: must not be empty
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, 'x', NULL);
-- error: Last_name
INSERT INTO Contact (User_ID, First_name) VALUES (@u, 'A');
-- error: Last_name
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, REPEAT('a', 101), 'x');
-- error: Contact.First_name: may have 100 characters, has 101
-- Names never change: by no case, no accent, no view, no statement.
UPDATE Contact SET First_name = 'Jose' WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.First_name: never changes
UPDATE Contact SET First_name = 'JOSÉ' WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.First_name: never changes
UPDATE Contact SET Last_name = 'Meda ' WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.Last_name: never changes
UPDATE Contact SET Middle_name = 'Q' WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.Middle_name: never changes
UPDATE Contact SET First_name = NULL WHERE User_ID = @u AND Contact_ID = @i;
-- error: First_name
UPDATE Contact_text SET First_name = 'Jo' WHERE Last_name = 'Meda';
-- error: Contact.First_name: never changes
UPDATE Contact SET Contact_ID = @j WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.Contact_ID: never changes
UPDATE Contact SET User_ID = @v WHERE User_ID = @u AND Contact_ID = @i;
-- error: Contact.Contact_ID: never changes
REPLACE INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@u, @i, 'Other', 'Name');
-- error: Contact.Contact_ID: not by REPLACE
INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@u, @i, 'Other', 'Name') ON DUPLICATE KEY UPDATE First_name = VALUES(First_name);
-- error: Contact.First_name: never changes
SELECT First_name, Last_name FROM Contact WHERE User_ID = @u;
-- expect: José | Meda
-- What changes nothing takes no version.
SET @ver = (SELECT Ver FROM Scope WHERE Scope_ID = @u);
INSERT IGNORE INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@u, @i, 'José', 'Meda');
UPDATE Contact SET Note = NULL WHERE User_ID = @u;
SELECT Ver = @ver FROM Scope WHERE Scope_ID = @u;
-- expect: 1
-- Names need not be unique, and an id is a user's own.
INSERT INTO Contact (User_ID, First_name, Last_name) VALUES (@u, 'José', 'Meda');
INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@v, @i, 'Same', 'Id');
SELECT COUNT(*) FROM Contact WHERE User_ID = @u AND Last_name = 'Meda';
-- expect: 2
-- Numbers: 3 and 7 digits, or a whole one.
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '78', '6788768');
-- error: Contact_phone.Area_code: must be 3 digits, is 78
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '7888', '6788768');
-- error: Contact_phone.Area_code: must be 3 digits, is 7888
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '788', '678876');
-- error: Contact_phone.Phone_number: must be 7 digits, is 678876
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '788', '67887689');
-- error: Contact_phone.Phone_number: must be 7 digits, is 67887689
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '78a', '6788768');
-- error: Contact_phone.Area_code: must be 3 digits, is 78a
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '78\n', '6788768');
-- error: Contact_phone.Area_code: must be 3 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '７８８', '6788768');
-- error: Contact_phone.Area_code: must be 3 digits, is ７８８
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '788', '');
-- error: Contact_phone.Phone_number: must not be empty
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '', '6788768');
-- error: Contact_phone.Area_code: must not be empty
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '788', NULL);
-- error: Contact_phone.Phone_number: is needed
INSERT INTO Contact_phone (User_ID, Contact_ID, Phone_number) VALUES (@u, @i, '6788768');
-- error: Contact_phone.Area_code: is needed
INSERT INTO Contact_phone (User_ID, Contact_ID) VALUES (@u, @i);
-- error: Contact_phone.Phone_number: is needed
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '+0123');
-- error: Contact_phone.E164: must be + and 2 to 15 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '+1234567890123456');
-- error: Contact_phone.E164: must be + and 2 to 15 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '+49 221');
-- error: Contact_phone.E164: must be + and 2 to 15 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '49221');
-- error: Contact_phone.E164: must be + and 2 to 15 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '+4');
-- error: Contact_phone.E164: must be + and 2 to 15 digits
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number, E164) VALUES (@u, @i, '788', '6788768', '+4915112345678');
-- error: Contact_phone.E164: stands in place of area code and number
SET @ver = (SELECT Ver FROM Contact WHERE User_ID = @u AND Contact_ID = @i);
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @i, '788', '6788768');
INSERT INTO Contact_phone (User_ID, Contact_ID, E164) VALUES (@u, @i, '+4915112345678');
SELECT c.Ver > @ver, p.Ver = c.Ver, Digits, Phone_type FROM Contact_phone p JOIN Contact c USING (User_ID, Contact_ID) WHERE E164 IS NOT NULL;
-- expect: 1 | 1 | 4915112345678 | cell
SELECT Digits, SUBSTRING(HEX(Phone_ID), 13, 1) FROM Contact_phone WHERE Area_code = '788';
-- expect: 7886788768 | 7
UPDATE Contact_phone SET Phone_number = '123' WHERE User_ID = @u AND Area_code = '788';
-- error: Contact_phone.Phone_number: must be 7 digits, is 123
UPDATE Contact_phone SET Area_code = NULL WHERE User_ID = @u AND Area_code = '788';
-- error: Contact_phone.Area_code: is needed
SET @ver = (SELECT Ver FROM Scope WHERE Scope_ID = @u);
UPDATE Contact_phone SET Phone_number = Phone_number WHERE User_ID = @u;
SELECT Ver = @ver FROM Scope WHERE Scope_ID = @u;
-- expect: 1
-- Addresses: at least one of street, apt, city, state and zip.
INSERT INTO Contact_address (User_ID, Contact_ID) VALUES (@u, @i);
-- error: Contact_address.Street: at least one of street, apt, city, state and zip is needed
INSERT INTO Contact_address (User_ID, Contact_ID, Country) VALUES (@u, @i, 'US');
-- error: Contact_address.Street: at least one of street, apt, city, state and zip is needed
INSERT INTO Contact_address (User_ID, Contact_ID, Street, Apt, Country) VALUES (@u, @i, '', ' ', 'US');
-- error: Contact_address.Street:
INSERT INTO Contact_address (User_ID, Contact_ID, Street) VALUES (@u, @i, REPEAT('x', 41));
-- error: Contact_address.Street: may have 40 characters, has 41
INSERT INTO Contact_address (User_ID, Contact_ID, Zip) VALUES (@u, @i, '12345678901');
-- error: Contact_address.Zip: may have 10 characters, has 11
INSERT INTO Contact_address (User_ID, Contact_ID, Street) VALUES (@u, @i, 'x');
INSERT INTO Contact_address (User_ID, Contact_ID, Apt) VALUES (@u, @i, 'x');
INSERT INTO Contact_address (User_ID, Contact_ID, City) VALUES (@u, @i, 'x');
INSERT INTO Contact_address (User_ID, Contact_ID, State) VALUES (@u, @i, 'x');
INSERT INTO Contact_address (User_ID, Contact_ID, Zip) VALUES (@u, @i, 'x');
INSERT INTO Contact_address (User_ID, Contact_ID, Street, Zip) VALUES (@u, @i, REPEAT('Ö', 40), '1234567890');
UPDATE Contact_address SET City = NULL WHERE User_ID = @u AND City = 'x';
-- error: Contact_address.Street: at least one of street, apt, city, state and zip is needed
-- Addresses of mail.
INSERT INTO Contact_email (User_ID, Contact_ID, Email) VALUES (@u, @i, 'ada');
-- error: Contact_email.Email: must be an address such as ada@example.org, is ada
INSERT INTO Contact_email (User_ID, Contact_ID, Email) VALUES (@u, @i, '@example.org');
-- error: Contact_email.Email: must be an address
INSERT INTO Contact_email (User_ID, Contact_ID, Email) VALUES (@u, @i, 'ada @example.org');
-- error: Contact_email.Email: must be an address
INSERT INTO Contact_email (User_ID, Contact_ID, Email) VALUES (@u, @i, 'ada@example.org');
-- Days: of the calendar, of the years 1000 to 2999, with a year or without.
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '--02-30');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '2027-02-29');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '1995-13-01');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '1995-00-01');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '1995-04-31');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '0999-01-01');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '3000-01-01');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '--01-00');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, '1995-6-25');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) VALUES (@u, @i, 'x');
-- error: Contact_date.Happens_on: must be a day from 1000 to 2999
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on, Reminder_days) VALUES (@u, @i, '--06-25', 366);
-- error: Contact_date.Reminder_days: must be from 0 to 365, is 366
INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on, Yearly) VALUES
    (@u, @i, '--02-29', 0), (@u, @i, '1995-06-25', 0), (@u, @i, '2092-02-29', 0), (@u, @i, '2999-12-31', 0), (@u, @i, '1000-01-01', 1);
-- Without a year it comes each year.
SELECT Happens_on, Yearly, Date_type FROM Contact_date ORDER BY Happens_on;
-- expect: --02-29 | 1 | birthday
-- expect: 1000-01-01 | 1 | birthday
-- expect: 1995-06-25 | 0 | birthday
-- expect: 2092-02-29 | 0 | birthday
-- expect: 2999-12-31 | 0 | birthday
SET @ver = (SELECT Ver FROM Scope WHERE Scope_ID = @u);
UPDATE Contact_date SET Yearly = 0 WHERE Happens_on = '--02-29';
SELECT Ver = @ver FROM Scope WHERE Scope_ID = @u;
-- expect: 1
-- A part is a contact's of the same user.
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @j, '788', '6788768');
-- error: foreign key
SET @ver = (SELECT Ver FROM Contact WHERE User_ID = @u AND Contact_ID = @i);
DELETE FROM Contact_phone WHERE User_ID = @u AND Area_code = '788';
SELECT Ver > @ver FROM Contact WHERE User_ID = @u AND Contact_ID = @i;
-- expect: 1
-- All or nothing.
START TRANSACTION;
INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (@u, @j, 'At', 'Omic');
INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number) VALUES (@u, @j, '1', '1');
-- error: Contact_phone.Area_code: must be 3 digits, is 1
ROLLBACK;
SELECT COUNT(*) FROM Contact WHERE First_name = 'At';
-- expect: 0
-- A contact that goes takes its parts along: one version, one tombstone.
SET @ver = (SELECT Ver FROM Scope WHERE Scope_ID = @u), @dead = (SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = @u AND Entity = 12);
DELETE FROM Contact WHERE User_ID = @u AND Contact_ID = @i;
SELECT (SELECT COUNT(*) FROM Contact_phone), (SELECT COUNT(*) FROM Contact_address), (SELECT COUNT(*) FROM Contact_email), (SELECT COUNT(*) FROM Contact_date);
-- expect: 0 | 0 | 0 | 0
SELECT Ver - @ver FROM Scope WHERE Scope_ID = @u;
-- expect: 1
SELECT COUNT(*) - @dead FROM Tombstone WHERE Scope_ID = @u AND Entity = 12;
-- expect: 1
SELECT COUNT(*) FROM Contact WHERE User_ID = @v;
-- expect: 1
-- A card has one contact of a user, and its former names go with it.
INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name, Card_UID) VALUES (@u, @i, 'C', 'D', 'uid-1');
INSERT INTO Former_card VALUES (@u, 'uid-2', @i);
INSERT INTO Contact (User_ID, First_name, Last_name, Card_UID) VALUES (@u, 'C', 'D', 'uid-1');
-- error: Duplicate
INSERT INTO Contact (User_ID, First_name, Last_name, Card_UID) VALUES (@u, 'C', 'D', 'UID-1');
INSERT INTO Contact (User_ID, First_name, Last_name, Card_UID) VALUES (@v, 'C', 'D', 'uid-1');
DELETE FROM Contact WHERE User_ID = @u AND Contact_ID = @i;
SELECT COUNT(*) FROM Former_card;
-- expect: 0
-- A user's contacts go with the user.
DELETE FROM `User` WHERE User_ID = @v;
SELECT COUNT(*) FROM Contact WHERE User_ID = @v;
-- expect: 0
