-- What an account for the catalogue alone must not do: touch a plan of a user's own.
SET @u = 0x01900000000070008000000000000001;
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    (60, 'Netflix', 'Mine', 5, 'US', 1, 'month', @u);
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (60, '2020-01-01', 4), (1, '2020-01-01', 4);
INSERT INTO Setting (Setting_name, Setting_value)
VALUES ('Catalogue_accounts', CONCAT('somebody,', SUBSTRING_INDEX(USER(), '@', 1)));
UPDATE Plan SET Notice_days = 3 WHERE Country_ID = 'US' AND Provider = 'Netflix';
-- error: Plan.Owner_ID: a user's own plan; add AND Owner_ID IS NULL to WHERE: 60
UPDATE Plan SET Notice_days = 3 WHERE Country_ID = 'US' AND Provider = 'Netflix' AND Owner_ID IS NULL;
-- affected: 4
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    ('Netflix', 'Yours', 5, 'US', 1, 'month', @u);
-- error: Plan.Owner_ID: it must be NULL; this account is for the catalogue alone
DELETE FROM Plan WHERE Plan_ID = 60;
-- error: Plan.Owner_ID: a user's own plan; add AND Owner_ID IS NULL to WHERE: 60
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (60, '2021-01-01', 4);
-- error: Plan_price.Plan_ID: there is no such plan: 60
UPDATE Plan_price SET Fee = 3;
-- error: Plan_price.Plan_ID: a user's own plan: 60
DELETE FROM Plan_price WHERE Plan_ID = 60;
-- error: Plan_price.Plan_ID: a user's own plan: 60
UPDATE Plan_price SET Fee = 3 WHERE Plan_ID = 1;
-- affected: 1
SELECT Fee FROM Price_line WHERE Plan_ID = 60 ORDER BY Effective_on;
-- expect: 4.000000
-- expect: 5.000000
DELETE FROM Setting WHERE Setting_name = 'Catalogue_accounts';
DELETE FROM Plan WHERE Plan_ID = 60;
-- affected: 1

-- What the terms were before their last change is kept, for those who began a period before.
SELECT Terms_since = UTC_DATE(), Former_duration_value, Former_duration_unit, Former_notice_days FROM Plan WHERE Plan_ID = 1;
-- expect: 1 | 1 | month | 0
UPDATE Plan SET Notice_days = 9, Duration_value = 2, Former_notice_days = 99 WHERE Plan_ID = 1;
SELECT Former_duration_value, Former_notice_days FROM Plan WHERE Plan_ID = 1;
-- expect: 1 | 0
UPDATE Plan SET Fee = 30, Trial_days = 9, Terms_since = '2020-01-01' WHERE Plan_ID = 5;
SELECT Terms_since, Former_duration_value, Former_duration_unit, Former_notice_days FROM Plan WHERE Plan_ID = 5;
-- expect: NULL | NULL | NULL | NULL
-- A price that was mistyped is corrected where it stands.
UPDATE Plan SET Fee = 16.49, Ver = 0 WHERE Plan_ID = 3;
SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 3;
-- expect: 2023-01-07 | 16.490000
