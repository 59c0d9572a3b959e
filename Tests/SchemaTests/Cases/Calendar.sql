-- The end date is start and duration, always; month ends do not drift, and 29 February comes back.
-- sessions: strict lax invalid-dates zone
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period, Period_fee, Period_currency FROM Subscription;
-- expect: 2027-01-31 | 2027-02-28 | 2027-01-31 | 1 | 0 | 15.490000 | USD
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
-- affected: 1
SELECT Start_date, End_date, Anchor_date, Anchor_count, Period FROM Subscription;
-- expect: 2027-02-28 | 2027-03-31 | 2027-01-31 | 2 | 1
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Period FROM Subscription;
-- expect: 2027-04-30 | 2027-05-31 | 3
SELECT Period, Start_date, End_date, Fee, Currency_code, Free_trial, Plan_ID FROM Subscription_period ORDER BY Period;
-- expect: 0 | 2027-01-31 | 2027-02-28 | 15.490000 | USD | 0 | 1
-- expect: 1 | 2027-02-28 | 2027-03-31 | 15.490000 | USD | 0 | 1
-- expect: 2 | 2027-03-31 | 2027-04-30 | 15.490000 | USD | 0 | 1

-- A leap day, yearly.
SET @y = 0x01900000000070008000000000000102;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@y, @u, 2, '2028-02-29');
SELECT End_date FROM Subscription WHERE Subscription_ID = @y;
-- expect: 2029-02-28
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @y;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @y;
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @y;
SELECT Start_date, End_date FROM Subscription WHERE Subscription_ID = @y;
-- expect: 2031-02-28 | 2032-02-29

-- Weeks, days and quarters.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES
    (0x01900000000070008000000000000103, @u, 5, '2026-12-25'),
    (0x01900000000070008000000000000104, @u, 7, '2026-12-25'),
    (0x01900000000070008000000000000105, @u, 4, '2026-11-30');
UPDATE Subscription SET Start_date = End_date WHERE Plan_ID IN (4, 5, 7);
-- affected: 3
SELECT Plan_ID, Start_date, End_date FROM Subscription WHERE Plan_ID IN (4, 5, 7) ORDER BY Plan_ID;
-- expect: 4 | 2027-02-28 | 2027-05-30
-- expect: 5 | 2027-01-08 | 2027-01-22
-- expect: 7 | 2027-01-04 | 2027-01-14

-- What a caller gives for the database's own columns is overwritten.
INSERT INTO Subscription
    (Subscription_ID, User_ID, Plan_ID, Start_date, End_date, Anchor_count, Period, Period_fee, Period_currency, Ver)
VALUES (0x01900000000070008000000000000106, @u, 3, '2027-01-15', '2030-01-01', 7, 9, 1, 'JPY', 99999);
SELECT End_date, Anchor_date, Anchor_count, Period, Period_fee, Period_currency, Ver < 99999
FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000106;
-- expect: 2027-02-15 | 2027-01-15 | 1 | 0 | 22.990000 | USD | 1
SELECT Ver INTO @before FROM Scope WHERE Scope_ID = @u;
UPDATE Subscription SET End_date = '2030-01-01', Anchor_date = '2020-01-07', Anchor_count = 7, Period = 9,
    Period_fee = 0, Period_currency = 'JPY', Ver = 99999, Ver_billing = 1, Created_at = '2000-01-01'
WHERE Subscription_ID = 0x01900000000070008000000000000106;
SELECT End_date, Anchor_date, Anchor_count, Period, Period_fee, Period_currency, Ver = Ver_billing, Created_at > '2020-01-01'
FROM Subscription WHERE Subscription_ID = 0x01900000000070008000000000000106;
-- expect: 2027-02-15 | 2027-01-15 | 1 | 0 | 22.990000 | USD | 1 | 1
SELECT Ver - @before FROM Scope WHERE Scope_ID = @u;
-- expect: 0
