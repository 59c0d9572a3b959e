-- 1,000 plans of 50 providers in ten countries; a third of them had another price before.
SET SESSION sql_mode = 'STRICT_ALL_TABLES';

INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit, Country_ID, Trial_days,
                  Notice_days)
SELECT seq, CONCAT('Provider ', LPAD(seq DIV 10 MOD 50, 2, '0')), IF(seq DIV 500 MOD 2 = 0, 'Standard', 'Premium'),
    1.99 + seq MOD 40, '2024-01-01',
    IF(seq MOD 11 = 3, 3, 1), ELT(1 + (seq MOD 7 = 6) + 2 * (seq MOD 17 = 16 AND seq MOD 7 <> 6), 'month', 'year', 'week'),
    ELT(1 + seq MOD 10, 'US', 'DE', 'FR', 'GB', 'IT', 'ES', 'CA', 'AU', 'BR', 'IN'),
    IF(seq MOD 3 = 0, 14, NULL), IF(seq MOD 5 = 0, 30, 0)
FROM seq_1_to_1000;

INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
SELECT Plan_ID, '2022-01-01', Fee - 1 FROM Plan WHERE Plan_ID MOD 3 = 1;
