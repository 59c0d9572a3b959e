-- The plans of the catalogue, read country by country. See Listed_plan.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Country_plan AS
SELECT Plan_ID, Provider, Plan_name, Subscription_type, Fee_since, Duration_value, Duration_unit, Country_ID, Withdrawn_on
FROM Plan FORCE INDEX (Plan_catalogue_feed) WHERE Listed = 1;
