-- What the service's account needs on a server that is shared with others: its own databases and nothing else.
-- Run it once, as an administrator; the account subtrackit@'%' must exist. Another name or prefix: replace it throughout.
--
-- The underscore is escaped: unescaped it stands for any character, and the pattern would open other people's databases.
-- Where binary logging is on, triggers also need log_bin_trust_function_creators = 1 on the server.

GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, TRIGGER, CREATE VIEW, SHOW VIEW, LOCK TABLES
    ON `subtrackit`.* TO 'subtrackit'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, TRIGGER, CREATE VIEW, SHOW VIEW, LOCK TABLES
    ON `subtrackit\_%`.* TO 'subtrackit'@'%';
