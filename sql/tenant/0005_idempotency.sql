-- What was answered to a write that named a key, so that the same write sent again gets the same answer.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Written in the transaction of the write itself: both are there or neither is.
-- A user's rows go with the user by a trigger; all rows go after 90 days.
CREATE TABLE IF NOT EXISTS Idempotency (
    User_ID         BINARY(16)        NOT NULL,
    Idempotency_key VARCHAR(128)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- SHA-256 of the operation's name and input.
    Payload_hash    BINARY(32)        NOT NULL,
    Entity_tag      VARCHAR(40)       CHARACTER SET ascii COLLATE ascii_bin NULL,
    -- The JSON of the answer; NULL: an answer without a body.
    Answer          MEDIUMBLOB        NULL,
    Created_at      DATETIME          NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (User_ID, Idempotency_key),
    KEY Idempotency_age (Created_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
