-- What the terms were before their last change is kept, for those who began a period before.
UPDATE Plan SET Notice_days = 3 WHERE Plan_ID = 1;
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
