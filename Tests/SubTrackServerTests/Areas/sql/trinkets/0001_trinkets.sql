-- Trinkets: a kind of row for tests of rules that all declared kinds share.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

CREATE TABLE IF NOT EXISTS Trinket (
    User_ID       BINARY(16)        NOT NULL,
    Trinket_ID    BINARY(16)        NOT NULL DEFAULT '',
    Code          VARCHAR(100)      CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Note          VARCHAR(200)      CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Shelf         SMALLINT UNSIGNED NOT NULL,
    Starred       BOOLEAN           NOT NULL DEFAULT FALSE,
    Bought_on     DATE              NULL,
    Friend_id     BINARY(16)        NULL,
    Created_at    DATETIME          NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Deleted_at    DATETIME          NULL,
    Ver           BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_note      BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_place     BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_bought_on BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    Ver_friend_id BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Trinket_ID),
    KEY Trinket_feed (User_ID, Ver),
    KEY Trinket_deleted (Deleted_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

CREATE TABLE IF NOT EXISTS Trinket_mark (
    User_ID    BINARY(16)       NOT NULL,
    Trinket_ID BINARY(16)       NOT NULL,
    Mark_ID    BINARY(16)       NOT NULL DEFAULT '',
    Label      VARCHAR(100)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Weight     TINYINT UNSIGNED NULL,
    Ver        BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Trinket_ID, Mark_ID),
    FOREIGN KEY (User_ID, Trinket_ID) REFERENCES Trinket (User_ID, Trinket_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
