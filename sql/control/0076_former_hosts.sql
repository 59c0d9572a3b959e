-- Hosts that belonged to a tenant: nobody else is to answer for it.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- A tenant was dropped, or its host was taken away. The host answers 404 until a tenant has it again: the clients that still
-- ask there have tokens of that tenant, which are nothing in another one.
CREATE TABLE IF NOT EXISTS Former_host (
    Host       VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Slug       VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Removed_at DATETIME     NOT NULL,
    PRIMARY KEY (Host)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
