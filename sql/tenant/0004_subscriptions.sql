-- What a user keeps paying for.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A user's use of a plan, in its current period.
--
-- A person types Subscription_ID (or leaves it out), User_ID, Plan_ID, Start_date, Free_trial, Auto_renew, Own_fee,
-- Label, Note, Reminder_days and Cancelled_on. The rest is the triggers': what is given for it is overwritten. Those
-- columns have defaults, for MariaDB refuses an INSERT … SELECT that leaves out a column without one (1364).
--
-- The rows of one user lie side by side (the primary key begins with User_ID): a user's list is one page to read.
CREATE TABLE IF NOT EXISTS Subscription (
    Subscription_ID BINARY(16)        NOT NULL DEFAULT '',
    User_ID         BINARY(16)        NOT NULL,
    Plan_ID         INT UNSIGNED      NOT NULL,
    -- First day of the current period, and the day after its last: the day of the next renewal.
    Start_date      DATE              NOT NULL,
    End_date        DATE              NOT NULL DEFAULT '1970-01-02',
    Free_trial      BOOLEAN           NOT NULL DEFAULT FALSE,
    -- End_date is Anchor_date + Anchor_count durations. Count 0: a trial, whose end is no multiple.
    Anchor_date     DATE              NOT NULL DEFAULT '1970-01-02',
    Anchor_count    INT UNSIGNED      NOT NULL DEFAULT 0,
    -- The number of the period only grows and is never used again.
    Period          INT UNSIGNED      NOT NULL DEFAULT 0,
    -- What the current period costs, taken when it began.
    Period_fee      DECIMAL(18, 6)    NOT NULL DEFAULT 0,
    Period_currency CHAR(3)           CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    -- What this user pays for a period, in the plan's currency, where that is not the plan's fee.
    Own_fee         DECIMAL(18, 6)    NULL,
    Auto_renew      BOOLEAN           NOT NULL DEFAULT FALSE,
    -- The day on which it was cancelled: it runs out at End_date.
    Cancelled_on    DATE              NULL,
    Reminder_days   SMALLINT UNSIGNED NULL,
    Label           VARCHAR(100)      NULL,
    Note            VARCHAR(1000)     NULL,
    -- Deleted, but can be restored for 30 days.
    Deleted_at      DATETIME          NULL,
    Created_at      DATETIME          NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Ver             BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    -- Versions of the groups of fields that merge on their own: plan, dates and fee; renewal, cancelling and reminder;
    -- label and note.
    Ver_billing     BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_intent      BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_notes       BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Subscription_ID),
    UNIQUE KEY Subscription_key (Subscription_ID),
    KEY Subscription_due (User_ID, End_date),
    KEY Subscription_feed (User_ID, Ver),
    KEY Subscription_plan (Plan_ID),
    KEY Subscription_deleted (Deleted_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID),
    FOREIGN KEY (Plan_ID) REFERENCES Plan (Plan_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The periods that have ended, and what they cost.
-- A period's version is never above its subscription's, so that a feed finds it by way of the subscription.
-- Plan_ID has no foreign key: one would make every renewal wait for an admin's open transaction on Plan. The trigger
-- Plan_before_delete guards it.
CREATE TABLE IF NOT EXISTS Subscription_period (
    Subscription_ID BINARY(16)      NOT NULL,
    Period          INT UNSIGNED    NOT NULL,
    Start_date      DATE            NOT NULL,
    End_date        DATE            NOT NULL,
    Fee             DECIMAL(18, 6)  NOT NULL,
    Currency_code   CHAR(3)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Free_trial      BOOLEAN         NOT NULL,
    Plan_ID         INT UNSIGNED    NOT NULL,
    Ver             BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (Subscription_ID, Period),
    UNIQUE KEY Period_start (Subscription_ID, Start_date),
    KEY Period_plan (Plan_ID),
    FOREIGN KEY (Subscription_ID) REFERENCES Subscription (Subscription_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
