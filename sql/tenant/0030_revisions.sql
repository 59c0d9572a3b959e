-- Revisions of the catalogue: what was loaded as text, how it was understood, and which countries have got it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A set of plans that is checked, looked at, and then applied or thrown away. Setting Checked_at checks it (again).
CREATE TABLE IF NOT EXISTS Revision (
    Revision     VARCHAR(50) NOT NULL,
    -- The day from which prices hold whose rows name none, and from which plans that are missing are withdrawn.
    Effective_on DATE        NOT NULL DEFAULT (UTC_DATE()),
    -- Whether it has all plans of its providers in its countries: those that are not in it are withdrawn.
    Is_complete  BOOLEAN     NOT NULL DEFAULT FALSE,
    Created_at   DATETIME    NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Checked_at   DATETIME(6) NULL,
    PRIMARY KEY (Revision)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The rows of a revision as they came: the bytes of a file, whatever they are. LOAD DATA bends what does not fit a column
-- without a word, and cuts a text at a byte that is not of its character set; here everything fits, and the check sees it.
-- No trigger and one index: it is as quick to load as a table can be.
CREATE TABLE IF NOT EXISTS Staged_plan (
    Staged_ID         BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    Revision          VARCHAR(50)     NOT NULL,
    -- The row's line in its file; where it is not said, the rows are counted.
    Line              INT UNSIGNED    NULL,
    Country_ID        VARBINARY(500)  NULL,
    Provider          VARBINARY(500)  NULL,
    Plan_name         VARBINARY(500)  NULL,
    Subscription_type VARBINARY(500)  NULL,
    Fee               VARBINARY(500)  NULL,
    Currency_code     VARBINARY(500)  NULL,
    Fee_since         VARBINARY(500)  NULL,
    Duration_value    VARBINARY(500)  NULL,
    Duration_unit     VARBINARY(500)  NULL,
    Trial_days        VARBINARY(500)  NULL,
    Notice_days       VARBINARY(500)  NULL,
    Withdrawn_on      VARBINARY(500)  NULL,
    Category          VARBINARY(500)  NULL,
    PRIMARY KEY (Staged_ID),
    KEY Staged_plan_revision (Revision)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The rows of a revision as the check understood them, and what applying them does or did. The triggers write it.
CREATE TABLE IF NOT EXISTS Revised_plan (
    Revision          VARCHAR(50)       NOT NULL,
    -- Rows are counted as they came; plans that are not in the file have numbers above 4000000000.
    Row_no            BIGINT UNSIGNED   NOT NULL,
    -- The line in the file; NULL for plans that are not in it.
    Line              INT UNSIGNED      NULL,
    Country_ID        CHAR(2)           CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Outcome           VARCHAR(12)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'unchanged',
    -- Why it was rejected, or what changes, in words.
    Explanation       VARCHAR(255)      NULL,
    Provider          VARCHAR(100)      NULL,
    Plan_name         VARCHAR(100)      NULL,
    Subscription_type VARCHAR(30)       NULL,
    Fee               DECIMAL(18, 6)    NULL,
    Currency_code     CHAR(3)           CHARACTER SET ascii COLLATE ascii_bin NULL,
    Fee_since         DATE              NOT NULL,
    Duration_value    SMALLINT UNSIGNED NULL,
    Duration_unit     ENUM ('day', 'week', 'month', 'year') NULL,
    Trial_days        SMALLINT UNSIGNED NULL,
    Notice_days       SMALLINT UNSIGNED NULL,
    Withdrawn_on      DATE              NULL,
    Category          VARCHAR(50)       NULL,
    Staged_ID         BIGINT UNSIGNED   NULL,
    -- The plan that it is of; NULL until there is one.
    Plan_ID           INT UNSIGNED      NULL,
    -- The price of the same plan in the same revision on the last day before.
    Prior_since       DATE              NULL,
    Prior_fee         DECIMAL(18, 6)    NULL,
    Prior_currency    CHAR(3)           CHARACTER SET ascii COLLATE ascii_bin NULL,
    -- Whether it is the plan's last row by day: its terms count.
    Is_last           BOOLEAN           NOT NULL DEFAULT TRUE,
    -- What is done to the price line: 0 nothing, 1 a day is added, 2 a day of Plan_price is corrected, 3 that of Plan is.
    Price_change      TINYINT UNSIGNED  NOT NULL DEFAULT 0,
    Changes_terms     BOOLEAN           NOT NULL DEFAULT FALSE,
    -- A country's rows lie side by side: each is compared and applied by itself.
    PRIMARY KEY (Revision, Country_ID, Row_no),
    KEY Revised_plan_plan (Revision, Country_ID, Plan_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The countries of a revision. Setting Applied_at applies one: all of it, in that one statement.
CREATE TABLE IF NOT EXISTS Revision_country (
    Revision      VARCHAR(50)  NOT NULL,
    -- '' for rows whose country could not be read.
    Country_ID    CHAR(2)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Applied_at    DATETIME(6)  NULL,
    -- What the last check found, or what was applied.
    New_plans     INT UNSIGNED NOT NULL DEFAULT 0,
    Changed_price INT UNSIGNED NOT NULL DEFAULT 0,
    Changed_terms INT UNSIGNED NOT NULL DEFAULT 0,
    Withdrawn     INT UNSIGNED NOT NULL DEFAULT 0,
    Unchanged     INT UNSIGNED NOT NULL DEFAULT 0,
    Rejected      INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (Revision, Country_ID),
    FOREIGN KEY (Revision) REFERENCES Revision (Revision)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The providers of a revision: whoever is named in it has all of their plans in it, where it is complete.
CREATE TABLE IF NOT EXISTS Revision_provider (
    Revision VARCHAR(50)  NOT NULL,
    Provider VARCHAR(100) NOT NULL,
    PRIMARY KEY (Revision, Provider),
    FOREIGN KEY (Revision) REFERENCES Revision (Revision)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
