-- Addresses that differ in more than case are different people's; what a token was that has ended; who was signed in where.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- By the collation so far, josé@ was jose@. An address is now the same whatever its case, and by nothing else. The
-- service stores it in Unicode's normal form C. One statement: all of it is done, or nothing.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Account' AND COLUMN_NAME = 'Email_key') = 0,
    'ALTER TABLE Account
        MODIFY Email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
        ADD COLUMN Email_key VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
            GENERATED ALWAYS AS (LOWER(Email)) STORED AFTER Email,
        ADD UNIQUE KEY Account_email (Email_key)',
    'DO 0');
PREPARE change_account FROM @change;
EXECUTE change_account;
DEALLOCATE PREPARE change_account;

-- Sessions that were not used for long are looked for.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Session' AND INDEX_NAME = 'Session_age') = 0,
    'ALTER TABLE Session ADD KEY Session_age (Last_used_at)',
    'DO 0');
PREPARE change_session FROM @change;
EXECUTE change_session;
DEALLOCATE PREPARE change_session;

-- The hash of a token that was ended, so that its device is told so, and that its user is gone if that is why.
-- Written by the triggers of Session and User. Rows go when the token would have ended by itself.
CREATE TABLE IF NOT EXISTS Ended_session (
    Token_hash   BINARY(32) NOT NULL,
    User_deleted BOOLEAN    NOT NULL DEFAULT FALSE,
    Ended_at     DATETIME   NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (Token_hash),
    KEY Ended_session_age (Ended_at)
) ENGINE = InnoDB;

-- Which devices a user has been signed in on: a sign-in on another one is told by mail, and one of these gets in while
-- somebody else is guessing at the password. A device may be gone, or be another user's today.
CREATE TABLE IF NOT EXISTS Known_device (
    User_ID   BINARY(16) NOT NULL,
    Device_ID BINARY(16) NOT NULL,
    Since     DATETIME   NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (User_ID, Device_ID),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB;

-- A mail that is to be sent. It holds no secret: the token of a link is made when the mail is handed over.
-- Whoever moves Next_attempt_at has the right to try.
CREATE TABLE IF NOT EXISTS Mail (
    Mail_ID         BINARY(16)       NOT NULL,
    Kind            ENUM ('verify', 'reset', 'new_device', 'password_changed', 'email_changed') NOT NULL,
    -- Where to. A reset goes to the account's own address, not to what was typed.
    Email           VARCHAR(254)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    -- What the text names: a device, a new address.
    Detail          VARCHAR(254)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    Language        CHAR(2)          CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Attempts        TINYINT UNSIGNED NOT NULL DEFAULT 0,
    Created_at      DATETIME         NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Next_attempt_at DATETIME         NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Expires_at      DATETIME         NOT NULL,
    PRIMARY KEY (Mail_ID),
    KEY Mail_due (Next_attempt_at),
    KEY Mail_email (Email),
    KEY Mail_age (Expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The hash of a token that was sent by mail, and the address that its owner has shown to read.
CREATE TABLE IF NOT EXISTS Mail_secret (
    Secret_hash BINARY(32)   NOT NULL,
    Purpose     ENUM ('verify', 'reset') NOT NULL,
    Email       VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    Expires_at  DATETIME     NOT NULL,
    PRIMARY KEY (Secret_hash),
    KEY Mail_secret_email (Email),
    KEY Mail_secret_age (Expires_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
