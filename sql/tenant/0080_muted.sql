-- Muted subscriptions: reminders tell only that they are overdue.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A person types Muted. It merges with renewal, cancelling and reminder (Ver_intent). (IF NOT EXISTS for a column is known
-- to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription' AND COLUMN_NAME = 'Muted') = 0,
    'ALTER TABLE Subscription ADD COLUMN Muted BOOLEAN NOT NULL DEFAULT FALSE', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
