-- The control database: which tenants there are, and what belongs to no tenant.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A tenant has a database of its own.
CREATE TABLE IF NOT EXISTS Tenant (
    Slug          VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Database_name VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Suspended_at  DATETIME     NULL,
    -- A new epoch tells clients that the data went back in time: a restored backup.
    Epoch         BINARY(16)   NOT NULL,
    Created_at    DATETIME     NOT NULL,
    PRIMARY KEY (Slug),
    UNIQUE KEY Tenant_database (Database_name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- The host names by which a tenant is addressed.
CREATE TABLE IF NOT EXISTS Tenant_host (
    Host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Slug VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (Host),
    KEY Tenant_host_slug (Slug),
    FOREIGN KEY (Slug) REFERENCES Tenant (Slug)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;

-- Work that only one replica does at a time: whoever holds the row until it expires.
-- (GET_LOCK is shared with everybody on the server and unknown to Galera.)
CREATE TABLE IF NOT EXISTS Lease (
    Lease_name VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Holder     BINARY(16)   NOT NULL,
    Expires_at DATETIME     NOT NULL,
    PRIMARY KEY (Lease_name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
