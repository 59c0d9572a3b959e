-- The demo catalogue: what a tenant begins with, and a model for a catalogue of one's own.
-- Prices were written down by hand; most held in 2025. Check a price with the provider before trusting it.
--
-- How it is done, for those who write another:
--  * One transaction for each country, so that nobody waits long, and a country is there whole or not at all.
--  * INSERT … ON DUPLICATE KEY UPDATE … VALUES(): the file may be loaded again and again, on MariaDB and on MySQL; what
--    did not change takes no version and is not sent to anybody. Never REPLACE or TRUNCATE.
--  * A plan is known by country, provider, name, type and duration. Plan_ID is the server's: it is looked up, not typed.
--  * The price is in the country's currency unless Currency_code says another.
--  * Fee_since is the day from which the price holds. When a price changes, write the new Fee and its Fee_since: the
--    database keeps the old price as history. A day to come announces the price. Without Fee_since it is today, so that
--    loading an old file again would be a change of price.
--  * Trial_days is NULL where there is no free trial. Notice_days is how long before the renewal one has to cancel.
--  * A plan that is not sold any more: UPDATE Plan SET Withdrawn_on = … (who has it keeps it); not DELETE.
-- It commits the statements before it. Each of its own commits by itself and writes all its rows, also in a session that
-- was told otherwise.
COMMIT;
SET SESSION autocommit = 1, sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615;
SET SESSION TRANSACTION READ WRITE;
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- ───────── Providers: for people to see what it is, where it is, and where to cancel
START TRANSACTION;
INSERT INTO Provider (Provider, Category, Website, Cancel_URL) VALUES
    ('Netflix',                'Video',         'https://www.netflix.com',                 'https://www.netflix.com/cancelplan'),
    ('Disney+',                'Video',         'https://www.disneyplus.com',              'https://www.disneyplus.com/account/subscription'),
    ('HBO Max',                'Video',         'https://www.hbomax.com',                  'https://auth.hbomax.com/subscription'),
    ('Hulu',                   'Video',         'https://www.hulu.com',                    'https://secure.hulu.com/account'),
    ('Apple TV',               'Video',         'https://tv.apple.com',                    'https://apps.apple.com/account/subscriptions'),
    ('YouTube',                'Video',         'https://www.youtube.com/premium',         'https://www.youtube.com/paid_memberships'),
    ('DAZN',                   'Video',         'https://www.dazn.com',                    'https://www.dazn.com/myaccount'),
    ('NOW',                    'Video',         'https://www.nowtv.com',                   'https://account.nowtv.com'),
    ('TV Licensing',           'Video',         'https://www.tvlicensing.co.uk',           'https://www.tvlicensing.co.uk/cancel'),
    ('Canal+',                 'Video',         'https://www.canalplus.com',               'https://client.canalplus.com'),
    ('U-NEXT',                 'Video',         'https://video.unext.jp',                  'https://account.unext.jp'),
    ('JioHotstar',             'Video',         'https://www.hotstar.com',                 'https://www.hotstar.com/in/mypage'),
    ('Globoplay',              'Video',         'https://globoplay.globo.com',             'https://minhaconta.globo.com'),
    ('Crave',                  'Video',         'https://www.crave.ca',                    'https://www.crave.ca/account/subscriptions'),
    ('iQIYI',                  'Video',         'https://www.iqiyi.com',                   'https://vip.iqiyi.com'),
    ('Bilibili',               'Video',         'https://www.bilibili.com',                'https://account.bilibili.com/big'),
    ('Stan',                   'Video',         'https://www.stan.com.au',                 'https://www.stan.com.au/account'),
    ('Spotify',                'Music',         'https://www.spotify.com/premium',         'https://www.spotify.com/account/cancel/'),
    ('Apple Music',            'Music',         'https://music.apple.com',                 'https://apps.apple.com/account/subscriptions'),
    ('Deezer',                 'Music',         'https://www.deezer.com',                  'https://www.deezer.com/account/subscription'),
    ('NetEase Cloud Music',    'Music',         'https://music.163.com',                   'https://music.163.com/member'),
    ('Amazon Prime',           'Shopping',      'https://www.amazon.com/prime',            'https://www.amazon.com/mc'),
    ('Costco',                 'Shopping',      'https://www.costco.com',                  'https://www.costco.com/customer-service'),
    ('Naver Plus',             'Shopping',      'https://nid.naver.com/membership',        'https://nid.naver.com/membership/my'),
    ('Coupang',                'Shopping',      'https://www.coupang.com',                 'https://loyalty.coupang.com/loyalty/management/home'),
    ('JD.com',                 'Shopping',      'https://plus.jd.com',                     'https://plus.jd.com'),
    ('The New York Times',     'News',          'https://www.nytimes.com',                 'https://myaccount.nytimes.com/seg/subscription'),
    ('The Economist',          'News',          'https://www.economist.com',               'https://myaccount.economist.com'),
    ('The Guardian',           'News',          'https://www.theguardian.com',             'https://manage.theguardian.com'),
    ('Der Spiegel',            'News',          'https://www.spiegel.de',                  'https://gruppenkonto.spiegel.de'),
    ('Le Monde',               'News',          'https://www.lemonde.fr',                  'https://moncompte.lemonde.fr'),
    ('Mediapart',              'News',          'https://www.mediapart.fr',                'https://www.mediapart.fr/compte'),
    ('Nikkei',                 'News',          'https://www.nikkei.com',                  'https://www.nikkei.com/my/'),
    ('Microsoft 365',          'Software',      'https://www.microsoft.com/microsoft-365', 'https://account.microsoft.com/services'),
    ('Adobe',                  'Software',      'https://www.adobe.com',                   'https://account.adobe.com/plans'),
    ('GitHub',                 'Software',      'https://github.com',                      'https://github.com/settings/billing'),
    ('Proton',                 'Software',      'https://proton.me',                       'https://account.proton.me/dashboard'),
    ('Dropbox',                'Cloud storage', 'https://www.dropbox.com',                 'https://www.dropbox.com/account/plan'),
    ('iCloud+',                'Cloud storage', 'https://www.icloud.com',                  'https://apps.apple.com/account/subscriptions'),
    ('Nintendo Switch Online', 'Games',         'https://www.nintendo.com/switch/online',  'https://accounts.nintendo.com'),
    ('PlayStation Plus',       'Games',         'https://www.playstation.com/ps-plus',     'https://www.playstation.com/acct/management'),
    ('Xbox Game Pass',         'Games',         'https://www.xbox.com/xbox-game-pass',     'https://account.microsoft.com/services'),
    ('T-Mobile US',            'Telephony',     'https://www.t-mobile.com',                'https://www.t-mobile.com/contact-us'),
    ('Mint Mobile',            'Telephony',     'https://www.mintmobile.com',              'https://my.mintmobile.com'),
    ('Telekom',                'Telephony',     'https://www.telekom.de',                  'https://www.telekom.de/kuendigung'),
    ('Vodafone',               'Telephony',     'https://www.vodafone.com',                'https://www.vodafone.com'),
    ('giffgaff',               'Telephony',     'https://www.giffgaff.com',                'https://www.giffgaff.com/dashboard'),
    ('Free Mobile',            'Telephony',     'https://mobile.free.fr',                  'https://mobile.free.fr/account'),
    ('ahamo',                  'Telephony',     'https://ahamo.com',                       'https://ahamo.com/support/cancel/'),
    ('SK Telecom',             'Telephony',     'https://www.tworld.co.kr',                'https://www.tworld.co.kr/web/myt-join'),
    ('Jio',                    'Telephony',     'https://www.jio.com',                     'https://www.jio.com/selfcare'),
    ('Telstra',                'Telephony',     'https://www.telstra.com.au',              'https://www.telstra.com.au/my-account'),
    ('Swisscom',               'Telephony',     'https://www.swisscom.ch',                 'https://www.swisscom.ch/login'),
    ('Planet Fitness',         'Fitness',       'https://www.planetfitness.com',           'https://www.planetfitness.com/my-account'),
    ('Peloton',                'Fitness',       'https://www.onepeloton.com',              'https://members.onepeloton.com/preferences/subscriptions'),
    ('Strava',                 'Fitness',       'https://www.strava.com',                  'https://www.strava.com/account'),
    ('McFIT',                  'Fitness',       'https://www.mcfit.com',                   'https://my.mcfit.com'),
    ('PureGym',                'Fitness',       'https://www.puregym.com',                 'https://www.puregym.com/members/'),
    ('Basic-Fit',              'Fitness',       'https://www.basic-fit.com',               'https://my.basic-fit.com'),
    ('chocoZAP',               'Fitness',       'https://chocozap.jp',                     'https://web.chocozap.jp'),
    ('Smart Fit',              'Fitness',       'https://www.smartfit.com.br',             'https://www.smartfit.com.br/login'),
    ('GoodLife Fitness',       'Fitness',       'https://www.goodlifefitness.com',         'https://www.goodlifefitness.com/member-portal'),
    ('Anytime Fitness',        'Fitness',       'https://www.anytimefitness.com',          'https://www.anytimefitness.com'),
    ('Activ Fitness',          'Fitness',       'https://www.activfitness.ch',             'https://www.activfitness.ch'),
    ('Audible',                'Books',         'https://www.audible.com',                 'https://www.audible.com/account/overview'),
    ('Duolingo',               'Education',     'https://www.duolingo.com',                'https://www.duolingo.com/settings/super'),
    ('Uber One',               'Transport',     'https://www.uber.com/one',                'https://account.uber.com'),
    ('Deutsche Bahn',          'Transport',     'https://www.bahn.de',                     'https://www.bahn.de/service/bahncard/kuendigung'),
    ('ADAC',                   'Transport',     'https://www.adac.de',                     'https://www.adac.de/mitgliedschaft/kuendigung/'),
    ('SNCF',                   'Transport',     'https://www.sncf-connect.com',            'https://www.maxjeune-tgvinoui.sncf'),
    ('SBB',                    'Transport',     'https://www.sbb.ch',                      'https://www.swisspass.ch')
