-- How many subscriptions each user has had since the area was there: a trigger on another area's table counts.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

CREATE TABLE IF NOT EXISTS Noted_count (
    User_ID       BINARY(16)   NOT NULL,
    Subscriptions INT UNSIGNED NOT NULL,
    PRIMARY KEY (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
