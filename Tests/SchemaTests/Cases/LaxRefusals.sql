-- A session that is not strict bends a value before a trigger sees it. What shows is refused.
-- sessions: lax invalid-dates
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '0000-00-00');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: 0000-00-00
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-02-30');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-00-10');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, 'x');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Cancelled_on) VALUES (@u, 1, '2027-01-31', '2027-02-30');
-- error: Subscription.Cancelled_on: no day from 1970-01-02 to 2999-12-31
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Deleted_at) VALUES (@u, 1, '2027-01-31', 'yesterday');
-- error: Subscription.Deleted_at: no such time
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Own_fee) VALUES (@u, 1, '2027-01-31', 1e30);
-- error: Subscription.Own_fee: not between 0 and 99999999999
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Reminder_days) VALUES (@u, 1, '2027-01-31', 99999);
-- error: Subscription.Reminder_days: more than 365: 65535
-- The text of a UUID does not fit into its 16 bytes.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
VALUES ('01900000-0000-7000-8000-000000000101', @u, 1, '2027-01-31');
-- error: Subscription.Subscription_ID: the text of a UUID, cut
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
VALUES ('01900000000070008000000000000101', @u, 1, '2027-01-31');
-- error: Subscription.Subscription_ID: the text of a UUID, cut
INSERT INTO `User` (User_ID, Country_ID) VALUES ('01900000-0000-7000-8000-000000000009', 'US');
-- error: User.User_ID: the text of a UUID, cut
-- An anchor that is no day is no anchor.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Anchor_date) VALUES (@s, @u, 1, '2027-04-30', '2027-02-30');
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription;
-- expect: 2027-04-30 | 2027-05-30 | 2027-04-30 | 1
UPDATE Subscription SET Anchor_date = '2027-02-30' WHERE Subscription_ID = @s;
UPDATE Subscription SET Anchor_date = '0000-00-00' WHERE Subscription_ID = @s;
SELECT Start_date, End_date, Anchor_date, Anchor_count FROM Subscription;
-- expect: 2027-04-30 | 2027-05-30 | 2027-04-30 | 1
UPDATE Subscription SET Start_date = 'x' WHERE Subscription_ID = @s;
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
UPDATE Subscription SET Start_date = '2027-02-30' WHERE Subscription_ID = @s;
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
UPDATE Subscription SET Deleted_at = '0000-00-00' WHERE Subscription_ID = @s;
-- error: Subscription.Deleted_at: no such time
UPDATE Subscription SET Cancelled_on = 'tomorrow' WHERE Subscription_ID = @s;
-- error: Subscription.Cancelled_on: no day from 1970-01-02 to 2999-12-31

INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'lax', 1, 'US', 1, 'Monthly');
-- error: Plan.Duration_unit: not day, week, month or year (lax)
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'lax', 1e30, 'US', 1, 'month');
-- error: Plan.Fee: not between 0 and 99999999999 (lax)
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'lax', 1, 'US', -1, 'month');
-- error: Plan.Duration_value: not between 1 and 1200 (lax): 0
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'lax', 1, 'US', 1000000000, 'month');
-- error: Plan.Duration_value: not between 1 and 1200 (lax): 65535
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since) VALUES ('N', 'lax', 1, 'US', 1, 'month', '2027-02-30');
-- error: Plan.Fee_since: no day from 1970-01-02 to 2999-12-31 (lax)
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value) VALUES ('N', 'lax', 1.001, 'US', 1);
-- error: Plan.Fee: USD has 2 digits (lax): 1.001
UPDATE Plan SET Duration_unit = 'Monthly' WHERE Plan_ID = 1;
-- error: Plan.Duration_unit: not day, week, month or year (Standard)
UPDATE Plan SET Withdrawn_on = '2027-02-30' WHERE Plan_ID = 1;
-- error: Plan.Withdrawn_on: no day from 1970-01-02 to 2999-12-31 (Standard)
UPDATE Plan SET Fee_since = 'soon', Fee = 1 WHERE Plan_ID = 1;
-- error: Plan.Fee_since: no day from 1970-01-02 to 2999-12-31 (Standard)
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2027-02-30', 1);
-- error: Plan_price.Effective_on: no day from 1970-01-02 to 2999-12-31 (plan 1)
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('US Dollar', 'US Dollar', 2);
-- error: Currency.Currency_code: not three letters A to Z: US
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('XAB', 'x', 300);
-- error: Currency.Minor_digits: not between 0 and 6 (XAB): 255
SELECT COUNT(*) FROM Plan;
-- expect: 7
