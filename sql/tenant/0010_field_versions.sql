-- Fields that merge more finely than their row or group. NULL: of a row that has not changed since there are these columns;
-- then the version of the group, or of the row, stands for it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The plan and the user's own fee. A renewal changes the dates (Ver_billing) and neither of these: a fee that was entered
-- offline must not be lost because a period has ended meanwhile.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription' AND COLUMN_NAME = 'Ver_terms') = 0,
    'ALTER TABLE Subscription ADD COLUMN Ver_terms BIGINT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- The row takes a version when an account is confirmed, too, which is no reason to lose a name.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'User' AND COLUMN_NAME = 'Ver_name') = 0,
    'ALTER TABLE `User`
        ADD COLUMN Ver_name BIGINT UNSIGNED NULL, ADD COLUMN Ver_country BIGINT UNSIGNED NULL,
        ADD COLUMN Ver_zone BIGINT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- The periods of one subscription by version: a long first pull must not read all of them for each page.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription_period' AND INDEX_NAME = 'Period_feed') = 0,
    'CREATE INDEX Period_feed ON Subscription_period (Subscription_ID, Ver)', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
