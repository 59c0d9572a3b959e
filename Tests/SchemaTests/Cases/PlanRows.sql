-- A plan that is as most are is taken without further looks; one that has more, or something wrong, is looked at.
-- sessions: strict lax
SET @u = 0x01900000000070008000000000000001;
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('netflix', 'Plain', 5, 'EUR', 'US', 1, 'month');
SELECT p.Plan_ID = LAST_INSERT_ID(), p.Provider, p.Subscription_type, p.Currency_code, p.Fee_since = UTC_DATE(), p.Ver = s.Ver
FROM Plan p JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16)) WHERE p.Plan_name = 'Plain';
-- expect: 1 | Netflix | Standard | EUR | 1 | 1
INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Terms_since, Former_duration_value, Former_duration_unit, Former_notice_days)
VALUES ('Netflix', 'Before', 5, 'US', 1, 'month', '2020-01-01', 3, 'month', 9);
SELECT Terms_since, Former_duration_value, Former_duration_unit, Former_notice_days FROM Plan WHERE Plan_name = 'Before';
-- expect: NULL | NULL | NULL | NULL
-- A provider that comes with the plan has a version of its own, and the plan keeps its number.
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Brand new', 'Plain', 5, 'USD', 'US', 1, 'month');
SELECT p.Plan_ID = LAST_INSERT_ID(), p.Ver = s.Ver, v.Ver = r.Ver, v.Category
FROM Plan p JOIN Provider v ON v.Provider = p.Provider JOIN Scope s ON s.Scope_ID = CAST('CUS' AS BINARY(16))
JOIN Scope r ON r.Scope_ID = CAST('reference' AS BINARY(16)) WHERE p.Provider = 'Brand new';
-- expect: 1 | 1 | 1 | Other
-- Two of a user's own plans of one provider, which keeps its category.
INSERT INTO Plan (Owner_ID, Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES (@u, 'Choir', 'One', 5, 'USD', 'US', 1, 'month');
UPDATE Private_provider SET Category = 'Music' WHERE Owner_ID = @u;
INSERT INTO Plan (Owner_ID, Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES (@u, 'Choir', 'Two', 5, 'USD', 'US', 1, 'month');
INSERT INTO Plan (Owner_ID, Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES (@u, 'Choir', 'Two', 5, 'USD', 'US', 1, 'month');
SELECT v.Provider, v.Category, COUNT(*), MAX(p.Ver) = MAX(s.Ver) FROM Private_provider v
JOIN Plan p ON p.Owner_ID = v.Owner_ID AND p.Provider = v.Provider JOIN Scope s ON s.Scope_ID = v.Owner_ID GROUP BY v.Provider, v.Category;
-- expect: Choir | Music | 3 | 1
-- What is no plan's in any session.
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('  ', 'Plain', 5, 'USD', 'US', 1, 'month');
-- error: Plan.Provider: it is empty
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', ' ', 5, 'USD', 'US', 1, 'month');
-- error: Plan.Plan_name: it is empty; provider: Netflix
INSERT INTO Plan (Provider, Plan_name, Subscription_type, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', '', 5, 'USD', 'US', 1, 'month');
-- error: Plan.Subscription_type: it is empty; plan: Odd
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', 5.5, 'JPY', 'US', 1, 'month');
-- error: Plan.Fee: JPY has 0 digits (Odd): 5.500000
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', 5, 'XXX', 'US', 1, 'month');
-- error: Plan.Currency_code: there is no such currency: XXX
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', 5, 'USD', 'QQ', 1, 'month');
-- error: Plan.Country_ID: there is no such country: QQ
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', 5, 'USD', 'US', 0, 'month');
-- error: Plan.Duration_value: not between 1 and 1200 (Odd): 0
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit, Trial_days) VALUES ('Netflix', 'Odd', 5, 'USD', 'US', 1, 'month', 1201);
-- error: Plan.Trial_days: more than 1200 (Odd): 1201
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit, Notice_days) VALUES ('Netflix', 'Odd', 5, 'USD', 'US', 1, 'month', 1201);
-- error: Plan.Notice_days: more than 1200 (Odd): 1201
INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) VALUES ('Netflix', 'Odd', -1, 'USD', 'US', 1, 'month');
-- error: Plan.Fee: not between 0 and 99999999999 (Odd): -1
SELECT COUNT(*) FROM Plan WHERE Plan_name IN ('Odd', '');
-- expect: 0
