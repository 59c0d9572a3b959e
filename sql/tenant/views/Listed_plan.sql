-- The plans of the catalogue. A trigger that changes plans reads them by this: what it reads from Plan itself MariaDB locks
-- as if it changed it, and whoever subscribes would wait. It is asked for one plan by all that it is told by.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

CREATE OR REPLACE SQL SECURITY INVOKER VIEW Listed_plan AS
SELECT Plan_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
    Country_ID, Trial_days, Notice_days, Withdrawn_on
FROM Plan FORCE INDEX (Plan_duplicate) WHERE Listed = 1;
