-- What sync reads quickly.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The catalogue's plans of a country by version. Private plans have versions of their owners' scopes: by country alone
-- they would all be read to be left out. (IF NOT EXISTS for an index is known to MariaDB alone.)
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND INDEX_NAME = 'Plan_catalogue_feed') = 0,
    'CREATE INDEX Plan_catalogue_feed ON Plan (Country_ID, Listed, Ver)', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
SET @step = IF(
    (SELECT COUNT(*) FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Plan' AND INDEX_NAME = 'Plan_feed') > 0,
    'DROP INDEX Plan_feed ON Plan', 'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
