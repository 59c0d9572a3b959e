-- Channels by which a user is told beside mail, and notifications on their way by them.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

CREATE TABLE IF NOT EXISTS Channel (
    User_ID       BINARY(16)      NOT NULL,
    -- The user's own: another user may have a channel of the same id.
    Channel_ID    BINARY(16)      NOT NULL DEFAULT '',
    Kind          ENUM ('webpush', 'ntfy', 'webhook') NOT NULL,
    Channel_name  VARCHAR(100)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    -- The URL. That of a browser is a secret of its push service.
    Target        VARCHAR(2000)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- A browser's keys, or the access token of ntfy, sealed with a key that is not in the database.
    Sealed        VARBINARY(1024) NULL,
    -- Random, given by the trigger. Secrets follow from it and from the key. It stays when the channel moves to another user.
    Key_salt      BINARY(16)      NOT NULL DEFAULT '',
    -- The number of the webhook's secret. A higher one is another secret.
    Secret_no     INT UNSIGNED    NOT NULL DEFAULT 0,
    -- The time of the last rotation: for a day the former secret signs as well.
    Secret_since  DATETIME        NULL,
    -- A browser is told as long as its device is signed in. Not a foreign key: a device may go first.
    Device_ID     BINARY(16)      NULL,
    -- The time of the first failure since the last success.
    Failing_since DATETIME        NULL,
    Last_problem  VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Paused_at     DATETIME        NULL,
    -- The time at which the user asked for a test that is still to be sent.
    Test_asked_at DATETIME        NULL,
    -- The end of the last test.
    Tested_at     DATETIME        NULL,
    Created_at    DATETIME        NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Ver           BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Channel_ID),
    KEY Channel_feed (User_ID, Ver),
    KEY Channel_test (Test_asked_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- A replica that moves Next_attempt_at has the right to try. Attempts is the fence: a replica that was too slow marks nothing.
-- Deliveries of a paused channel are put off to the year 9999.
CREATE TABLE IF NOT EXISTS Delivery (
    User_ID         BINARY(16)       NOT NULL,
    Notification_no BIGINT UNSIGNED  NOT NULL,
    Channel_ID      BINARY(16)       NOT NULL,
    Attempts        TINYINT UNSIGNED NOT NULL DEFAULT 0,
    Next_attempt_at DATETIME         NOT NULL,
    -- After the last attempt. The row stays until the user has it sent again, or for 30 days.
    Dead_at         DATETIME         NULL,
    Last_problem    VARCHAR(200)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    PRIMARY KEY (User_ID, Notification_no, Channel_ID),
    KEY Delivery_due (Dead_at, Next_attempt_at),
    KEY Delivery_channel (User_ID, Channel_ID),
    FOREIGN KEY (User_ID, Notification_no) REFERENCES Notification (User_ID, Notification_no),
    FOREIGN KEY (User_ID, Channel_ID) REFERENCES Channel (User_ID, Channel_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
