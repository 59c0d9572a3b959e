-- The key by which whoever subscribes holds a plan: an index of its own, for what is locked is the entry of the index that is
-- read. Of this one entries come and go with the plan, and never change. 0061_plan_keys makes it too, but that step comes after
-- the triggers, which read by this index.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- (IF NOT EXISTS for an index is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND INDEX_NAME = 'Plan_key') = 0,
    'CREATE UNIQUE INDEX Plan_key ON Plan (Plan_ID)', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- When the statement began that applies a country: its row is worth nothing to any other statement.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Revision_run' AND COLUMN_NAME = 'Started_at') = 0,
    'ALTER TABLE Revision_run ADD COLUMN Started_at DATETIME(6) NOT NULL DEFAULT \'1970-01-02 00:00:00\'', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
