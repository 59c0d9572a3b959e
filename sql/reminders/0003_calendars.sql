-- Calendars that programs read at a secret address.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The hash alone: nobody who reads the table can read a calendar. A revoked address has no row.
CREATE TABLE IF NOT EXISTS Calendar_feed (
    -- SHA-256 of the token in the address.
    Token_hash    BINARY(32)   NOT NULL,
    User_ID       BINARY(16)   NOT NULL,
    Calendar_ID   BINARY(16)   NOT NULL,
    Calendar_name VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Created_at    DATETIME     NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (Token_hash),
    UNIQUE KEY Calendar_of_user (User_ID, Calendar_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
