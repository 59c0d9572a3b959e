-- The areas that an operator switched on or off in a tenant.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- Without a row the service decides: it knows which areas are on in a tenant about which nothing was said.
CREATE TABLE IF NOT EXISTS Tenant_area (
    Slug  VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Area  VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Is_on BOOLEAN     NOT NULL,
    PRIMARY KEY (Slug, Area),
    FOREIGN KEY (Slug) REFERENCES Tenant (Slug)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
