-- Which plans of a user's own name a provider, by an index: a user may have ten thousand plans, each with a provider of its own.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The provider of a plan of a user's own, told apart by its bytes as Private_provider tells it; NULL in the catalogue.
-- It stands first in the index: where all that is asked for is the owner, Plan_private goes on to be read.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND COLUMN_NAME = 'Own_provider') = 0,
    'ALTER TABLE Plan
        ADD COLUMN Own_provider VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
            GENERATED ALWAYS AS (CASE WHEN Owner_ID IS NOT NULL THEN Provider END) STORED,
        ADD KEY Plan_own_provider (Own_provider, Owner_ID)',
    'DO 0');
PREPARE change_plan FROM @change;
EXECUTE change_plan;
DEALLOCATE PREPARE change_plan;
