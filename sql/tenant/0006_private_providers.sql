-- Names that users give their own providers are told apart by their bytes. For utf8mb4_unicode_ci any two emoji are one.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

ALTER TABLE Private_provider
    MODIFY Provider VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL;

-- A plan whose provider was spelled otherwise gets a row with its own spelling; it keeps the category that it had.
INSERT INTO Private_provider (Owner_ID, Provider, Category)
SELECT p.Owner_ID, p.Provider, MIN(o.Category)
FROM Plan p
JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider COLLATE utf8mb4_unicode_ci = p.Provider
GROUP BY p.Owner_ID, p.Provider COLLATE utf8mb4_bin, p.Provider
ON DUPLICATE KEY UPDATE Category = Private_provider.Category;

DELETE FROM Private_provider
WHERE NOT EXISTS (
    SELECT 1 FROM Plan p
    WHERE p.Owner_ID = Private_provider.Owner_ID AND p.Provider COLLATE utf8mb4_bin = Private_provider.Provider);
