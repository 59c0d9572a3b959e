-- What is wrong is refused, with a message that says what is wrong in which column.
-- sessions: strict collations
SET @u = 0x01900000000070008000000000000001;
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 99999, '2027-01-31');
-- error: Subscription.Plan_ID: there is no such plan: 99999
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000009, 1, '2027-01-31');
-- error: foreign key constraint fails
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '1970-01-01');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: 1970-01-01
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '3000-01-01');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: 3000-01-01
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '0000-00-00');
-- error: 0000-00-00
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-02-30');
-- error: 2027-02-30
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-00-10');
-- error: 2027-00-10
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '10000-01-01');
-- error: 10000-01-01
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, NULL);
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: NULL
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Reminder_days) VALUES (@u, 1, '2027-01-31', 366);
-- error: Subscription.Reminder_days: more than 365: 366
INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Cancelled_on) VALUES (@u, 1, '2027-01-31', '1969-12-31');
-- error: Subscription.Cancelled_on: no day from 1970-01-02 to 2999-12-31: 1969-12-31
SELECT COUNT(*) FROM Subscription;
-- expect: 0
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 1, '2027-01-31');
UPDATE Subscription SET Subscription_ID = 0x01900000000070008000000000000102 WHERE Subscription_ID = @s;
-- error: Subscription.Subscription_ID: an id never changes: 01900000000070008000000000000101
UPDATE Subscription SET Plan_ID = 99999 WHERE Subscription_ID = @s;
-- error: Subscription.Plan_ID: there is no such plan: 99999
UPDATE Subscription SET Start_date = '3000-01-01' WHERE Subscription_ID = @s;
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31: 3000-01-01
UPDATE Subscription SET Reminder_days = 5000 WHERE Subscription_ID = @s;
-- error: Subscription.Reminder_days: more than 365: 5000

-- Plans.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', -1, 'US', 1, 'month');
-- error: Plan.Fee: not between 0 and 99999999999 (b): -1
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1.999, 'US', 1, 'month');
-- error: Plan.Fee: USD has 2 digits (b): 1.999
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 17.9999, 'US', 1, 'month');
-- error: Plan.Fee: USD has 2 digits (b): 17.9999
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1.5, 'JP', 1, 'month');
-- error: Plan.Fee: JPY has 0 digits (b): 1.5
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1.2345, 'KW', 1, 'month');
-- error: Plan.Fee: KWD has 3 digits (b): 1.2345
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', NULL, 'US', 1, 'month');
-- error: Plan.Fee: not between 0 and 99999999999 (b): NULL
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'US', 0, 'month');
-- error: Plan.Duration_value: not between 1 and 1200 (b): 0
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'US', 1201, 'month');
-- error: Plan.Duration_value: not between 1 and 1200 (b): 1201
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'US', 1000000000, 'month');
-- error: Out of range value for column 'Duration_value'
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'US', 1, 'fortnight');
-- error: Duration_unit
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'QQ', 1, 'month');
-- error: Plan.Country_ID: there is no such country: QQ
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Currency_code, Duration_value, Duration_unit) VALUES ('N', 'b', 1, 'US', 'QQQ', 1, 'month');
-- error: Plan.Currency_code: there is no such currency: QQQ
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Standard', 9, 'US', 1, 'month');
-- error: Plan_duplicate
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES (' ', 'b', 1, 'US', 1, 'month');
-- error: Plan.Provider: it is empty
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('N', '', 1, 'US', 1, 'month');
-- error: Plan.Plan_name: it is empty; provider: N
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Trial_days) VALUES ('N', 'b', 1, 'US', 1, 'month', 1201);
-- error: Plan.Trial_days: more than 1200 (b): 1201
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Notice_days) VALUES ('N', 'b', 1, 'US', 1, 'month', 1201);
-- error: Plan.Notice_days: more than 1200 (b): 1201
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since) VALUES ('N', 'b', 1, 'US', 1, 'month', '1800-01-01');
-- error: Plan.Fee_since: no day from 1970-01-02 to 2999-12-31 (b): 1800-01-01
-- Of several rows, none.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES
    ('New one', 'a', 1, 'US', 1, 'month'), ('New one', 'b', 1.999, 'US', 1, 'month');
-- error: Plan.Fee: USD has 2 digits (b): 1.999
SELECT COUNT(*) FROM Provider WHERE Provider IN ('New one', 'N');
-- expect: 0
SELECT COUNT(*) FROM Plan;
-- expect: 7
UPDATE Plan SET Fee = 1.999 WHERE Plan_ID = 1;
-- error: Plan.Fee: USD has 2 digits (Standard): 1.999
UPDATE Plan SET Fee = -1 WHERE Plan_ID = 1;
-- error: Plan.Fee: not between 0 and 99999999999 (Standard): -1
UPDATE Plan SET Currency_code = 'JPY' WHERE Plan_ID = 1;
-- error: Plan.Fee: JPY has 0 digits (Standard): 15.49
UPDATE Plan SET Currency_code = '' WHERE Plan_ID = 1;
-- error: Plan.Currency_code: there is no such currency:
UPDATE Plan SET Duration_value = 0 WHERE Plan_ID = 1;
-- error: Plan.Duration_value: not between 1 and 1200 (Standard): 0
UPDATE Plan SET Country_ID = 'DE' WHERE Plan_ID = 1;
-- error: Plan.Country_ID: it never changes: US
UPDATE Plan SET Plan_ID = 100 WHERE Plan_ID = 1;
-- error: Plan.Plan_ID: it never changes: 1
UPDATE Plan SET Owner_ID = @u WHERE Plan_ID = 1;
-- error: Plan.Owner_ID: a plan does not move between catalogue and user: 1
UPDATE Plan SET Plan_name = ' ' WHERE Plan_ID = 1;
-- error: Plan.Plan_name: it is empty; plan: 1
UPDATE Plan SET Provider = '' WHERE Plan_ID = 1;
-- error: Plan.Provider: it is empty; plan: 1
UPDATE Plan SET Plan_name = 'Premium' WHERE Plan_ID = 1;
-- error: Plan_duplicate
UPDATE Plan SET Withdrawn_on = '1800-01-01' WHERE Plan_ID = 1;
-- error: Plan.Withdrawn_on: no day from 1970-01-02 to 2999-12-31 (Standard): 1800-01-01
-- A long name is cut in the message, and the message is whole.
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
VALUES ('N', REPEAT('é', 100), 1.999, 'US', 1, 'month');
-- error: éé): 1.999
