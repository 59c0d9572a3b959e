-- Contacts of users, each with numbers, addresses and days that matter. An id is a user's own: two users may have the same.
--
-- A city does not follow from a zip: one zip may have several cities, and a user types both as the letter has them.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Columns are wider than their bounds, so that a trigger refuses a text that is too long, and no session cuts it.
CREATE TABLE IF NOT EXISTS Contact (
    User_ID     BINARY(16)      NOT NULL,
    Contact_ID  BINARY(16)      NOT NULL DEFAULT '',
    First_name  VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Middle_name VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Last_name   VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Note        VARCHAR(4000)   CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    -- The name of its card elsewhere (vCard UID), so that an import finds it again. Without one that is its id.
    Card_UID    VARCHAR(255)    CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    -- The properties of its card that have no column here, as they came.
    Card_rest   MEDIUMTEXT      CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    Created_at  DATETIME        NOT NULL DEFAULT (UTC_TIMESTAMP()),
    Deleted_at  DATETIME        NULL,
    Ver         BIGINT UNSIGNED NOT NULL DEFAULT 0,
    Ver_note    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Contact_ID),
    UNIQUE KEY Contact_card (User_ID, Card_UID),
    KEY Contact_feed (User_ID, Ver),
    KEY Contact_by_name (User_ID, Last_name, First_name, Contact_ID),
    KEY Contact_deleted (Deleted_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The names of cards that were merged into a contact. An import of such a card finds the contact, and makes no second one.
CREATE TABLE IF NOT EXISTS Former_card (
    User_ID    BINARY(16)   NOT NULL,
    Card_UID   VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    Contact_ID BINARY(16)   NOT NULL,
    PRIMARY KEY (User_ID, Card_UID),
    KEY Former_card_contact (User_ID, Contact_ID),
    FOREIGN KEY (User_ID, Contact_ID) REFERENCES Contact (User_ID, Contact_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- A number as it is dialled at home (3 and 7 digits), or a whole one with its country (ITU-T E.164, with the +).
CREATE TABLE IF NOT EXISTS Contact_phone (
    User_ID      BINARY(16)      NOT NULL,
    Contact_ID   BINARY(16)      NOT NULL,
    Phone_ID     BINARY(16)      NOT NULL DEFAULT '',
    Area_code    VARCHAR(20)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    Phone_number VARCHAR(40)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    E164         VARCHAR(40)     CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    Phone_type   VARCHAR(60)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'cell',
    Ver          BIGINT UNSIGNED NOT NULL DEFAULT 0,
    -- Searched for, however a number is typed.
    Digits       VARCHAR(100)    CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        GENERATED ALWAYS AS (CONCAT(COALESCE(Area_code, ''), COALESCE(Phone_number, ''), REPLACE(COALESCE(E164, ''), '+', ''))) STORED,
    PRIMARY KEY (User_ID, Contact_ID, Phone_ID),
    FOREIGN KEY (User_ID, Contact_ID) REFERENCES Contact (User_ID, Contact_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

CREATE TABLE IF NOT EXISTS Contact_address (
    User_ID      BINARY(16)      NOT NULL,
    Contact_ID   BINARY(16)      NOT NULL,
    Address_ID   BINARY(16)      NOT NULL DEFAULT '',
    Street       VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Apt          VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    City         VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    State        VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Zip          VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Country      VARCHAR(200)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL,
    Address_type VARCHAR(60)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'home',
    Ver          BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Contact_ID, Address_ID),
    FOREIGN KEY (User_ID, Contact_ID) REFERENCES Contact (User_ID, Contact_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

CREATE TABLE IF NOT EXISTS Contact_email (
    User_ID    BINARY(16)      NOT NULL,
    Contact_ID BINARY(16)      NOT NULL,
    Email_ID   BINARY(16)      NOT NULL DEFAULT '',
    Email      VARCHAR(500)    CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    Email_type VARCHAR(60)     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'home',
    Ver        BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Contact_ID, Email_ID),
    FOREIGN KEY (User_ID, Contact_ID) REFERENCES Contact (User_ID, Contact_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- A day that matters: 1995-06-25, or --06-25 where the year is not known. It comes each year, or once (a wedding to come).
CREATE TABLE IF NOT EXISTS Contact_date (
    User_ID       BINARY(16)        NOT NULL,
    Contact_ID    BINARY(16)        NOT NULL,
    Date_ID       BINARY(16)        NOT NULL DEFAULT '',
    Happens_on    VARCHAR(40)       CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    Yearly        BOOLEAN           NOT NULL DEFAULT TRUE,
    -- NULL: as the user's settings have it for dates.
    Reminder_days SMALLINT UNSIGNED NULL,
    Date_type     VARCHAR(60)       CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'birthday',
    Ver           BIGINT UNSIGNED   NOT NULL DEFAULT 0,
    PRIMARY KEY (User_ID, Contact_ID, Date_ID),
    FOREIGN KEY (User_ID, Contact_ID) REFERENCES Contact (User_ID, Contact_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
