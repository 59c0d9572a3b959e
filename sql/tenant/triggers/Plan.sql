-- Plan: what an admin typed is checked, a changed price becomes a row of history, versions.
-- Locks are taken in the order of scopes: users and countries before 'reference', where providers are.
--
-- A row of a revision has been checked, and is taken as it is: it comes with its version and the highest bit of Ver set, which
-- no version has. To look at each of many thousand rows once more, and to count the scope by one for each, took ten times as
-- long as to insert them. That holds within the statement alone that applies a country; whoever else sets that bit has their
-- row looked at like any other. Which statement it is, its time tells: @subtrackit_applying has it for rows that are inserted,
-- where a look at a table would be a sixth of what a row takes. A statement that sets the variable itself could pass for it, and
-- needs the right to insert Ver, which an account for the catalogue does not have. It may change Ver: for rows that are changed
-- Revision_run tells, which nobody writes by hand.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

-- ───────── A new plan
DROP TRIGGER IF EXISTS Plan_before_insert//
CREATE TRIGGER Plan_before_insert BEFORE INSERT ON Plan FOR EACH ROW
rules: BEGIN
    IF NEW.Ver >= 1 << 63 THEN
        IF @subtrackit_applying = UTC_TIMESTAMP(6) THEN
            SET NEW.Ver = NEW.Ver - (1 << 63), @subtrackit_counts = FALSE;
            LEAVE rules;
        END IF;
    END IF;
    -- Each instruction of a trigger, a variable or an assignment too, costs a row typed by itself some percent of its time, each
    -- statement that reads or writes as much as half a plain insert, and so does each table that is named in this trigger and
    -- in those that its statements set off: there are as few as can be.
    BEGIN
        DECLARE digits, twin INT;
        DECLARE country_currency CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
        DECLARE known VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

        -- The scope is locked and not counted yet: the trigger below counts it, for a row that is really new. When the row is
        -- there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing, and neither costs a
        -- version. What LAST_INSERT_ID is told here it forgets at the end of the trigger.
        INSERT INTO Scope (Scope_ID, Ver) VALUES (COALESCE(NEW.Owner_ID, CONCAT('C', NEW.Country_ID), ''), LAST_INSERT_ID(0))
        ON DUPLICATE KEY UPDATE Ver = LAST_INSERT_ID(Ver);
        SET NEW.Ver = LAST_INSERT_ID() + 1, @subtrackit_counts = TRUE;

        -- The country's currency, the digits of the plan's, and the provider as it is spelled. Country and currency are locked
        -- by their foreign keys soon anyway; to lock the provider waits for whoever is deleting it, as a foreign key would.
        SELECT c.Currency_code, m.Minor_digits, v.Provider INTO country_currency, digits, known
        FROM Country c
        LEFT JOIN Currency m ON m.Currency_code = COALESCE(NULLIF(NEW.Currency_code, ''), c.Currency_code)
        LEFT JOIN Provider v ON v.Provider = IF(NEW.Owner_ID IS NULL, NEW.Provider, NULL)
        WHERE c.Country_ID = NEW.Country_ID
        LOCK IN SHARE MODE;

        -- A plan that is as most are is looked at by this alone; what is not so may be wrong, or wants a value.
        IF (NEW.Fee BETWEEN 0 AND 99999999999 AND NEW.Fee = ROUND(NEW.Fee, digits) AND NEW.Currency_code <> ''
            AND NEW.Provider <> '' AND NEW.Plan_name <> '' AND NEW.Subscription_type <> '' AND NEW.Fee_since = UTC_DATE()
            AND NEW.Duration_value BETWEEN 1 AND 1200 AND NEW.Duration_unit <> '' AND NEW.Notice_days <= 1200
            AND COALESCE(NEW.Trial_days, 0) <= 1200 AND NEW.Plan_ID = 0
            AND NEW.Withdrawn_on IS NULL AND NEW.Terms_since IS NULL AND NEW.Former_duration_value IS NULL
            AND NEW.Former_duration_unit IS NULL AND NEW.Former_notice_days IS NULL) IS NOT TRUE
        THEN BEGIN
            DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

            IF COALESCE(NEW.Currency_code, '') = '' THEN
                SET NEW.Currency_code = country_currency;
            END IF;
            -- Not by COALESCE: MariaDB takes a day of zeros for NULL there.
            IF NEW.Fee_since IS NULL THEN
                SET NEW.Fee_since = UTC_DATE();
            END IF;
            SET NEW.Notice_days = COALESCE(NEW.Notice_days, 0),
                NEW.Terms_since = NULL, NEW.Former_duration_value = NULL, NEW.Former_duration_unit = NULL,
                NEW.Former_notice_days = NULL;
            SET problem = CASE
                WHEN country_currency IS NULL
                    THEN CONCAT('Country_ID: there is no such country: ', COALESCE(NEW.Country_ID, 'NULL'))
                WHEN TRIM(COALESCE(NEW.Provider, '')) = '' THEN 'Provider: it is empty'
                WHEN TRIM(COALESCE(NEW.Plan_name, '')) = '' THEN CONCAT('Plan_name: it is empty; provider: ', NEW.Provider)
                WHEN TRIM(COALESCE(NEW.Subscription_type, '')) = ''
                    THEN CONCAT('Subscription_type: it is empty; plan: ', NEW.Plan_name)
                WHEN digits IS NULL
                    THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
                WHEN NOT COALESCE(NEW.Fee BETWEEN 0 AND 99999999999, FALSE)
                    THEN CONCAT('Fee: not between 0 and 99999999999 (', LEFT(NEW.Plan_name, 40), '): ', COALESCE(NEW.Fee, 'NULL'))
                WHEN NEW.Fee <> ROUND(NEW.Fee, digits)
                    THEN CONCAT('Fee: ', NEW.Currency_code, ' has ', digits, ' digits (', LEFT(NEW.Plan_name, 40), '): ', NEW.Fee)
                WHEN NOT COALESCE(NEW.Fee_since BETWEEN '1970-01-02' AND '2999-12-31'
                    AND MONTH(NEW.Fee_since) > 0 AND DAYOFMONTH(NEW.Fee_since) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Fee_since)), FALSE)
                    THEN CONCAT('Fee_since: no day from 1970-01-02 to 2999-12-31 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Fee_since)
                WHEN NOT COALESCE(NEW.Duration_value BETWEEN 1 AND 1200, FALSE)
                    THEN CONCAT('Duration_value: not between 1 and 1200 (', LEFT(NEW.Plan_name, 40), '): ',
                        COALESCE(NEW.Duration_value, 'NULL'))
                -- What is no value of an ENUM arrives as '' where the session is not strict.
                WHEN COALESCE(NEW.Duration_unit, '') = ''
                    THEN CONCAT('Duration_unit: not day, week, month or year (', LEFT(NEW.Plan_name, 40), ')')
                WHEN NEW.Trial_days > 1200
                    THEN CONCAT('Trial_days: more than 1200 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Trial_days)
                WHEN NEW.Notice_days > 1200
                    THEN CONCAT('Notice_days: more than 1200 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Notice_days)
                WHEN NOT (NEW.Withdrawn_on IS NULL OR COALESCE(NEW.Withdrawn_on BETWEEN '1970-01-02' AND '2999-12-31'
                    AND MONTH(NEW.Withdrawn_on) > 0 AND DAYOFMONTH(NEW.Withdrawn_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Withdrawn_on)), FALSE))
                    THEN CONCAT('Withdrawn_on: no day from 1970-01-02 to 2999-12-31 (', LEFT(NEW.Plan_name, 40), '): ',
                        NEW.Withdrawn_on)
            END;
            IF problem IS NOT NULL THEN
                SET problem = LEFT(CONCAT('Plan.', problem), 128);
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
            END IF;
            -- A number that is given may be that of a plan of another scope. SELECT ... INTO takes no lock; EXISTS in an IF
            -- would lock the gap where the row is not.
            IF NEW.Plan_ID > 0 THEN
                SELECT Plan_ID INTO twin FROM Plan WHERE Plan_ID = NEW.Plan_ID;
                IF twin IS NOT NULL THEN
                    SET NEW.Ver = 0;
                    LEAVE rules;
                END IF;
            END IF;
        END; END IF;

        -- A provider that is not known yet is made; one that is known is spelled as it is.
        IF known IS NOT NULL THEN
            SET NEW.Provider = known;
        ELSEIF NEW.Owner_ID IS NULL THEN
            INSERT IGNORE INTO Provider (Provider) VALUES (NEW.Provider);
        ELSE
            -- Told apart by its bytes, so that there is no other spelling to take over. Not by ON DUPLICATE KEY UPDATE, which
            -- names all tables that changing one would set off.
            INSERT IGNORE INTO Private_provider (Owner_ID, Provider) VALUES (NEW.Owner_ID, NEW.Provider);
        END IF;
    END;
END//

-- The scope is counted. REPLACE deletes a row before it comes here, which has counted too, or found the number of the row in
-- use: the version is not the one that the row has.
DROP TRIGGER IF EXISTS Plan_after_insert//
CREATE TRIGGER Plan_after_insert AFTER INSERT ON Plan FOR EACH ROW
BEGIN
    IF @subtrackit_counts THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (COALESCE(NEW.Owner_ID, CONCAT('C', NEW.Country_ID)), LAST_INSERT_ID(1))
        ON DUPLICATE KEY UPDATE Ver = LAST_INSERT_ID(Ver + 1);
        IF NEW.Ver <> LAST_INSERT_ID() THEN
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
                'Plan.Plan_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
        END IF;
    END IF;
END//

-- ───────── A change
-- Ver = 0 asks for a new version of a row that does not change; with another price and no other day it says that the price
-- was mistyped: it is corrected where it stands, and no history is made of it.
DROP TRIGGER IF EXISTS Plan_before_update//
CREATE TRIGGER Plan_before_update BEFORE UPDATE ON Plan FOR EACH ROW
rules: BEGIN
    -- The trigger of Private_provider gives plans of a user's own a version each, and changes nothing else. It has counted them.
    -- To look at each plan, and to count the scope by one for each, took five times as long. A statement that sets the variable
    -- itself changes a version, and nothing else without these rules.
    IF NEW.Ver >= 1 << 63 AND OLD.Owner_ID IS NOT NULL THEN
        IF @subtrackit_counted = UTC_TIMESTAMP(6)
            AND (NEW.Plan_ID, CAST(NEW.Provider AS BINARY), CAST(NEW.Plan_name AS BINARY), CAST(NEW.Subscription_type AS BINARY),
                    NEW.Fee, NEW.Currency_code, NEW.Fee_since, NEW.Duration_value, NEW.Duration_unit, NEW.Country_ID,
                    NEW.Trial_days, NEW.Notice_days, NEW.Withdrawn_on, NEW.Owner_ID, NEW.Terms_since,
                    NEW.Former_duration_value, NEW.Former_duration_unit, NEW.Former_notice_days)
                <=> (OLD.Plan_ID, CAST(OLD.Provider AS BINARY), CAST(OLD.Plan_name AS BINARY), CAST(OLD.Subscription_type AS BINARY),
                    OLD.Fee, OLD.Currency_code, OLD.Fee_since, OLD.Duration_value, OLD.Duration_unit, OLD.Country_ID,
                    OLD.Trial_days, OLD.Notice_days, OLD.Withdrawn_on, OLD.Owner_ID, OLD.Terms_since,
                    OLD.Former_duration_value, OLD.Former_duration_unit, OLD.Former_notice_days)
        THEN
            SET NEW.Ver = NEW.Ver - (1 << 63);
            LEAVE rules;
        END IF;
    END IF;
    -- In a block of its own: a row that is taken as it is makes no variables.
    BEGIN
        DECLARE digits INT;
        DECLARE scope BINARY(16);
        DECLARE other DECIMAL(18, 6);
        DECLARE other_in CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
        DECLARE known, category_so_far VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
        DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
        DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;

        IF NEW.Fee_since IS NULL THEN
            SET NEW.Fee_since = OLD.Fee_since;
        END IF;
        SET NEW.Notice_days = COALESCE(NEW.Notice_days, 0),
            NEW.Terms_since = OLD.Terms_since, NEW.Former_duration_value = OLD.Former_duration_value,
            NEW.Former_duration_unit = OLD.Former_duration_unit, NEW.Former_notice_days = OLD.Former_notice_days;
        -- Those who have begun a period are told what its terms were. Of two changes on one day the first counts.
        IF NEW.Owner_ID IS NULL AND NOT (NEW.Duration_value <=> OLD.Duration_value
            AND NEW.Duration_unit <=> OLD.Duration_unit AND NEW.Notice_days <=> OLD.Notice_days)
        THEN
            IF NOT COALESCE(OLD.Terms_since = UTC_DATE(), FALSE) THEN
                SET NEW.Terms_since = UTC_DATE(), NEW.Former_duration_value = OLD.Duration_value,
                    NEW.Former_duration_unit = OLD.Duration_unit, NEW.Former_notice_days = OLD.Notice_days;
            END IF;
        END IF;

        IF NEW.Ver >= 1 << 63 THEN
            IF EXISTS (SELECT 1 FROM Revision_run WHERE Connection_ID = CONNECTION_ID() AND Started_at = UTC_TIMESTAMP(6)) THEN
                SET NEW.Ver = NEW.Ver - (1 << 63);
                LEAVE rules;
            END IF;
        END IF;
        -- A price without its currency is in that of the line on its day, which may have another by now than the one price that
        -- stands here.
        IF NEW.Owner_ID IS NULL AND NEW.Fee <> OLD.Fee AND NEW.Currency_code = OLD.Currency_code AND NOT asked THEN
            SELECT Currency_code INTO other_in
            FROM Plan_price
            WHERE Plan_ID = OLD.Plan_ID
                AND Effective_on <= IF(NEW.Fee_since = OLD.Fee_since, GREATEST(OLD.Fee_since, UTC_DATE()), NEW.Fee_since)
                AND (Effective_on > OLD.Fee_since OR NEW.Fee_since < OLD.Fee_since)
            ORDER BY Effective_on DESC
            LIMIT 1;
            SET NEW.Currency_code = COALESCE(other_in, NEW.Currency_code), other_in = NULL;
        END IF;
        SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = NEW.Currency_code;
        SET problem = CASE
            WHEN NOT (NEW.Plan_ID <=> OLD.Plan_ID) THEN CONCAT('Plan_ID: it never changes: ', OLD.Plan_ID)
            WHEN NOT (NEW.Country_ID <=> OLD.Country_ID) THEN CONCAT('Country_ID: it never changes: ', OLD.Country_ID)
            WHEN (NEW.Owner_ID IS NULL) <> (OLD.Owner_ID IS NULL)
                THEN CONCAT('Owner_ID: a plan does not move between catalogue and user: ', OLD.Plan_ID)
            WHEN TRIM(COALESCE(NEW.Provider, '')) = '' THEN CONCAT('Provider: it is empty; plan: ', OLD.Plan_ID)
            WHEN TRIM(COALESCE(NEW.Plan_name, '')) = '' THEN CONCAT('Plan_name: it is empty; plan: ', OLD.Plan_ID)
            WHEN TRIM(COALESCE(NEW.Subscription_type, '')) = ''
                THEN CONCAT('Subscription_type: it is empty; plan: ', OLD.Plan_ID)
            WHEN digits IS NULL
                THEN CONCAT('Currency_code: there is no such currency: ', COALESCE(NEW.Currency_code, 'NULL'))
            WHEN NOT COALESCE(NEW.Fee BETWEEN 0 AND 99999999999, FALSE)
                THEN CONCAT('Fee: not between 0 and 99999999999 (', LEFT(NEW.Plan_name, 40), '): ', COALESCE(NEW.Fee, 'NULL'))
            WHEN NEW.Fee <> ROUND(NEW.Fee, digits)
                THEN CONCAT('Fee: ', NEW.Currency_code, ' has ', digits, ' digits (', LEFT(NEW.Plan_name, 40), '): ', NEW.Fee)
            WHEN NOT COALESCE(NEW.Fee_since BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Fee_since) > 0 AND DAYOFMONTH(NEW.Fee_since) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Fee_since)), FALSE)
                THEN CONCAT('Fee_since: no day from 1970-01-02 to 2999-12-31 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Fee_since)
            WHEN NOT COALESCE(NEW.Duration_value BETWEEN 1 AND 1200, FALSE)
                THEN CONCAT('Duration_value: not between 1 and 1200 (', LEFT(NEW.Plan_name, 40), '): ',
                    COALESCE(NEW.Duration_value, 'NULL'))
            WHEN COALESCE(NEW.Duration_unit, '') = ''
                THEN CONCAT('Duration_unit: not day, week, month or year (', LEFT(NEW.Plan_name, 40), ')')
            WHEN NEW.Trial_days > 1200
                THEN CONCAT('Trial_days: more than 1200 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Trial_days)
            WHEN NEW.Notice_days > 1200
                THEN CONCAT('Notice_days: more than 1200 (', LEFT(NEW.Plan_name, 40), '): ', NEW.Notice_days)
            WHEN NOT (NEW.Withdrawn_on IS NULL OR COALESCE(NEW.Withdrawn_on BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Withdrawn_on) > 0 AND DAYOFMONTH(NEW.Withdrawn_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Withdrawn_on)), FALSE))
                THEN CONCAT('Withdrawn_on: no day from 1970-01-02 to 2999-12-31 (', LEFT(NEW.Plan_name, 40), '): ',
                    NEW.Withdrawn_on)
        END;
        IF problem IS NOT NULL THEN
            SET problem = LEFT(CONCAT('Plan.', problem), 128);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;

        IF NEW.Fee = OLD.Fee AND NEW.Currency_code = OLD.Currency_code THEN
            -- The same price: it holds since when it did. Where the line has another for the day that is given, this one takes
            -- its place from that day on.
            IF NEW.Fee_since > OLD.Fee_since THEN
                SELECT Fee, Currency_code INTO other, other_in
                FROM Plan_price
                WHERE Plan_ID = OLD.Plan_ID AND Effective_on > OLD.Fee_since AND Effective_on <= NEW.Fee_since
                ORDER BY Effective_on DESC
                LIMIT 1;
                IF NOT COALESCE(other = NEW.Fee AND other_in = NEW.Currency_code, TRUE) THEN
                    INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                    VALUES (OLD.Plan_ID, NEW.Fee_since, NEW.Fee, NEW.Currency_code)
                    ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Currency_code = VALUES(Currency_code);
                END IF;
            END IF;
            SET NEW.Fee_since = OLD.Fee_since;
        ELSE
            -- No day given: from today. A user's own plan from the user's today, which may be yesterday's date here: the price
            -- that began then is corrected where it stands; so is any with Ver = 0.
            IF NEW.Fee_since = OLD.Fee_since AND NOT asked
                AND NOT (NEW.Owner_ID IS NOT NULL AND OLD.Fee_since = UTC_DATE() - INTERVAL 1 DAY)
            THEN
                SET NEW.Fee_since = GREATEST(OLD.Fee_since, UTC_DATE());
            END IF;
            -- Announced, or older than the price that stands here: a row of Plan_price, unless the line says so already.
            IF NEW.Fee_since > UTC_DATE() AND NEW.Fee_since > OLD.Fee_since OR NEW.Fee_since < OLD.Fee_since THEN
                SELECT Fee, Currency_code INTO other, other_in
                FROM Plan_price
                WHERE Plan_ID = OLD.Plan_ID AND Effective_on <= NEW.Fee_since
                    AND (Effective_on > OLD.Fee_since OR NEW.Fee_since < OLD.Fee_since)
                ORDER BY Effective_on DESC
                LIMIT 1;
                IF NOT (COALESCE(other, OLD.Fee) = NEW.Fee AND COALESCE(other_in, OLD.Currency_code) = NEW.Currency_code)
                    OR (other IS NULL AND NEW.Fee_since < OLD.Fee_since)
                THEN
                    INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                    VALUES (OLD.Plan_ID, NEW.Fee_since, NEW.Fee, NEW.Currency_code)
                    ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Currency_code = VALUES(Currency_code);
                END IF;
                SET NEW.Fee = OLD.Fee, NEW.Currency_code = OLD.Currency_code, NEW.Fee_since = OLD.Fee_since;
            END IF;
            -- Else it holds now, and Plan_after_update makes history of what held before.
        END IF;

        -- By bytes: for the collation, e and é are one.
        SET NEW.Ver = OLD.Ver;
        IF asked OR NOT (CAST(NEW.Provider AS BINARY) <=> CAST(OLD.Provider AS BINARY)
            AND CAST(NEW.Plan_name AS BINARY) <=> CAST(OLD.Plan_name AS BINARY)
            AND CAST(NEW.Subscription_type AS BINARY) <=> CAST(OLD.Subscription_type AS BINARY)
            AND NEW.Fee <=> OLD.Fee AND NEW.Currency_code <=> OLD.Currency_code AND NEW.Fee_since <=> OLD.Fee_since
            AND NEW.Duration_value <=> OLD.Duration_value AND NEW.Duration_unit <=> OLD.Duration_unit
            AND NEW.Trial_days <=> OLD.Trial_days AND NEW.Notice_days <=> OLD.Notice_days
            AND NEW.Withdrawn_on <=> OLD.Withdrawn_on AND NEW.Owner_ID <=> OLD.Owner_ID)
        THEN
            SET scope = COALESCE(NEW.Owner_ID, CONCAT('C', NEW.Country_ID));
            INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
            SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = scope);
        END IF;

        -- Another provider, or another owner, who has providers of their own (and takes over the category). An owner's
        -- providers are told apart by their bytes: for the collation of this column any two emoji are one.
        IF NEW.Owner_ID IS NULL THEN
            IF NEW.Provider <> OLD.Provider THEN
                SELECT Provider INTO known FROM Provider WHERE Provider = NEW.Provider LOCK IN SHARE MODE;
                IF known IS NULL THEN
                    INSERT IGNORE INTO Provider (Provider) VALUES (NEW.Provider);
                END IF;
                SET NEW.Provider = COALESCE(known, NEW.Provider);
            END IF;
        ELSEIF NEW.Provider COLLATE utf8mb4_bin <> OLD.Provider COLLATE utf8mb4_bin OR NEW.Owner_ID <> OLD.Owner_ID THEN
            SELECT Category INTO category_so_far FROM Private_provider
            WHERE Owner_ID = OLD.Owner_ID AND Provider = OLD.Provider COLLATE utf8mb4_bin;
            INSERT IGNORE INTO Private_provider (Owner_ID, Provider, Category)
            VALUES (NEW.Owner_ID, NEW.Provider, COALESCE(category_so_far, 'Other'));
        END IF;
    END;
