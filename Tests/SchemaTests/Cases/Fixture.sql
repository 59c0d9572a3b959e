-- What every case begins with.
SET NAMES utf8mb4;
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES
    ('USD', 'US Dollar', 2), ('EUR', 'Euro', 2), ('JPY', 'Yen', 0), ('KWD', 'Kuwaiti Dinar', 3);
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES
    ('US', 'United States', 'USD'), ('DE', 'Germany', 'EUR'), ('JP', 'Japan', 'JPY'), ('KW', 'Kuwait', 'KWD');
INSERT INTO `User` (User_ID, Country_ID) VALUES
    (0x01900000000070008000000000000001, 'US'), (0x01900000000070008000000000000002, 'US');
INSERT INTO Provider (Provider, Category) VALUES ('Netflix', 'Video');
INSERT INTO Plan
    (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Trial_days, Fee_since)
VALUES
    (1, 'Netflix', 'Standard', 15.49, 'US', 1, 'month', 7, '2023-01-07'),
    (2, 'Netflix', 'Year', 150, 'US', 1, 'year', NULL, '2023-01-07'),
    (3, 'Netflix', 'Premium', 22.99, 'US', 1, 'month', NULL, '2023-01-07'),
    (4, 'Netflix', 'Quarter', 40, 'US', 3, 'month', NULL, '2023-01-07'),
    (5, 'Gym', 'Two weeks', 9, 'US', 2, 'week', NULL, '2023-01-07'),
    (6, 'Netflix', 'Standard', 990, 'JP', 1, 'month', NULL, '2023-01-07'),
    (7, 'Gym', 'Ten days', 3, 'US', 10, 'day', 3, '2023-01-07');
