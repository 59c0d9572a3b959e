-- What a euro is worth, typed by an admin.
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-30', 1.0812), ('JPY', '2026-01-30', 161.35);
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-30', 1.0813)
ON DUPLICATE KEY UPDATE Per_euro = VALUES(Per_euro);
SELECT Per_euro FROM Exchange_rate WHERE Currency_code = 'USD';
-- expect: 1.081300
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('XXX', '2026-01-30', 1);
-- error: Exchange_rate.Currency_code: there is no such currency: XXX
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('EUR', '2026-01-30', 1);
-- error: Exchange_rate.Currency_code: rates are for one euro; it has none itself
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '1969-01-30', 1);
-- error: Exchange_rate.Rated_on: no day from 1970-01-02 to 2999-12-31 (USD): 1969-01-30
INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-31', 0);
-- error: Exchange_rate.Per_euro: not between 0.000001 and 99999999999 (USD): 0
UPDATE Exchange_rate SET Per_euro = -1 WHERE Currency_code = 'JPY';
-- error: Exchange_rate.Per_euro: not between 0.000001 and 99999999999 (JPY): -1
DELETE FROM Exchange_rate WHERE Currency_code = 'JPY';
-- affected: 1
