-- How a period began. What renewed by itself is taken back when a cancellation arrives that was made before.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Whether the current period began by itself, and nobody has said anything of it since. Of periods from before this column
-- nothing is known: they stay. (IF NOT EXISTS for a column is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription' AND COLUMN_NAME = 'Auto_renewed') = 0,
    'ALTER TABLE Subscription ADD COLUMN Auto_renewed BOOLEAN NOT NULL DEFAULT FALSE', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- The same of a period that has ended, and its place in the calendar: a period that is taken back gives way to this one.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription_period' AND COLUMN_NAME = 'Auto_renewed') = 0,
    'ALTER TABLE Subscription_period
        ADD COLUMN Auto_renewed BOOLEAN NOT NULL DEFAULT FALSE,
        ADD COLUMN Anchor_date DATE NULL,
        ADD COLUMN Anchor_count INT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
