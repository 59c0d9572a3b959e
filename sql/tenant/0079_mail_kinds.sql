-- Areas have mails of their own: a kind is any short name.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

ALTER TABLE Mail MODIFY Kind VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL;
