-- Tenants on several servers, closed for work on their data, and what older services must know.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Server_url: where the tenant's database is, mysql://user@host:3306; NULL: on the server of this control database.
-- Closed_at: since when the tenant answers 503 because its data are moved or dropped; NULL: it is open.
-- Oldest_service: the oldest version of the service that its database accepts; NULL: any. It is copied from the
-- database's own setting, so that running services learn of it with the tenant.
SET @change = IF(
    (SELECT COUNT(*) FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Tenant' AND COLUMN_NAME = 'Server_url') = 0,
    'ALTER TABLE Tenant
        ADD COLUMN Server_url     VARCHAR(300) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN Closed_at      DATETIME     NULL,
        ADD COLUMN Oldest_service VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NULL',
    'DO 0');
PREPARE change_tenant FROM @change;
EXECUTE change_tenant;
DEALLOCATE PREPARE change_tenant;

-- What a database is told beside its rows, as tenants' databases have it.
CREATE TABLE IF NOT EXISTS Setting (
    Setting_name  VARCHAR(50)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Setting_value VARCHAR(255) NOT NULL,
    PRIMARY KEY (Setting_name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
