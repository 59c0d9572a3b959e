-- The mail that asks to confirm an address which an account was given later: it does not speak of a registration.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

ALTER TABLE Mail MODIFY Kind
    ENUM ('verify', 'reset', 'new_device', 'password_changed', 'email_changed', 'verify_change') NOT NULL;
