-- What can be subscribed to, and what it costs when.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Who is paid for plans of a user's own, with that user's category. Never in the public Provider.
CREATE TABLE IF NOT EXISTS Private_provider (
    Owner_ID BINARY(16)   NOT NULL,
    Provider VARCHAR(100) NOT NULL,
    Category VARCHAR(50)  NOT NULL DEFAULT 'Other',
    PRIMARY KEY (Owner_ID, Provider),
    FOREIGN KEY (Owner_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- What a provider sells in one country, or a plan of a user's own (Owner_ID).
-- Fee in Currency_code holds from Fee_since on, until the next row of Plan_price. A price stands once: here or there.
-- The provider is a row of Provider or of Private_provider, by Owner_ID; the triggers keep that, for no foreign key can
-- choose between two tables.
-- Fees have more digits than any currency, so that a trigger sees 17.9999 and refuses it before it is rounded.
CREATE TABLE IF NOT EXISTS Plan (
    Plan_ID           INT UNSIGNED      NOT NULL AUTO_INCREMENT,
    Provider          VARCHAR(100)      NOT NULL,
    Plan_name         VARCHAR(100)      NOT NULL,
    Subscription_type VARCHAR(30)       NOT NULL DEFAULT 'Standard',
    Fee               DECIMAL(18, 6)    NOT NULL,
    Currency_code     CHAR(3)           CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    Fee_since         DATE              NOT NULL DEFAULT (UTC_DATE()),
    Duration_value    SMALLINT UNSIGNED NOT NULL,
    Duration_unit     ENUM ('day', 'week', 'month', 'year') NOT NULL,
    Country_ID        CHAR(2)           CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Trial_days        SMALLINT UNSIGNED NULL,
    Notice_days       SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    Withdrawn_on      DATE              NULL,
    Owner_ID          BINARY(16)        NULL,
    Ver               BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    -- 1 in the catalogue, NULL for private plans: a unique key with a NULL in it refuses nothing.
    Listed            TINYINT GENERATED ALWAYS AS (CASE WHEN Owner_ID IS NULL THEN 1 END) STORED,
    PRIMARY KEY (Plan_ID),
    UNIQUE KEY Plan_duplicate (Country_ID, Provider, Plan_name, Subscription_type, Duration_unit, Duration_value, Listed),
    KEY Plan_by_name (Country_ID, Listed, Plan_name, Duration_unit, Duration_value),
    KEY Plan_by_provider (Provider),
    KEY Plan_feed (Country_ID, Ver),
    KEY Plan_private (Owner_ID, Ver),
    FOREIGN KEY (Country_ID) REFERENCES Country (Country_ID),
    FOREIGN KEY (Currency_code) REFERENCES Currency (Currency_code),
    FOREIGN KEY (Owner_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- All other prices of a plan, past and announced, each with the day from which it holds.
CREATE TABLE IF NOT EXISTS Plan_price (
    Plan_ID       INT UNSIGNED    NOT NULL,
    Effective_on  DATE            NOT NULL,
    Fee           DECIMAL(18, 6)  NOT NULL,
    Currency_code CHAR(3)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    Ver           BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (Plan_ID, Effective_on),
    KEY Plan_price_feed (Ver),
    FOREIGN KEY (Plan_ID) REFERENCES Plan (Plan_ID),
    FOREIGN KEY (Currency_code) REFERENCES Currency (Currency_code)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