END//

DROP TRIGGER IF EXISTS Plan_after_update//
CREATE TRIGGER Plan_after_update AFTER UPDATE ON Plan FOR EACH ROW
BEGIN
    IF NEW.Fee_since > OLD.Fee_since THEN
        DELETE FROM Plan_price WHERE Plan_ID = NEW.Plan_ID AND Effective_on = NEW.Fee_since;
        INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
        VALUES (OLD.Plan_ID, OLD.Fee_since, OLD.Fee, OLD.Currency_code);
    END IF;
    IF NEW.Owner_ID <> OLD.Owner_ID THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.Owner_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 4, CAST(OLD.Plan_ID AS BINARY), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.Owner_ID;
        -- Its prices are new in the new scope.
        UPDATE Plan_price SET Ver = 0 WHERE Plan_ID = NEW.Plan_ID;
    END IF;
    -- Two conditions: one that reads a table opens it for each row, also where nothing is read.
    IF OLD.Owner_ID IS NOT NULL
        AND (NEW.Owner_ID <> OLD.Owner_ID OR NEW.Provider COLLATE utf8mb4_bin <> OLD.Provider COLLATE utf8mb4_bin)
    THEN
        IF NOT EXISTS (
            SELECT 1 FROM Plan FORCE INDEX (Plan_own_provider)
            WHERE Owner_ID = OLD.Owner_ID AND Own_provider = OLD.Provider COLLATE utf8mb4_bin)
        THEN
            DELETE FROM Private_provider
            WHERE Owner_ID = OLD.Owner_ID AND Provider = OLD.Provider COLLATE utf8mb4_bin;
        END IF;
    END IF;