ON DUPLICATE KEY UPDATE Category = VALUES(Category), Website = VALUES(Website), Cancel_URL = VALUES(Cancel_URL);
COMMIT;

-- ───────── United States
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('US', 'Netflix',                'Standard with ads',  'Standard', 1, 'month',   7.99, '2025-01-21', NULL,  0),
    ('US', 'Netflix',                'Standard',           'Standard', 1, 'month',  17.99, '2025-01-21', NULL,  0),
    ('US', 'Netflix',                'Premium',            'Standard', 1, 'month',  24.99, '2025-01-21', NULL,  0),
    ('US', 'Disney+',                'Standard with ads',  'Standard', 1, 'month',   9.99, '2024-10-17', NULL,  0),
    ('US', 'Disney+',                'Premium',            'Standard', 1, 'month',  15.99, '2024-10-17', NULL,  0),
    ('US', 'Disney+',                'Premium',            'Standard', 1, 'year',  159.99, '2024-10-17', NULL,  0),
    ('US', 'HBO Max',                'Standard',           'Standard', 1, 'month',  18.49, '2025-10-21', NULL,  0),
    ('US', 'Hulu',                   'With ads',           'Standard', 1, 'month',   9.99, '2024-10-17',   30,  0),
    ('US', 'Apple TV',               'Apple TV',           'Standard', 1, 'month',  12.99, '2025-08-21',    7,  0),
    ('US', 'YouTube',                'Premium',            'Standard', 1, 'month',  13.99, '2023-07-20',   30,  0),
    ('US', 'YouTube',                'Premium',            'Standard', 1, 'year',  139.99, '2023-07-20',   30,  0),
    ('US', 'YouTube',                'Premium',            'Family',   1, 'month',  22.99, '2022-11-21',   30,  0),
    ('US', 'Spotify',                'Premium',            'Standard', 1, 'month',  11.99, '2024-07-01',   30,  0),
    ('US', 'Spotify',                'Premium',            'Student',  1, 'month',   5.99, '2023-07-24',   30,  0),
    ('US', 'Spotify',                'Premium',            'Duo',      1, 'month',  16.99, '2024-07-01', NULL,  0),
    ('US', 'Spotify',                'Premium',            'Family',   1, 'month',  19.99, '2024-07-01', NULL,  0),
    ('US', 'Apple Music',            'Apple Music',        'Standard', 1, 'month',  10.99, '2022-10-24',   30,  0),
    ('US', 'Apple Music',            'Apple Music',        'Family',   1, 'month',  16.99, '2022-10-24',   30,  0),
    ('US', 'Amazon Prime',           'Prime',              'Standard', 1, 'month',  14.99, '2022-02-18',   30,  0),
    ('US', 'Amazon Prime',           'Prime',              'Standard', 1, 'year',  139.00, '2022-02-18',   30,  0),
    ('US', 'Amazon Prime',           'Prime',              'Student',  1, 'month',   7.49, '2022-02-18',  180,  0),
    ('US', 'Costco',                 'Gold Star',          'Standard', 1, 'year',   65.00, '2024-09-01', NULL,  0),
    ('US', 'The New York Times',     'All Access',         'Standard', 4, 'week',   25.00, '2025-01-01', NULL,  0),
    ('US', 'The New York Times',     'All Access',         'Family',   4, 'week',   30.00, '2025-09-01', NULL,  0),
    ('US', 'Microsoft 365',          'Personal',           'Standard', 1, 'month',   9.99, '2025-01-16',   30,  0),
    ('US', 'Microsoft 365',          'Personal',           'Standard', 1, 'year',   99.99, '2025-01-16',   30,  0),
    ('US', 'Microsoft 365',          'Family',             'Family',   1, 'year',  129.99, '2025-01-16',   30,  0),
    ('US', 'Adobe',                  'Creative Cloud Pro', 'Standard', 1, 'month',  69.99, '2025-06-17',    7, 14),
    ('US', 'GitHub',                 'Pro',                'Standard', 1, 'month',   4.00, '2025-01-01', NULL,  0),
    ('US', 'Dropbox',                'Plus',               'Standard', 1, 'year',  119.88, '2025-01-01',   30,  0),
    ('US', 'iCloud+',                '50 GB',              'Standard', 1, 'month',   0.99, '2025-01-01', NULL,  0),
    ('US', 'Nintendo Switch Online', 'Individual',         'Standard', 1, 'month',   3.99, '2018-09-18',    7,  0),
    ('US', 'Nintendo Switch Online', 'Family',             'Family',   1, 'year',   34.99, '2018-09-18', NULL,  0),
    ('US', 'PlayStation Plus',       'Essential',          'Standard', 1, 'year',   79.99, '2023-09-06', NULL,  0),
    ('US', 'Xbox Game Pass',         'Ultimate',           'Standard', 1, 'month',  29.99, '2025-10-01', NULL,  0),
    ('US', 'T-Mobile US',            'Experience More',    'Standard', 1, 'month',  85.00, '2025-04-23', NULL,  0),
    ('US', 'Mint Mobile',            '5 GB',               'Standard', 3, 'month',  75.00, '2025-01-01', NULL,  0),
    ('US', 'Planet Fitness',         'Classic',            'Standard', 1, 'month',  15.00, '2024-06-28', NULL,  7),
    ('US', 'Peloton',                'App One',            'Standard', 1, 'month',  15.99, '2025-10-01',   30,  0),
    ('US', 'Strava',                 'Strava',             'Standard', 1, 'year',   79.99, '2025-01-01',   30,  0),
    ('US', 'Audible',                'Premium Plus',       'Standard', 1, 'month',  14.95, '2025-01-01',   30,  0),
    ('US', 'Duolingo',               'Super',              'Family',   1, 'year',  119.99, '2025-01-01',   14,  0),
    ('US', 'Uber One',               'Uber One',           'Standard', 1, 'year',   96.00, '2025-01-01',   30,  0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix',          'Standard with ads', 'Standard', 1, 'month', '2022-11-03',   6.99
    UNION ALL SELECT 'Netflix',          'Standard',          'Standard', 1, 'month', '2022-01-14',  15.49
    UNION ALL SELECT 'Netflix',          'Premium',           'Standard', 1, 'month', '2022-01-14',  19.99
    UNION ALL SELECT 'Netflix',          'Premium',           'Standard', 1, 'month', '2023-10-18',  22.99
    UNION ALL SELECT 'Disney+',          'Standard with ads', 'Standard', 1, 'month', '2025-10-21',  11.99
    UNION ALL SELECT 'Disney+',          'Premium',           'Standard', 1, 'month', '2025-10-21',  18.99
    UNION ALL SELECT 'Disney+',          'Premium',           'Standard', 1, 'year',  '2025-10-21', 189.99
    UNION ALL SELECT 'HBO Max',          'Standard',          'Standard', 1, 'month', '2024-06-04',  16.99
    UNION ALL SELECT 'Hulu',             'With ads',          'Standard', 1, 'month', '2025-10-21',  11.99
    UNION ALL SELECT 'Apple TV',         'Apple TV',          'Standard', 1, 'month', '2023-10-25',   9.99
    UNION ALL SELECT 'Costco',           'Gold Star',         'Standard', 1, 'year',  '2017-06-01',  60.00
    UNION ALL SELECT 'Microsoft 365',    'Personal',          'Standard', 1, 'month', '2014-04-15',   6.99
    UNION ALL SELECT 'Microsoft 365',    'Personal',          'Standard', 1, 'year',  '2014-04-15',  69.99
    UNION ALL SELECT 'PlayStation Plus', 'Essential',         'Standard', 1, 'year',  '2016-09-22',  59.99
    UNION ALL SELECT 'Xbox Game Pass',   'Ultimate',          'Standard', 1, 'month', '2024-07-10',  19.99
    UNION ALL SELECT 'Peloton',          'App One',           'Standard', 1, 'month', '2023-05-23',  12.99
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'US' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── United Kingdom
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('GB', 'Netflix',        'Standard with ads',  'Standard', 1, 'month',   5.99, '2025-02-01', NULL,  0),
    ('GB', 'Netflix',        'Standard',           'Standard', 1, 'month',  12.99, '2025-02-01', NULL,  0),
    ('GB', 'Netflix',        'Premium',            'Standard', 1, 'month',  18.99, '2025-02-01', NULL,  0),
    ('GB', 'Disney+',        'Standard with ads',  'Standard', 1, 'month',   5.99, '2025-09-30', NULL,  0),
    ('GB', 'NOW',            'Entertainment',      'Standard', 1, 'month',   9.99, '2025-01-01',    7,  0),
    ('GB', 'TV Licensing',   'Colour',             'Standard', 1, 'year',  174.50, '2025-04-01', NULL,  0),
    ('GB', 'YouTube',        'Premium',            'Standard', 1, 'month',  12.99, '2023-11-01',   30,  0),
    ('GB', 'Spotify',        'Premium',            'Standard', 1, 'month',  11.99, '2024-05-01',   30,  0),
    ('GB', 'Spotify',        'Premium',            'Student',  1, 'month',   5.99, '2025-01-01',   30,  0),
    ('GB', 'Amazon Prime',   'Prime',              'Standard', 1, 'month',   8.99, '2022-09-15',   30,  0),
    ('GB', 'Amazon Prime',   'Prime',              'Standard', 1, 'year',   95.00, '2022-09-15',   30,  0),
    ('GB', 'The Economist',  'Digital',            'Standard', 1, 'year',  219.00, '2025-01-01', NULL,  0),
    ('GB', 'The Guardian',   'Digital',            'Standard', 1, 'month',  12.00, '2025-01-01',   14,  0),
    ('GB', 'Microsoft 365',  'Family',             'Family',   1, 'year',  104.99, '2025-01-16',   30,  0),
    ('GB', 'Xbox Game Pass', 'Ultimate',           'Standard', 1, 'month',  22.99, '2025-10-01', NULL,  0),
    ('GB', 'Vodafone',       'SIM only Unlimited', 'Standard', 1, 'month',  30.00, '2025-01-01', NULL, 30),
    ('GB', 'giffgaff',       '10 GB',              'Standard', 1, 'month',  10.00, '2025-01-01', NULL,  0),
    ('GB', 'PureGym',        'Core',               'Standard', 1, 'month',  22.99, '2025-01-01', NULL,  4)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- Sold here in another currency than the country's.
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Currency_code, Fee_since, Trial_days, Notice_days)
VALUES
    ('GB', 'GitHub', 'Pro', 'Standard', 1, 'month', 4.00, 'USD', '2025-01-01', NULL, 0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Currency_code = VALUES(Currency_code), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'TV Licensing',   'Colour',            'Standard', 1, 'year',  '2021-04-01', 159.00
    UNION ALL SELECT 'TV Licensing',   'Colour',            'Standard', 1, 'year',  '2024-04-01', 169.50
    UNION ALL SELECT 'Disney+',        'Standard with ads', 'Standard', 1, 'month', '2023-11-01',   4.99
    UNION ALL SELECT 'Amazon Prime',   'Prime',             'Standard', 1, 'year',  '2014-02-26',  79.00
    UNION ALL SELECT 'Xbox Game Pass', 'Ultimate',          'Standard', 1, 'month', '2024-09-12',  14.99
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'GB' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── Germany
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('DE', 'Netflix',          'Standard with ads', 'Standard', 1, 'month',  4.99, '2024-04-18', NULL,  0),
    ('DE', 'Netflix',          'Standard',          'Standard', 1, 'month', 13.99, '2024-04-18', NULL,  0),
    ('DE', 'Netflix',          'Premium',           'Standard', 1, 'month', 19.99, '2024-04-18', NULL,  0),
    ('DE', 'Disney+',          'Premium',           'Standard', 1, 'month', 15.99, '2025-09-30', NULL,  0),
    ('DE', 'DAZN',             'Unlimited',         'Standard', 1, 'month', 44.99, '2025-01-01', NULL, 30),
    ('DE', 'Spotify',          'Premium',           'Standard', 1, 'month', 12.99, '2025-09-01',   30,  0),
    ('DE', 'Spotify',          'Premium',           'Student',  1, 'month',  6.99, '2025-09-01',   30,  0),
    ('DE', 'Spotify',          'Premium',           'Family',   1, 'month', 21.99, '2025-09-01', NULL,  0),
    ('DE', 'Amazon Prime',     'Prime',             'Standard', 1, 'month',  8.99, '2022-09-15',   30,  0),
    ('DE', 'Amazon Prime',     'Prime',             'Standard', 1, 'year',  89.90, '2022-09-15',   30,  0),
    ('DE', 'Der Spiegel',      'SPIEGEL+',          'Standard', 1, 'week',   5.99, '2025-01-01', NULL,  0),
    ('DE', 'Microsoft 365',    'Personal',          'Standard', 1, 'year',  99.00, '2025-01-16',   30,  0),
    ('DE', 'PlayStation Plus', 'Essential',         'Standard', 1, 'year',  71.99, '2023-09-06', NULL,  0),
    ('DE', 'Telekom',          'MagentaMobil S',    'Standard', 1, 'month', 39.95, '2025-01-01', NULL, 30),
    ('DE', 'Telekom',          'MagentaMobil S',    'Youth',    1, 'month', 29.95, '2025-01-01', NULL, 30),
    ('DE', 'Vodafone',         'GigaMobil S',       'Standard', 1, 'month', 39.99, '2025-01-01', NULL, 30),
    ('DE', 'McFIT',            'Classic',           'Standard', 1, 'month', 24.90, '2022-09-01', NULL, 30),
    ('DE', 'Deutsche Bahn',    'Deutschlandticket', 'Standard', 1, 'month', 58.00, '2025-01-01', NULL, 21),
    ('DE', 'Deutsche Bahn',    'BahnCard 25',       'Standard', 1, 'year',  62.90, '2023-12-10', NULL, 28),
    ('DE', 'ADAC',             'Basis',             'Standard', 1, 'year',  54.00, '2020-01-01', NULL, 90)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix',       'Standard',          'Standard', 1, 'month', '2021-01-14', 12.99
    UNION ALL SELECT 'Netflix',       'Premium',           'Standard', 1, 'month', '2021-01-14', 17.99
    UNION ALL SELECT 'Spotify',       'Premium',           'Standard', 1, 'month', '2023-10-01', 10.99
    UNION ALL SELECT 'Spotify',       'Premium',           'Family',   1, 'month', '2023-10-01', 17.99
    UNION ALL SELECT 'Amazon Prime',  'Prime',             'Standard', 1, 'year',  '2017-02-01', 69.00
    UNION ALL SELECT 'Deutsche Bahn', 'Deutschlandticket', 'Standard', 1, 'month', '2023-05-01', 49.00
    UNION ALL SELECT 'Deutsche Bahn', 'Deutschlandticket', 'Standard', 1, 'month', '2026-01-01', 63.00
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'DE' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── France
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('FR', 'Netflix',      'Standard with ads', 'Standard', 1, 'month',  7.99, '2025-09-01', NULL,  0),
    ('FR', 'Netflix',      'Standard',          'Standard', 1, 'month', 14.99, '2025-09-01', NULL,  0),
    ('FR', 'Netflix',      'Premium',           'Standard', 1, 'month', 21.99, '2025-09-01', NULL,  0),
    ('FR', 'Canal+',       'Ciné Séries',       'Standard', 1, 'month', 29.99, '2025-01-01', NULL, 30),
    ('FR', 'Deezer',       'Premium',           'Standard', 1, 'month', 11.99, '2025-01-01',   30,  0),
    ('FR', 'Deezer',       'Premium',           'Family',   1, 'month', 19.99, '2025-01-01',   30,  0),
    ('FR', 'Amazon Prime', 'Prime',             'Standard', 1, 'month',  6.99, '2022-09-15',   30,  0),
    ('FR', 'Le Monde',     'Numérique',         'Standard', 1, 'month', 12.99, '2025-01-01', NULL,  0),
    ('FR', 'Mediapart',    'Mediapart',         'Standard', 1, 'month', 12.00, '2025-01-01', NULL,  0),
    ('FR', 'Free Mobile',  'Forfait Free 5G',   'Standard', 1, 'month', 19.99, '2025-01-01', NULL, 10),
    ('FR', 'Basic-Fit',    'Comfort',           'Standard', 4, 'week',  24.99, '2025-01-01', NULL, 28),
    ('FR', 'SNCF',         'MAX Jeune',         'Youth',    1, 'month', 79.00, '2025-01-01', NULL,  0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
COMMIT;

-- ───────── Switzerland
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('CH', 'Netflix',       'Basic',         'Standard', 1, 'month',   14.90, '2025-10-01', NULL,  0),
    ('CH', 'Netflix',       'Standard',      'Standard', 1, 'month',   22.90, '2025-10-01', NULL,  0),
    ('CH', 'Netflix',       'Premium',       'Standard', 1, 'month',   29.90, '2025-10-01', NULL,  0),
    ('CH', 'Proton',        'Mail Plus',     'Standard', 1, 'year',    47.88, '2025-01-01', NULL,  0),
    ('CH', 'Swisscom',      'blue Mobile M', 'Standard', 1, 'month',   69.90, '2025-01-01', NULL, 60),
    ('CH', 'SBB',           'Halbtax',       'Standard', 1, 'year',   190.00, '2025-01-01', NULL,  0),
    ('CH', 'SBB',           'GA 2. Klasse',  'Standard', 1, 'year',  3995.00, '2023-12-10', NULL, 30),
    ('CH', 'Activ Fitness', 'Jahresabo',     'Standard', 1, 'year',   840.00, '2025-01-01', NULL, 30)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
    SELECT 'SBB', 'GA 2. Klasse', 'Standard', 1, 'year', '2016-12-11', 3860.00
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'CH' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── Japan
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('JP', 'Netflix',                'Standard with ads', 'Standard', 1, 'month',  890, '2024-10-10', NULL, 0),
    ('JP', 'Netflix',                'Standard',          'Standard', 1, 'month', 1590, '2024-10-10', NULL, 0),
    ('JP', 'Netflix',                'Premium',           'Standard', 1, 'month', 2290, '2024-10-10', NULL, 0),
    ('JP', 'U-NEXT',                 '月額プラン',        'Standard', 1, 'month', 2189, '2025-01-01',   31, 0),
    ('JP', 'Spotify',                'Premium',           'Standard', 1, 'month',  980, '2025-01-01',   30, 0),
    ('JP', 'Amazon Prime',           'プライム',          'Standard', 1, 'month',  600, '2023-08-24',   30, 0),
    ('JP', 'Amazon Prime',           'プライム',          'Standard', 1, 'year',  5900, '2023-08-24',   30, 0),
    ('JP', 'Amazon Prime',           'プライム',          'Student',  1, 'month',  300, '2023-08-24',  180, 0),
    ('JP', 'Nikkei',                 '日経電子版',        'Standard', 1, 'month', 4277, '2025-01-01', NULL, 0),
    ('JP', 'Nintendo Switch Online', '個人プラン',        'Standard', 1, 'month',  306, '2018-09-19',    7, 0),
    ('JP', 'Nintendo Switch Online', '個人プラン',        'Standard', 1, 'year',  2400, '2018-09-19', NULL, 0),
    ('JP', 'Nintendo Switch Online', 'ファミリープラン',  'Family',   1, 'year',  4500, '2018-09-19', NULL, 0),
    ('JP', 'ahamo',                  'ahamo',             'Standard', 1, 'month', 2970, '2021-03-26', NULL, 0),
    ('JP', 'chocoZAP',               'chocoZAP',          'Standard', 1, 'month', 3278, '2022-07-01', NULL, 0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix',      'Standard with ads', 'Standard', 1, 'month', '2022-11-04',  790
    UNION ALL SELECT 'Netflix',      'Standard',          'Standard', 1, 'month', '2021-02-05', 1490
    UNION ALL SELECT 'Netflix',      'Premium',           'Standard', 1, 'month', '2021-02-05', 1980
    UNION ALL SELECT 'Amazon Prime', 'プライム',          'Standard', 1, 'month', '2019-04-12',  500
    UNION ALL SELECT 'Amazon Prime', 'プライム',          'Standard', 1, 'year',  '2019-04-12', 4900
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'JP' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── South Korea
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('KR', 'Netflix',    'Standard with ads',   'Standard', 1, 'month',  7000, '2025-05-09', NULL, 0),
    ('KR', 'Netflix',    'Standard',            'Standard', 1, 'month', 13500, '2025-05-09', NULL, 0),
    ('KR', 'Netflix',    'Premium',             'Standard', 1, 'month', 17000, '2025-05-09', NULL, 0),
    ('KR', 'YouTube',    'Premium',             'Standard', 1, 'month', 14900, '2023-12-08',   30, 0),
    ('KR', 'Naver Plus', '네이버플러스 멤버십', 'Standard', 1, 'month',  4900, '2025-01-01',   30, 0),
    ('KR', 'Naver Plus', '네이버플러스 멤버십', 'Standard', 1, 'year',  46800, '2025-01-01', NULL, 0),
    ('KR', 'Coupang',    '로켓와우',            'Standard', 1, 'month',  7890, '2024-04-13',   30, 0),
    ('KR', 'SK Telecom', '5GX 프라임',          'Standard', 1, 'month', 89000, '2025-01-01', NULL, 0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix', 'Standard with ads', 'Standard', 1, 'month', '2022-11-04',  5500
    UNION ALL SELECT 'YouTube', 'Premium',           'Standard', 1, 'month', '2020-09-01', 10450
    UNION ALL SELECT 'Coupang', '로켓와우',          'Standard', 1, 'month', '2021-12-30',  4990
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'KR' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── India
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('IN', 'Netflix',      'Mobile',       'Standard',  1, 'month',  149.00, '2021-12-14', NULL, 0),
    ('IN', 'Netflix',      'Basic',        'Standard',  1, 'month',  199.00, '2021-12-14', NULL, 0),
    ('IN', 'Netflix',      'Standard',     'Standard',  1, 'month',  499.00, '2021-12-14', NULL, 0),
    ('IN', 'Netflix',      'Premium',      'Standard',  1, 'month',  649.00, '2021-12-14', NULL, 0),
    ('IN', 'JioHotstar',   'Mobile',       'Standard',  3, 'month',  149.00, '2025-02-14', NULL, 0),
    ('IN', 'JioHotstar',   'Premium',      'Standard',  1, 'year',  1499.00, '2025-02-14', NULL, 0),
    ('IN', 'YouTube',      'Premium',      'Standard',  1, 'month',  149.00, '2024-08-26',   30, 0),
    ('IN', 'YouTube',      'Premium',      'Student',   1, 'month',   89.00, '2024-08-26',   30, 0),
    ('IN', 'Spotify',      'Premium Mini', 'Standard',  1, 'week',    29.00, '2025-01-01', NULL, 0),
    ('IN', 'Spotify',      'Premium',      'Standard',  1, 'month',  119.00, '2025-01-01',   30, 0),
    ('IN', 'Amazon Prime', 'Prime',        'Standard',  1, 'month',  299.00, '2023-04-26', NULL, 0),
    ('IN', 'Amazon Prime', 'Prime',        'Standard',  1, 'year',  1499.00, '2021-12-14', NULL, 0),
    ('IN', 'Jio',          '2 GB a day',   'Standard', 28, 'day',    349.00, '2024-07-03', NULL, 0),
    ('IN', 'Jio',          '2.5 GB a day', 'Standard',  1, 'year',  3599.00, '2024-07-03', NULL, 0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'YouTube',      'Premium', 'Standard', 1, 'month', '2019-03-13', 129.00
    UNION ALL SELECT 'Amazon Prime', 'Prime',   'Standard', 1, 'year',  '2017-10-27', 999.00
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'IN' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── Brazil
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('BR', 'Netflix',      'Standard with ads', 'Standard', 1, 'month',  20.90, '2024-05-30', NULL,  0),
    ('BR', 'Netflix',      'Standard',          'Standard', 1, 'month',  44.90, '2024-05-30', NULL,  0),
    ('BR', 'Netflix',      'Premium',           'Standard', 1, 'month',  59.90, '2024-05-30', NULL,  0),
    ('BR', 'Globoplay',    'Premium',           'Standard', 1, 'month',  39.90, '2025-01-01', NULL,  0),
    ('BR', 'Spotify',      'Premium',           'Standard', 1, 'month',  23.90, '2025-09-01',   30,  0),
    ('BR', 'Spotify',      'Premium',           'Family',   1, 'month',  40.90, '2025-09-01', NULL,  0),
    ('BR', 'Amazon Prime', 'Prime',             'Standard', 1, 'month',  19.90, '2024-03-19',   30,  0),
    ('BR', 'Amazon Prime', 'Prime',             'Standard', 1, 'year',  166.80, '2024-03-19',   30,  0),
    ('BR', 'Smart Fit',    'Plano Black',       'Standard', 1, 'month', 149.90, '2025-01-01', NULL, 30)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix',      'Standard', 'Standard', 1, 'month', '2021-07-22',  39.90
    UNION ALL SELECT 'Spotify',      'Premium',  'Standard', 1, 'month', '2023-07-24',  21.90
    UNION ALL SELECT 'Amazon Prime', 'Prime',    'Standard', 1, 'year',  '2022-05-20', 119.00
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'BR' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── Canada
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('CA', 'Netflix',          'Standard with ads', 'Standard', 1, 'month',  7.99, '2025-01-21', NULL,  0),
    ('CA', 'Netflix',          'Standard',          'Standard', 1, 'month', 18.99, '2025-01-21', NULL,  0),
    ('CA', 'Netflix',          'Premium',           'Standard', 1, 'month', 23.99, '2025-01-21', NULL,  0),
    ('CA', 'Crave',            'Premium',           'Standard', 1, 'month', 22.00, '2025-01-01', NULL,  0),
    ('CA', 'Spotify',          'Premium',           'Standard', 1, 'month', 12.69, '2024-09-01',   30,  0),
    ('CA', 'Amazon Prime',     'Prime',             'Standard', 1, 'month',  9.99, '2022-04-08',   30,  0),
    ('CA', 'Amazon Prime',     'Prime',             'Standard', 1, 'year',  99.00, '2022-04-08',   30,  0),
    ('CA', 'GoodLife Fitness', 'Premium',           'Standard', 2, 'week',  36.99, '2025-01-01', NULL, 30)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
              SELECT 'Netflix',      'Standard', 'Standard', 1, 'month', '2022-01-14', 16.49
    UNION ALL SELECT 'Amazon Prime', 'Prime',    'Standard', 1, 'year',  '2013-01-08', 79.00
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'CA' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── Australia
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('AU', 'Netflix',         'Standard with ads', 'Standard', 1, 'month',  9.99, '2025-08-01', NULL,  0),
    ('AU', 'Netflix',         'Standard',          'Standard', 1, 'month', 20.99, '2025-08-01', NULL,  0),
    ('AU', 'Netflix',         'Premium',           'Standard', 1, 'month', 28.99, '2025-08-01', NULL,  0),
    ('AU', 'Stan',            'Standard',          'Standard', 1, 'month', 17.00, '2025-01-01',   30,  0),
    ('AU', 'Amazon Prime',    'Prime',             'Standard', 1, 'month',  9.99, '2023-05-24',   30,  0),
    ('AU', 'Amazon Prime',    'Prime',             'Standard', 1, 'year',  79.00, '2023-05-24',   30,  0),
    ('AU', 'Telstra',         'Basic',             'Standard', 1, 'month', 70.00, '2025-07-01', NULL,  0),
    ('AU', 'Anytime Fitness', 'Standard',          'Standard', 1, 'week',  18.95, '2025-01-01', NULL, 30)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
-- What some of them cost before, or from a later day on.
INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
WITH Price (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Effective_on, Fee) AS (
    SELECT 'Netflix', 'Standard', 'Standard', 1, 'month', '2024-08-01', 18.99
)
SELECT Plan.Plan_ID, Price.Effective_on, Price.Fee
FROM Price JOIN Plan USING (Provider, Plan_name, Subscription_type, Duration_value, Duration_unit)
WHERE Plan.Country_ID = 'AU' AND Plan.Owner_ID IS NULL AND Plan.Fee_since <> Price.Effective_on
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee);
COMMIT;

-- ───────── China
START TRANSACTION;
INSERT INTO Plan
    (Country_ID, Provider, Plan_name, Subscription_type, Duration_value, Duration_unit, Fee, Fee_since, Trial_days, Notice_days)
VALUES
    ('CN', 'iQIYI',               '黄金VIP会员', 'Standard', 1, 'month',  25.00, '2025-01-01', NULL, 0),
    ('CN', 'iQIYI',               '黄金VIP会员', 'Standard', 3, 'month',  68.00, '2025-01-01', NULL, 0),
    ('CN', 'iQIYI',               '黄金VIP会员', 'Standard', 1, 'year',  238.00, '2025-01-01', NULL, 0),
    ('CN', 'Bilibili',            '大会员',      'Standard', 1, 'month',  25.00, '2025-01-01', NULL, 0),
    ('CN', 'Bilibili',            '大会员',      'Standard', 3, 'month',  68.00, '2025-01-01', NULL, 0),
    ('CN', 'NetEase Cloud Music', '黑胶VIP',     'Standard', 1, 'month',  15.00, '2025-01-01', NULL, 0),
    ('CN', 'Apple Music',         'Apple Music', 'Family',   1, 'month',  17.00, '2025-01-01',   30, 0),
    ('CN', 'JD.com',              'PLUS会员',    'Standard', 1, 'year',   99.00, '2025-01-01', NULL, 0)
ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since),
    Trial_days = VALUES(Trial_days), Notice_days = VALUES(Notice_days);
COMMIT;
