-- Reminders: when each user is looked at next, the settings, and what was said.
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

-- Without a row the usual settings hold. With one, Reminder_lead has all days ahead that there are.
CREATE TABLE IF NOT EXISTS Reminder_setting (
    User_ID     BINARY(16)       NOT NULL,
    -- The time on the clock of the user's zone.
    Remind_at   TIME             NOT NULL DEFAULT '09:00:00',
    -- NULL: the language of the country.
    Language    CHAR(2)          CHARACTER SET ascii COLLATE ascii_bin NULL,
    -- After so many days an unanswered reminder is said again; NULL: it is not.
    Repeat_days TINYINT UNSIGNED NULL,
    -- 1 Monday … 7 Sunday: the day of the digest and of debts; NULL: never.
    Weekly_on   TINYINT UNSIGNED NULL DEFAULT 1,
    By_mail     BOOLEAN          NOT NULL DEFAULT TRUE,
    Ver         BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- How many days ahead, several for a kind. Of overdue: how many days after.
CREATE TABLE IF NOT EXISTS Reminder_lead (
    User_ID   BINARY(16)        NOT NULL,
    Kind      ENUM ('renewal', 'cancel_by', 'trial', 'price', 'ended', 'overdue', 'date') NOT NULL,
    Lead_days SMALLINT UNSIGNED NOT NULL,
    PRIMARY KEY (User_ID, Kind, Lead_days),
    FOREIGN KEY (User_ID) REFERENCES Reminder_setting (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The news of one look. The number is the version of the user's scope then: it only grows, and is never used again.
CREATE TABLE IF NOT EXISTS Notification (
    User_ID         BINARY(16)      NOT NULL,
    Notification_no BIGINT UNSIGNED NOT NULL,
    Fired_at        DATETIME        NOT NULL,
    PRIMARY KEY (User_ID, Notification_no),
    KEY Notification_age (Fired_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- One thing that was said. The key keeps it from being said twice. Subject_ID: a subscription, a date of a contact, or the user.
-- Occurs_on: the day that it is about. Lead_days: how many days before that it was due, negative after it.
CREATE TABLE IF NOT EXISTS Reminder (
    User_ID         BINARY(16)      NOT NULL,
    Subject_ID      BINARY(16)      NOT NULL,
    Kind            ENUM ('renewal', 'cancel_by', 'trial', 'price', 'ended', 'overdue', 'date', 'debts', 'digest') NOT NULL,
    Occurs_on       DATE            NOT NULL,
    Lead_days       SMALLINT        NOT NULL,
    Notification_no BIGINT UNSIGNED NOT NULL,
    Answer          ENUM ('keep', 'cancel', 'renew', 'snooze', 'done') NULL,
    Answered_at     DATETIME        NULL,
    Snoozed_until   DATE            NULL,
    Ver             BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Subject_ID, Kind, Occurs_on, Lead_days),
    KEY Reminder_notification (User_ID, Notification_no),
    KEY Reminder_feed (User_ID, Ver),
    KEY Reminder_age (Occurs_on),
    FOREIGN KEY (User_ID, Notification_no) REFERENCES Notification (User_ID, Notification_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
