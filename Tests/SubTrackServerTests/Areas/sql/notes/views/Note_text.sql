-- Notes, for people who type SQL.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Note_text AS
SELECT Text, Ver FROM Note;
