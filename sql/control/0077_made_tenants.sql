-- Tenants whose database was there once.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Made_at: since when the tenant's database is complete; NULL: it is still to be made, as after a first start that was cut off.
-- A database that is missing later was dropped or lost. Only an operator's command makes it anew, because an empty one would
-- tell all clients that their data are gone.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Tenant' AND COLUMN_NAME = 'Made_at') = 0,
    'ALTER TABLE Tenant ADD COLUMN Made_at DATETIME NULL',
    'DO 0');
PREPARE change_tenant FROM @change;
EXECUTE change_tenant;
DEALLOCATE PREPARE change_tenant;

-- Earlier versions wrote the row of each tenant but default after its database. A counter was noted of a database that was used.
UPDATE Tenant SET Made_at = Created_at
WHERE Made_at IS NULL
    AND (Slug <> 'default' OR Oldest_service IS NOT NULL
        OR EXISTS (SELECT 1 FROM Tenant_counter c WHERE c.Slug = Tenant.Slug));
