-- Currencies, countries and providers are in the scope 'reference': versions, tombstones, checks.
SELECT Ver INTO @v FROM Scope WHERE Scope_ID = CAST('reference' AS BINARY(16));
SELECT @v = (SELECT COUNT(*) FROM Currency) + (SELECT COUNT(*) FROM Country) + (SELECT COUNT(*) FROM Provider);
-- expect: 1
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('usd', 'x', 2);
-- error: Currency.Currency_code: not three letters A to Z: usd
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('XAB', 'x', 7);
-- error: Currency.Minor_digits: not between 0 and 6 (XAB): 7
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('XAB', ' ', 2);
-- error: Currency.Currency_name: it is empty; currency: XAB
UPDATE Currency SET Currency_code = 'XAB' WHERE Currency_code = 'EUR';
-- error: Currency.Currency_code: it never changes: EUR
UPDATE Currency SET Minor_digits = 0 WHERE Currency_code = 'USD';
-- error: Currency.Minor_digits: there are prices with more digits (USD): 0
UPDATE Currency SET Minor_digits = 3 WHERE Currency_code = 'USD';
UPDATE Currency SET Minor_digits = 2 WHERE Currency_code = 'USD';
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('fr', 'France', 'EUR');
-- error: Country.Country_ID: not two letters A to Z: fr
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('FR', 'France', 'FRF');
-- error: Country.Currency_code: there is no such currency (FR): FRF
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('FR', 'germany', 'EUR');
-- error: Duplicate entry
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('FR', '', 'EUR');
-- error: Country.Country_name: it is empty; country: FR
UPDATE Country SET Country_ID = 'FR' WHERE Country_ID = 'DE';
-- error: Country.Country_ID: it never changes: DE
UPDATE Country SET Currency_code = 'FRF' WHERE Country_ID = 'DE';
-- error: Country.Currency_code: there is no such currency (DE): FRF
INSERT INTO Provider (Provider) VALUES (' ');
-- error: Provider.Provider: it is empty
SELECT Ver - @v FROM Scope WHERE Scope_ID = CAST('reference' AS BINARY(16));
-- expect: 2
-- Loaded again: what did not change takes no version.
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('USD', 'US Dollar', 2), ('EUR', 'Euro', 2)
ON DUPLICATE KEY UPDATE Currency_name = VALUES(Currency_name), Minor_digits = VALUES(Minor_digits);
INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('US', 'United States', 'USD')
ON DUPLICATE KEY UPDATE Country_name = VALUES(Country_name), Currency_code = VALUES(Currency_code);
INSERT INTO Provider (Provider, Category) VALUES ('Netflix', 'Video') ON DUPLICATE KEY UPDATE Category = VALUES(Category);
INSERT IGNORE INTO Provider (Provider) VALUES ('netflix');
SELECT Ver - @v FROM Scope WHERE Scope_ID = CAST('reference' AS BINARY(16));
-- expect: 2
UPDATE Provider SET Website = 'https://www.netflix.com' WHERE Provider = 'Netflix';
UPDATE Country SET Country_name = 'U.S.A.' WHERE Country_ID = 'US';
INSERT INTO Provider (Provider, Category) VALUES ('Netflix', 'Films') ON DUPLICATE KEY UPDATE Category = VALUES(Category);
SELECT p.Ver - @v, c.Ver - @v, Category FROM Provider p JOIN Country c ON Country_ID = 'US' WHERE Provider = 'Netflix';
-- expect: 5 | 4 | Films
INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('CHF', 'Franc', 2);
REPLACE INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('CHF', 'Swiss Franc', 2);
-- error: not by REPLACE
REPLACE INTO Country (Country_ID, Country_name, Currency_code) VALUES ('KW', 'Kuwait', 'KWD');
-- error: not by REPLACE
INSERT INTO Provider (Provider) VALUES ('Brief');
REPLACE INTO Provider (Provider) VALUES ('Brief');
-- error: not by REPLACE
-- Deleted.
DELETE FROM Country WHERE Country_ID = 'KW';
DELETE FROM Currency WHERE Currency_code = 'KWD';
DELETE FROM Provider WHERE Provider = 'Brief';
SELECT Ver - @v, Entity, CONVERT(Row_ID USING utf8mb4) FROM Tombstone WHERE Scope_ID = CAST('reference' AS BINARY(16)) ORDER BY Ver;
-- expect: 8 | 7 | KW
-- expect: 9 | 8 | KWD
-- expect: 10 | 6 | Brief
