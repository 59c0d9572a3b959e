-- Notifications on their way by mail. A row goes when the mail program has taken the mail, or nothing is left to say.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A replica that moves Next_attempt_at has the right to try. Attempts is the fence: a replica that was too slow marks nothing.
CREATE TABLE IF NOT EXISTS Mail_delivery (
    User_ID         BINARY(16)       NOT NULL,
    Notification_no BIGINT UNSIGNED  NOT NULL,
    Attempts        TINYINT UNSIGNED NOT NULL DEFAULT 0,
    Next_attempt_at DATETIME         NOT NULL,
    -- After the last attempt. The row stays until an operator has it tried again, or for 30 days.
    Dead_at         DATETIME         NULL,
    Last_problem    VARCHAR(200)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    PRIMARY KEY (User_ID, Notification_no),
    KEY Mail_delivery_due (Dead_at, Next_attempt_at),
    FOREIGN KEY (User_ID, Notification_no) REFERENCES Notification (User_ID, Notification_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
