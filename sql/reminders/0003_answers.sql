-- Tokens by which the reader of a notification answers its reminders, or ends the mails. The database has their hashes alone.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

CREATE TABLE IF NOT EXISTS Answer_secret (
    Secret_hash     BINARY(32)                     NOT NULL,
    User_ID         BINARY(16)                     NOT NULL,
    Notification_no BIGINT UNSIGNED                NOT NULL,
    Purpose         ENUM ('answer', 'unsubscribe') NOT NULL,
    Expires_at      DATETIME                       NOT NULL,
    PRIMARY KEY (Secret_hash),
    KEY Answer_secret_age (Expires_at),
    KEY Answer_secret_notification (User_ID, Notification_no),
    FOREIGN KEY (User_ID, Notification_no) REFERENCES Notification (User_ID, Notification_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
