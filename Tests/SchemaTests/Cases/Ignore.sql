-- IGNORE leaves out rows that are there already; what is wrong is refused all the same.
SET @u = 0x01900000000070008000000000000001;
INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('New', 'a', 1.999, 'US', 1, 'month');
-- error: Plan.Fee: USD has 2 digits (a): 1.999
INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES ('New', 'a', 1, 'QQ', 1, 'month');
-- error: Plan.Country_ID: there is no such country: QQ
INSERT IGNORE INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 99999, '2027-01-31');
-- error: Subscription.Plan_ID: there is no such plan: 99999
INSERT IGNORE INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@u, 1, '2027-02-30');
-- error: Subscription.Start_date: no day from 1970-01-02 to 2999-12-31
UPDATE IGNORE Plan SET Fee = -1 WHERE Plan_ID = 1;
-- error: Plan.Fee: not between 0 and 99999999999 (Standard): -1
UPDATE IGNORE Plan SET Plan_name = 'Premium' WHERE Plan_ID = 1;
-- affected: 0
INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) VALUES
    ('Netflix', 'Standard', 1, 'US', 1, 'month'), ('Netflix', 'Newer', 1, 'US', 1, 'month');
-- affected: 1
SELECT Plan_name, Fee FROM Plan WHERE Plan_ID = 1 OR Plan_name = 'Newer' ORDER BY Plan_ID;
-- expect: Standard | 15.490000
-- expect: Newer | 1.000000
SELECT COUNT(*) FROM Provider WHERE Provider = 'New';
-- expect: 0
DELETE IGNORE FROM Plan WHERE Plan_ID = 1;
-- affected: 1
