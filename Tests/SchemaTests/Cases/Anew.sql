-- What was typed wrongly is corrected: a price of a user's own plan, and what a period costs that began with it.
SET @u = 0x01900000000070008000000000000001, @s = 0x01900000000070008000000000000201, @t = 0x01900000000070008000000000000202;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Own_fee, Free_trial) VALUES
    (@s, @u, 1, UTC_DATE(), NULL, FALSE), (@t, @u, 1, UTC_DATE(), NULL, TRUE),
    (0x01900000000070008000000000000203, @u, 1, UTC_DATE(), 3, FALSE),
    (0x01900000000070008000000000000204, @u, 1, UTC_DATE() - INTERVAL 1 DAY, NULL, FALSE);
-- A new price is no matter of a period that has begun, until it is asked for.
UPDATE Plan SET Fee = 18 WHERE Plan_ID = 1;
SELECT Period_fee, Period_currency FROM Subscription WHERE Subscription_ID = @s;
-- expect: 15.490000 | USD
SELECT Ver INTO @v FROM Scope WHERE Scope_ID = @u;
UPDATE Subscription SET Period_currency = '' WHERE User_ID = @u;
SELECT Period_fee, Period_currency, Ver > @v, Ver_billing = Ver, Ver_notes <= @v FROM Subscription WHERE User_ID = @u ORDER BY Subscription_ID;
-- expect: 18.000000 | USD | 1 | 1 | 1
-- expect: 0.000000 | USD | 0 | 1 | 1
-- expect: 3.000000 | USD | 0 | 1 | 1
-- expect: 15.490000 | USD | 0 | 1 | 1
-- Asked for again: nothing changes, and no version is taken.
UPDATE Subscription SET Period_currency = '' WHERE User_ID = @u;
SELECT Ver - @v FROM Scope WHERE Scope_ID = @u;
-- expect: 1
SELECT COUNT(*) FROM Subscription_period;
-- expect: 0
-- A user's own plan. No day given: the price that began yesterday may be today's, by the user's clock. It is corrected.
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Fee_since, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    (200, 'Gym', 'a', 5, UTC_DATE() - INTERVAL 1 DAY, 'US', 1, 'month', @u),
    (201, 'Gym', 'b', 5, UTC_DATE() - INTERVAL 2 DAY, 'US', 1, 'month', @u),
    (202, 'Gym', 'c', 5, UTC_DATE() + INTERVAL 1 DAY, 'US', 1, 'month', @u);
UPDATE Plan SET Fee = 6 WHERE Owner_ID = @u;
SELECT Plan_ID, DATEDIFF(Effective_on, UTC_DATE()), Fee FROM Price_line WHERE Plan_ID >= 200 ORDER BY 1, 2;
-- expect: 200 | -1 | 6.000000
-- expect: 201 | -2 | 5.000000
-- expect: 201 | 0 | 6.000000
-- expect: 202 | 1 | 6.000000
-- Announced for tomorrow, which may be the user's today, and taken back: the price of before, named for that day.
UPDATE Plan SET Fee = 7, Fee_since = UTC_DATE() + INTERVAL 1 DAY WHERE Plan_ID = 201;
UPDATE Plan SET Fee = 6, Fee_since = UTC_DATE() + INTERVAL 1 DAY WHERE Plan_ID = 201;
SELECT DATEDIFF(Effective_on, UTC_DATE()), Fee FROM Price_line WHERE Plan_ID = 201 ORDER BY 1;
-- expect: -2 | 5.000000
-- expect: 0 | 6.000000
-- expect: 1 | 6.000000
-- A plan of the catalogue holds from today, whatever began yesterday.
UPDATE Plan SET Fee = 10, Fee_since = UTC_DATE() - INTERVAL 1 DAY WHERE Plan_ID = 3;
UPDATE Plan SET Fee = 11 WHERE Plan_ID = 3;
SELECT DATEDIFF(Effective_on, UTC_DATE()), Fee FROM Price_line WHERE Plan_ID = 3 AND Effective_on > '2024-01-01' ORDER BY 1;
-- expect: -1 | 10.000000
-- expect: 0 | 11.000000
