-- Whoever subscribes holds the plan's key until they commit, so that it is not deleted meanwhile, and not its row: a foreign
-- key would make them wait for whoever changes its price or terms, thousands of plans at a time. The triggers of Subscription
-- and Plan guard what the foreign key did.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- An index of its own, for what is locked is the entry of the index that is read: of this one entries come and go with the
-- plan, and never change. (IF NOT EXISTS for an index is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND INDEX_NAME = 'Plan_key') = 0,
    'CREATE UNIQUE INDEX Plan_key ON Plan (Plan_ID)', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

SET @step = COALESCE(
    (SELECT CONCAT('ALTER TABLE Subscription DROP FOREIGN KEY `', CONSTRAINT_NAME, '`')
     FROM information_schema.KEY_COLUMN_USAGE
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Subscription' AND REFERENCED_TABLE_NAME = 'Plan' LIMIT 1), 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
