-- Reminders: the time of the next look at each user, the settings, and the reminders that were said. An id is a user's own: two users may have the same.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A scope whose counter has moved since reminders were planned from it is stale. No trigger keeps the mark: the column follows
-- from the two counters, and is NULL for all others. (IF NOT EXISTS for a column is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Scope' AND COLUMN_NAME = 'Planned_ver') = 0,
    'ALTER TABLE Scope
        ADD COLUMN Planned_ver BIGINT UNSIGNED NOT NULL DEFAULT 0,
        ADD COLUMN Stale TINYINT GENERATED ALWAYS AS (CASE WHEN Ver <> Planned_ver THEN 1 END) STORED,
        ADD KEY Scope_stale (Stale)', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- One row for a user, however many subscriptions there are. Only looks write it, under the lock of the user's scope.
CREATE TABLE IF NOT EXISTS Agenda (
    User_ID   BINARY(16) NOT NULL,
    Next_at   DATETIME   NOT NULL,
    Looked_at DATETIME   NOT NULL,
    PRIMARY KEY (User_ID),
    KEY Agenda_due (Next_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- One row for a user. Without it the usual settings hold.
CREATE TABLE IF NOT EXISTS Reminder_setting (
    User_ID             BINARY(16)        NOT NULL,
    Reminder_setting_ID BINARY(16)        NOT NULL DEFAULT '',
    -- The time on the clock of the user's zone: 09:00.
    Remind_at           VARCHAR(20)       CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '09:00',
    -- NULL: the language of the country.
    Language            VARCHAR(20)       CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    -- After so many days an unanswered reminder is said again; NULL: it is not.
    Repeat_days         SMALLINT UNSIGNED NULL,
    -- 1 Monday … 7 Sunday: the day of the digest; NULL: never.
    Weekly_on           SMALLINT UNSIGNED NULL DEFAULT 1,
    By_mail             BOOLEAN           NOT NULL DEFAULT TRUE,
    Created_at          DATETIME          NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Deleted_at          DATETIME          NULL,
    Ver                 BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_remind_at       BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_language        BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_repeat_days     BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_weekly_on       BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_by_mail         BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Reminder_setting_ID),
    KEY Reminder_setting_feed (User_ID, Ver),
    KEY Reminder_setting_deleted (Deleted_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The days ahead of a kind, a row for each. They take the place of its usual days. NULL adds none: alone, the kind is never said.
CREATE TABLE IF NOT EXISTS Reminder_lead (
    User_ID          BINARY(16)        NOT NULL,
    Reminder_lead_ID BINARY(16)        NOT NULL DEFAULT '',
    Kind             VARCHAR(40)       CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    -- Of overdue: how many days after.
    Days             SMALLINT UNSIGNED NULL,
    Created_at       DATETIME          NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Deleted_at       DATETIME          NULL,
    Ver              BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_days         BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Reminder_lead_ID),
    KEY Reminder_lead_feed (User_ID, Ver),
    KEY Reminder_lead_deleted (Deleted_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- One thing that was said. The second key keeps it from being said twice. A deleted row counts as said.
CREATE TABLE IF NOT EXISTS Reminder (
    User_ID         BINARY(16)      NOT NULL,
    Reminder_ID     BINARY(16)      NOT NULL DEFAULT '',
    -- A subscription, a date of a contact, or the user.
    Subject_ID      BINARY(16)      NOT NULL,
    Kind            VARCHAR(40)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    -- The day that it is about.
    Occurs_on       DATE            NOT NULL,
    -- How many days before that day it was due, negative after it.
    Lead_days       SMALLINT        NOT NULL,
    Answer          VARCHAR(40)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    Snoozed_until   DATE            NULL,
    -- The look that said it: the version of the user's scope then, which only grows. NULL: a device was first.
    Notification_no BIGINT UNSIGNED NULL,
    Created_at      DATETIME        NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Deleted_at      DATETIME        NULL,
    Ver             BIGINT UNSIGNED NOT NULL DEFAULT 0,
    Ver_answer      BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Reminder_ID),
    UNIQUE KEY Reminder_once (User_ID, Subject_ID, Kind, Occurs_on, Lead_days),
    KEY Reminder_feed (User_ID, Ver),
    KEY Reminder_of_day (User_ID, Occurs_on),
    KEY Reminder_notification (User_ID, Notification_no),
    KEY Reminder_age (Occurs_on),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- Tokens by which the reader of a mail answers its reminders, or ends the mails. The database has their hashes alone.
CREATE TABLE IF NOT EXISTS Answer_secret (
    Secret_hash     BINARY(32)                     NOT NULL,
    User_ID         BINARY(16)                     NOT NULL,
    Notification_no BIGINT UNSIGNED                NOT NULL,
    Purpose         ENUM ('answer', 'unsubscribe') NOT NULL,
    Expires_at      DATETIME                       NOT NULL,
    PRIMARY KEY (Secret_hash),
    KEY Answer_secret_age (Expires_at),
    KEY Answer_secret_user (User_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
