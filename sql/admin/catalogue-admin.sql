-- What an account for a catalogue admin needs: the catalogue of one tenant, revisions of it, and nothing else. It sees no
-- user, subscription or account, and cannot change a plan of a user's own.
-- Run it once for each tenant, as an administrator; the account catalogue@'%' must exist, and the tenant must be migrated.
-- Another tenant: replace subtrackit_default throughout. Another name or host: replace 'catalogue'@'%' throughout, and the
-- name 'catalogue' in the last statement too, which keeps such an account from plans of users' own.

GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Country` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Currency` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Provider` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Plan` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Plan_price` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Exchange_rate` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Revision` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_default`.`Staged_plan` TO 'catalogue'@'%';
GRANT SELECT, UPDATE (Applied_at) ON `subtrackit_default`.`Revision_country` TO 'catalogue'@'%';
GRANT SELECT ON `subtrackit_default`.`Revised_plan` TO 'catalogue'@'%';
GRANT SELECT ON `subtrackit_default`.`Price_line` TO 'catalogue'@'%';

-- The names of such accounts, with commas: their plans must not have an owner.
INSERT INTO `subtrackit_default`.`Setting` (Setting_name, Setting_value) VALUES ('Catalogue_accounts', 'catalogue')
ON DUPLICATE KEY UPDATE Setting_value = IF(FIND_IN_SET('catalogue', Setting_value), Setting_value, CONCAT(Setting_value, ',catalogue'));
