-- What currencies are worth, day by day, as the European Central Bank publishes it: units of a currency for one euro.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- The rate of a day is that of the greatest day not after it. The euro itself has no row: it is 1.
CREATE TABLE IF NOT EXISTS Exchange_rate (
    Currency_code CHAR(3)         CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    Rated_on      DATE            NOT NULL,
    Per_euro      DECIMAL(18, 6)  NOT NULL,
    PRIMARY KEY (Currency_code, Rated_on),
    FOREIGN KEY (Currency_code) REFERENCES Currency (Currency_code)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