END//

-- ───────── Deleting
DROP TRIGGER IF EXISTS Plan_before_delete//
CREATE TRIGGER Plan_before_delete BEFORE DELETE ON Plan FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    IF EXISTS (SELECT 1 FROM Subscription FORCE INDEX (Subscription_plan) WHERE Plan_ID = OLD.Plan_ID)
        OR EXISTS (SELECT 1 FROM Subscription_period FORCE INDEX (Period_plan) WHERE Plan_ID = OLD.Plan_ID)
    THEN
        SET problem = LEFT(CONCAT('Plan.Plan_ID: it is in use (', LEFT(OLD.Plan_name, 40),
            '); set Withdrawn_on instead: ', OLD.Plan_ID), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    DELETE FROM Plan_price WHERE Plan_ID = OLD.Plan_ID;
END//

DROP TRIGGER IF EXISTS Plan_after_delete//
CREATE TRIGGER Plan_after_delete AFTER DELETE ON Plan FOR EACH ROW
BEGIN
    DECLARE scope BINARY(16) DEFAULT COALESCE(OLD.Owner_ID, CONCAT('C', OLD.Country_ID));
    DECLARE used INT;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    -- Once more, by reads that see what was committed since: who was about to subscribe held the plan's key, and the key was
    -- waited for. Whoever comes from now on waits for it, and finds no plan.
    -- By the index: a look at the whole table would lock everybody's subscriptions.
    SELECT COUNT(*) INTO used FROM Subscription FORCE INDEX (Subscription_plan)
    WHERE Plan_ID = OLD.Plan_ID LOCK IN SHARE MODE;
    IF used = 0 THEN
        SELECT COUNT(*) INTO used FROM Subscription_period FORCE INDEX (Period_plan)
        WHERE Plan_ID = OLD.Plan_ID LOCK IN SHARE MODE;
    END IF;
    IF used > 0 THEN
        SET problem = LEFT(CONCAT('Plan.Plan_ID: it is in use (', LEFT(OLD.Plan_name, 40),
            '); set Withdrawn_on instead: ', OLD.Plan_ID), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
    INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
    SELECT Scope_ID, Ver, 4, CAST(OLD.Plan_ID AS BINARY), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = scope;
    IF OLD.Owner_ID IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM Plan FORCE INDEX (Plan_own_provider)
            WHERE Owner_ID = OLD.Owner_ID AND Own_provider = OLD.Provider COLLATE utf8mb4_bin)
    THEN
        DELETE FROM Private_provider
        WHERE Owner_ID = OLD.Owner_ID AND Provider = OLD.Provider COLLATE utf8mb4_bin;
    END IF;
END//

DELIMITER ;
