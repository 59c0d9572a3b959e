-- Users who were deleted and whose rows are still being removed.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

-- INSERT INTO Erasure (User_ID) deletes a user of any size at once: the trigger ends the sessions and frees the addresses,
-- and the service removes the other rows in small transactions, the user's own row last. That row takes this one along.
CREATE TABLE IF NOT EXISTS Erasure (
    User_ID   BINARY(16) NOT NULL,
    Erased_at DATETIME   NOT NULL DEFAULT (UTC_TIMESTAMP()),
    PRIMARY KEY (User_ID),
    KEY Erasure_age (Erased_at),
    FOREIGN KEY (User_ID) REFERENCES `User` (User_ID)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci;
