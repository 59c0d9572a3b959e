-- Since when an address leads to its user, to the microsecond: of several, the one that came first keeps the data.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- NULL: Created_at says it, as for all rows of before and those that somebody types.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Account' AND COLUMN_NAME = 'Since') = 0,
    'ALTER TABLE Account ADD COLUMN Since DATETIME(6) NULL',
    'DO 0');
PREPARE change_account FROM @change;
EXECUTE change_account;
DEALLOCATE PREPARE change_account;

-- The mails that tell an address what happens to the others of its user. A detail may name several addresses.
ALTER TABLE Mail
    MODIFY Kind ENUM ('verify', 'reset', 'new_device', 'password_changed', 'email_changed', 'verify_change',
        'address_added', 'address_confirmed', 'address_changed', 'address_removed', 'address_gone', 'reset_removed',
        'reset_moved') NOT NULL,
    MODIFY Detail VARCHAR(3000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL;
