-- People, the accounts that lead to them, and the devices that are signed in as them.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A user exists before any account does: the first start of a client makes one.
CREATE TABLE IF NOT EXISTS `User` (
    User_ID    BINARY(16)      NOT NULL,
    User_name  VARCHAR(100)    NULL,
    Country_ID CHAR(2)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    -- IANA name. The database never counts days in it: named zones may not be loaded here.
    Time_zone  VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'UTC',
    Created_at DATETIME        NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Ver        BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID),
    KEY User_country (Country_ID),
    FOREIGN KEY (Country_ID) REFERENCES Country (Country_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- An e-mail and a password that lead to a user. Addresses are the same whatever their case: the column's collation.
CREATE TABLE IF NOT EXISTS Account (
    Email       VARCHAR(254) NOT NULL,
    -- The encoded hash with its parameters; never a password.
    Password    VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    User_ID     BINARY(16)   NOT NULL,
    Verified_at DATETIME     NULL,
    Created_at  DATETIME     NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (Email),
    KEY Account_user (User_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- An installation of a client, signed in as one user at a time.
CREATE TABLE IF NOT EXISTS Device (
    Device_ID   BINARY(16)   NOT NULL,
    User_ID     BINARY(16)   NOT NULL,
    Device_name VARCHAR(100) NOT NULL,
    Created_at  DATETIME     NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (Device_ID),
    KEY Device_user (User_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- A token of a device. Only its hash is stored: a stolen dump opens nothing.
CREATE TABLE IF NOT EXISTS Session (
    Session_ID   BINARY(16) NOT NULL,
    Device_ID    BINARY(16) NOT NULL,
    Token_hash   BINARY(32) NOT NULL,
    Created_at   DATETIME   NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Last_used_at DATETIME   NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (Session_ID),
    UNIQUE KEY Session_token (Token_hash),
    KEY Session_device (Device_ID),
    FOREIGN KEY (Device_ID) REFERENCES Device (Device_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
