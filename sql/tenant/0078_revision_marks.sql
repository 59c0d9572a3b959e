-- Two marks of a row of a revision that its values do not show.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Says_end: whether a row of the plan says if it is withdrawn. A file without the column leaves that as it is.
-- Needs_plan: the row withdraws a plan that no row of the file prices, so that the plan must be in the catalogue.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Revised_plan' AND COLUMN_NAME = 'Says_end') = 0,
    'ALTER TABLE Revised_plan ADD COLUMN Says_end BOOLEAN NOT NULL DEFAULT FALSE, ADD COLUMN Needs_plan BOOLEAN NOT NULL DEFAULT FALSE',
    'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
