-- What a plan's terms were before they changed last, so that those who began a period before can be told.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The triggers fill them; all are NULL while the terms never changed. (IF NOT EXISTS for a column is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND COLUMN_NAME = 'Terms_since') = 0,
    'ALTER TABLE Plan
        ADD COLUMN Terms_since DATE NULL,
        ADD COLUMN Former_duration_value SMALLINT UNSIGNED NULL,
        ADD COLUMN Former_duration_unit ENUM (''day'', ''week'', ''month'', ''year'') NULL,
        ADD COLUMN Former_notice_days SMALLINT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
