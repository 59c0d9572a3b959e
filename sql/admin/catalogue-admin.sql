-- What an account for a catalogue admin needs: the catalogue of one tenant, revisions of it, and nothing else.
-- Run it once for each tenant, as an administrator; the tenant must be migrated, and the account must exist (with TLS where the
-- server has it: CREATE USER 'catalogue'@'%' IDENTIFIED BY '…' REQUIRE SSL).
-- Another tenant: replace subtrackit_default and catalogue_default throughout. Another name or host: replace 'catalogue'@'%' throughout.
-- It can be run again, and must be where a newer version of it has more.
--
-- The account gets no right on the tenant's database, for rights on tables know no rows, and plans of users' own stand in the
-- same table as the catalogue's. It gets a database of views that show the catalogue alone, under the names of the tables:
-- what it types there is checked by the tables' triggers. The views have the rights of whoever runs this: keep that account.
--
-- Of Plan and Plan_price it may not insert Ver, which is the triggers'.
CREATE DATABASE IF NOT EXISTS `catalogue_default` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Country` AS
SELECT Country_ID, Country_name, Currency_code, Ver
FROM `subtrackit_default`.`Country`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Currency` AS
SELECT Currency_code, Currency_name, Minor_digits, Ver
FROM `subtrackit_default`.`Currency`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Provider` AS
SELECT Provider, Category, Website, Cancel_URL, Ver
FROM `subtrackit_default`.`Provider`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Plan` AS
SELECT Plan_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
    Country_ID, Trial_days, Notice_days, Withdrawn_on, Terms_since, Former_duration_value, Former_duration_unit,
    Former_notice_days, Ver
FROM `subtrackit_default`.`Plan` WHERE Listed = 1 WITH CHECK OPTION;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Plan_price` AS
SELECT Plan_ID, Effective_on, Fee, Currency_code, Ver
FROM `subtrackit_default`.`Plan_price` x
WHERE EXISTS (SELECT 1 FROM `subtrackit_default`.`Plan` p WHERE p.Plan_ID = x.Plan_ID AND p.Listed = 1) WITH CHECK OPTION;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Exchange_rate` AS
SELECT Currency_code, Rated_on, Per_euro
FROM `subtrackit_default`.`Exchange_rate`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Revision` AS
SELECT Revision, Effective_on, Is_complete, Created_at, Checked_at
FROM `subtrackit_default`.`Revision`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Staged_plan` AS
SELECT Staged_ID, Revision, Line, Country_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since,
    Duration_value, Duration_unit, Trial_days, Notice_days, Withdrawn_on, Category, Surplus
FROM `subtrackit_default`.`Staged_plan`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Revision_country` AS
SELECT Revision, Country_ID, Applied_at, New_plans, Changed_price, Changed_terms, Withdrawn, Unchanged, Rejected
FROM `subtrackit_default`.`Revision_country`;

CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW `catalogue_default`.`Revised_plan` AS
SELECT Revision, Row_no, Line, Country_ID, Outcome, Explanation, Provider, Plan_name, Subscription_type, Fee, Currency_code,
    Fee_since, Duration_value, Duration_unit, Trial_days, Notice_days, Withdrawn_on, Category, Staged_ID, Plan_ID
FROM `subtrackit_default`.`Revised_plan`;

-- All prices, each with the day from which it holds.
CREATE OR REPLACE SQL SECURITY DEFINER VIEW `catalogue_default`.`Price_line` AS
SELECT Plan_ID, Fee_since AS Effective_on, Fee, Currency_code FROM `catalogue_default`.`Plan`
UNION ALL
SELECT Plan_ID, Effective_on, Fee, Currency_code FROM `catalogue_default`.`Plan_price`;

GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Country` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Currency` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Provider` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Exchange_rate` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Revision` TO 'catalogue'@'%';
GRANT SELECT, INSERT, UPDATE, DELETE ON `catalogue_default`.`Staged_plan` TO 'catalogue'@'%';
GRANT SELECT, UPDATE, DELETE, INSERT (
    Plan_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
    Country_ID, Trial_days, Notice_days, Withdrawn_on)
    ON `catalogue_default`.`Plan` TO 'catalogue'@'%';
GRANT SELECT, UPDATE, DELETE, INSERT (Plan_ID, Effective_on, Fee, Currency_code) ON `catalogue_default`.`Plan_price` TO 'catalogue'@'%';
GRANT SELECT, UPDATE (Applied_at) ON `catalogue_default`.`Revision_country` TO 'catalogue'@'%';
GRANT SELECT ON `catalogue_default`.`Revised_plan` TO 'catalogue'@'%';
GRANT SELECT ON `catalogue_default`.`Price_line` TO 'catalogue'@'%';
