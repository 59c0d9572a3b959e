-- How far the data of each tenant have come.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The sum of all counters of a tenant, noted from time to time. Counters only grow: a smaller sum than was noted tells
-- that a backup was restored. It stands here because a restored dump of the tenant would bring the old one back.
CREATE TABLE IF NOT EXISTS Tenant_counter (
    Slug        VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Counter_sum BIGINT UNSIGNED NOT NULL,
    Noted_at    DATETIME        NOT NULL,
    PRIMARY KEY (Slug),
    FOREIGN KEY (Slug) REFERENCES Tenant (Slug)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
