-- What makes applying a revision quick and sure.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The connections in which a country is being applied. A row is there within that one statement, and nobody else ever sees
-- it: by it the trigger of plans knows an update that the comparison has made up.
CREATE TABLE IF NOT EXISTS Revision_run (
    Connection_ID BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (Connection_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- (IF NOT EXISTS for a column is known to MariaDB alone.)
-- What was staged when the revision was checked, as a sum: what was added or mended since is not applied unseen.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Revision' AND COLUMN_NAME = 'Staged_sum') = 0,
    'ALTER TABLE Revision ADD COLUMN Staged_sum BIGINT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- The version of the country's catalogue that the rows were compared with.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Revision_country' AND COLUMN_NAME = 'Compared_ver') = 0,
    'ALTER TABLE Revision_country ADD COLUMN Compared_ver BIGINT UNSIGNED NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- The day on which the plan ends or has ended, as the comparison found it: what the file says, and what is there.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Revised_plan' AND COLUMN_NAME = 'Gone_on') = 0,
    'ALTER TABLE Revised_plan ADD COLUMN Gone_on DATE NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- What a line of a file has behind its last column, where LOAD DATA is told to put it: a comma too many moves values into
-- wrong columns, and without this what is left over would be dropped without a word.
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Staged_plan' AND COLUMN_NAME = 'Surplus') = 0,
    'ALTER TABLE Staged_plan ADD COLUMN Surplus VARBINARY(500) NULL', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
