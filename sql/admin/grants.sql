-- What the service's two accounts need on a server that is shared with others: their own databases and nothing else.
-- Run it once, as an administrator; the accounts must exist. For another prefix or other names let the service write it:
--   subtrackd doctor --grants --database-url mysql://NAME@HOST/PREFIX --migrator-url mysql://NAME@HOST/PREFIX
--
-- The underscore is escaped: unescaped it stands for any character, and the pattern would open other people's databases.
-- MySQL with partial_revokes=ON takes no patterns: grant on each tenant's database by its name there.
-- Where binary logging is on, triggers also need log_bin_trust_function_creators = 1 on the server.

-- The migrator makes and changes databases, tables, triggers and views. Triggers run with its rights: keep the account.
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, TRIGGER, CREATE VIEW, SHOW VIEW, LOCK TABLES
    ON `subtrackit`.* TO 'subtrackit_migrator'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, TRIGGER, CREATE VIEW, SHOW VIEW, LOCK TABLES
    ON `subtrackit\_%`.* TO 'subtrackit_migrator'@'%';

-- The service reads and writes rows.
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit`.* TO 'subtrackit'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit\_%`.* TO 'subtrackit'@'%';
