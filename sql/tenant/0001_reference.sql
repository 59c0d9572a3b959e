-- What everything else refers to: scopes of sync, settings, currencies, countries, providers.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A scope is a set of rows that is synced together, with a counter that only grows. Its id is a user's id, or an ASCII
-- name padded with zeros: 'reference' (currencies, countries, providers), 'CUS' (the catalogue of the United States).
-- A row is never deleted: a counter that began again would lie below cursors that are out there. For the same reason
-- nothing refers to it by a foreign key.
CREATE TABLE IF NOT EXISTS Scope (
    Scope_ID  BINARY(16)      NOT NULL,
    Ver       BIGINT UNSIGNED NOT NULL,
    -- Tombstones up to this version may have been removed.
    Floor_ver BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (Scope_ID)
) ENGINE = InnoDB;

-- What was deleted. Entity: 1 me, 2 subscription, 3 period, 4 plan, 5 price, 6 provider, 7 country, 8 currency.
CREATE TABLE IF NOT EXISTS Tombstone (
    Scope_ID   BINARY(16)       NOT NULL,
    Ver        BIGINT UNSIGNED  NOT NULL,
    Entity     TINYINT UNSIGNED NOT NULL,
    Row_ID     VARBINARY(400)   NOT NULL,
    Deleted_at DATETIME         NOT NULL,
    PRIMARY KEY (Scope_ID, Ver, Entity, Row_ID),
    KEY Tombstone_age (Deleted_at)
) ENGINE = InnoDB;

-- What an operator may set for the tenant: Default_country (for users who name none), Oldest_service (the oldest
-- version of the service that this database accepts).
CREATE TABLE IF NOT EXISTS Setting (
    Setting_name  VARCHAR(50)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Setting_value VARCHAR(255) NOT NULL,
    PRIMARY KEY (Setting_name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- ISO 4217.
CREATE TABLE IF NOT EXISTS Currency (
    Currency_code CHAR(3)          CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Currency_name VARCHAR(100)     NOT NULL,
    Minor_digits  TINYINT UNSIGNED NOT NULL,
    Ver           BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    PRIMARY KEY (Currency_code),
    KEY Currency_feed (Ver)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- ISO 3166-1.
CREATE TABLE IF NOT EXISTS Country (
    Country_ID    CHAR(2)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Country_name  VARCHAR(100)    NOT NULL,
    Currency_code CHAR(3)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Ver           BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (Country_ID),
    UNIQUE KEY Country_by_name (Country_name),
    KEY Country_feed (Ver),
    FOREIGN KEY (Currency_code) REFERENCES Currency (Currency_code)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- Who sells plans of the catalogue. A plan that names a provider which is not here yet makes it.
CREATE TABLE IF NOT EXISTS Provider (
    Provider   VARCHAR(100)    NOT NULL,
    Category   VARCHAR(50)     NOT NULL DEFAULT 'Other',
    Website    VARCHAR(255)    NULL,
    Cancel_URL VARCHAR(255)    NULL,
    Ver        BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (Provider),
    KEY Provider_feed (Ver)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
