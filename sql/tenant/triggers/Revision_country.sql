-- Revision_country: comparing the rows of a country with the catalogue, and applying them.
--
-- Both are one trigger, for what is applied must be what is compared: under the lock of the country's scope, where nobody
-- else changes its plans. Where the scope has the version that the check compared with, nothing is compared again.
-- Nobody but admins waits for it, however long it takes: who subscribes holds the key of a plan alone (Plan_key), and numbers for
-- plans of users' own are to be had (see below).
-- A price goes into Plan_price, also where it holds already, and Plan stays as it is.
-- What is read was written a moment ago, and statistics do not know of it yet: each index is named.
-- The rows go in with their versions and the highest bit of Ver set, by which the triggers of Plan and Plan_price take them as
-- they are (see there).
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Revision_country_before_update//
CREATE TRIGGER Revision_country_before_update BEFORE UPDATE ON Revision_country FOR EACH ROW
work: BEGIN
    DECLARE day DATE;
    DECLARE complete BOOLEAN;
    DECLARE wrong, done, coarse, new_plans, changed_price, changed_terms, gone, same INT UNSIGNED DEFAULT 0;
    -- How many rows go in each way that needs no rule.
    DECLARE plans, later_days, days, terms INT UNSIGNED DEFAULT 0;
    DECLARE version, seen, checked_sum, sum_now BIGINT UNSIGNED;
    DECLARE scope BINARY(16) DEFAULT CONCAT('C', OLD.Country_ID);
    DECLARE applies BOOLEAN DEFAULT NEW.Applied_at IS NOT NULL;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    -- A session that has set @subtrackit_changed asks, by an update that changes nothing, whether the staged rows are still those
    -- of the check. The answer is in the variable.
    IF @subtrackit_changed IS NOT NULL AND NEW.Applied_at <=> OLD.Applied_at AND NEW.Applied_at IS NOT NULL
        AND NEW.Revision <=> OLD.Revision AND NEW.Country_ID <=> OLD.Country_ID
    THEN
        SELECT SUM(Row_sum) INTO sum_now FROM Staged_check WHERE Revision = OLD.Revision;
        SELECT Staged_sum INTO checked_sum FROM Revision WHERE Revision = OLD.Revision;
        SET @subtrackit_changed = NOT (sum_now <=> checked_sum);
        LEAVE work;
    END IF;
    IF applies THEN
        -- Nobody else changes the catalogue of this country from here on: the triggers take the same lock. Before anything is
        -- read: what the statement reads later is what was there when it read first, and it may have waited here.
        INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 0) ON DUPLICATE KEY UPDATE Ver = Ver;
        SELECT Ver INTO version FROM Scope WHERE Scope_ID = scope FOR UPDATE;
        SELECT Ver INTO seen FROM Scope WHERE Scope_ID = scope;
    ELSE
        -- Before the plans are read: what changes meanwhile has a later version.
        SELECT COALESCE(MAX(Ver), 0) INTO version FROM Scope WHERE Scope_ID = scope;
    END IF;
    SELECT Effective_on, Is_complete, Staged_sum INTO day, complete, checked_sum FROM Revision WHERE Revision = OLD.Revision;
    IF applies THEN
        SELECT COALESCE(SUM(Rejected), 0), COUNT(Applied_at) INTO wrong, done FROM Revision_country WHERE Revision = OLD.Revision;
        -- Also where countries are applied already: a mend in between would be left out unseen. A session that applies one
        -- country after the other compares once: it sets the variable to 0, and finds the sum in it from then on.
        IF done > 0 AND @subtrackit_compared <=> checked_sum THEN
            SET sum_now = checked_sum;
        ELSE
            SELECT SUM(Row_sum) INTO sum_now FROM Staged_check WHERE Revision = OLD.Revision;
        END IF;
        SET NEW.Applied_at = UTC_TIMESTAMP(6);
    END IF;
    SET problem = CASE
        WHEN NOT (NEW.Revision <=> OLD.Revision AND NEW.Country_ID <=> OLD.Country_ID)
            THEN CONCAT('Country_ID: revision and country never change: ', OLD.Revision, ', ', OLD.Country_ID)
        WHEN applies AND OLD.Applied_at IS NOT NULL
            THEN CONCAT('Applied_at: it is applied already (', OLD.Revision, '): ', OLD.Country_ID)
        -- The statement, or the transaction that it is in, has read something before.
        WHEN applies AND NOT seen <=> version
            THEN CONCAT('Applied_at: somebody changed plans of ', OLD.Country_ID, ' meanwhile; apply it again, by itself: ', OLD.Revision)
        -- Before the rejected rows: an editor may have mended them already.
        WHEN applies AND NOT sum_now <=> checked_sum
            THEN CONCAT('Applied_at: Staged_plan has changed since the check; check it again: ', OLD.Revision)
        WHEN applies AND wrong > 0
            THEN CONCAT('Applied_at: ', IF(wrong = 1, '1 row is rejected; see Revised_plan, mend or delete it',
                CONCAT(wrong, ' rows are rejected; see Revised_plan, mend or delete them')), ' in Staged_plan, check: ', OLD.Revision)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Revision_country.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    IF applies AND @subtrackit_compared IS NOT NULL THEN
        SET @subtrackit_compared = checked_sum;
    END IF;
    -- ───────── Comparing
    IF NOT (applies AND OLD.Compared_ver <=> version) THEN
        -- What was found before, perhaps by an earlier look, is found anew.
        DELETE FROM Revised_plan
        WHERE Revision = OLD.Revision AND Country_ID = OLD.Country_ID AND Row_no > 4000000000;
        -- By INSERT ... SELECT and a view, which only read the plans: an UPDATE that joins them would lock them, in a trigger,
        -- as if it changed them, and whoever subscribes would wait.
        INSERT INTO Revised_plan
            (Revision, Country_ID, Row_no, Fee_since, Plan_ID, Price_change, Changes_terms, Gone_on, Outcome, Explanation)
        SELECT OLD.Revision, OLD.Country_ID, d.Row_of, d.Since_of, d.Plan_of, d.Price_of, d.Changes, d.Gone,
            CASE
                WHEN d.Plan_of IS NULL THEN IF(d.Fee_of IS NOT NULL, 'new', IF(d.Needs_plan, 'rejected', 'unchanged'))
                WHEN d.Changes AND d.Gone_so_far IS NULL AND d.Gone IS NOT NULL THEN 'withdrawn'
                WHEN d.Changes THEN IF(d.Price_of > 0, 'price, terms', 'terms')
                ELSE IF(d.Price_of > 0, 'price', 'unchanged')
            END,
            CASE
                WHEN d.Plan_of IS NULL AND d.Needs_plan
                    THEN CONCAT('Plan_name: there is no such plan to withdraw: ', d.Name_of,
                        '; correct the provider, name, type or duration, or write none as Fee where it need not be there')
                WHEN d.Price_of > 0 OR d.Changes OR d.Stays_gone
                    THEN CONCAT_WS('; ', IF(d.Price_of > 0, CONVERT(d.Price_text USING utf8mb4) COLLATE utf8mb4_unicode_ci, NULL),
                        IF(d.Changes AND d.Trial <> d.Trial_so_far, CONCAT('trial ', d.Trial_so_far, ' -> ', d.Trial, ' days'), NULL),
                        IF(d.Changes AND d.Notice <> d.Notice_so_far, CONCAT('notice ', d.Notice_so_far, ' -> ', d.Notice, ' days'), NULL),
                        IF(d.Changes AND NOT d.Gone <=> d.Gone_so_far, COALESCE(CONCAT('withdrawn on ', d.Gone), 'sold again'), NULL),
                        IF(d.Stays_gone, CONCAT('it stays withdrawn on ', d.Gone, '; an empty Withdrawn_on sells it again'), NULL))
            END
        FROM (
            SELECT c.*, c.Last_of AND c.Plan_of IS NOT NULL
                AND NOT (c.Trial = c.Trial_so_far AND c.Notice = c.Notice_so_far AND c.Gone <=> c.Gone_so_far) AS Changes,
                COALESCE(c.Last_of AND NOT c.Says_end AND c.Gone_so_far <= c.Since_of, FALSE) AS Stays_gone
            FROM (
                SELECT r.Row_no AS Row_of, r.Fee_since AS Since_of, r.Fee AS Fee_of, r.Is_last AS Last_of, p.Plan_ID AS Plan_of,
                    r.Says_end, r.Needs_plan, r.Plan_name AS Name_of,
                    -- What was found is compared with the file's own row of an earlier day, where that lies between or corrects
                    -- it.
                    CASE
                        WHEN p.Plan_ID IS NULL OR r.Fee IS NULL THEN 0
                        WHEN x.Effective_on IS NULL AND p.Fee_since > r.Fee_since THEN 1
                        WHEN COALESCE(x.Effective_on, p.Fee_since) = r.Fee_since THEN
                            IF(COALESCE(x.Fee, p.Fee) = r.Fee AND COALESCE(x.Currency_code, p.Currency_code) = r.Currency_code, 0,
                                IF(x.Plan_ID IS NULL, 3, 2))
                        WHEN COALESCE(r.Prior_since >= COALESCE(x.Effective_on, p.Fee_since), FALSE)
                            THEN NOT (r.Prior_fee = r.Fee AND r.Prior_currency = r.Currency_code)
                        ELSE NOT (COALESCE(x.Fee, p.Fee) = r.Fee AND COALESCE(x.Currency_code, p.Currency_code) = r.Currency_code)
                    END AS Price_of,
                    CONCAT(
                        IF(x.Effective_on IS NULL AND p.Fee_since > r.Fee_since, 'earlier than all so far: ',
                            CONCAT(TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM COALESCE(x.Fee, p.Fee))), ' ',
                                COALESCE(x.Currency_code, p.Currency_code), ' -> ')),
                        TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM r.Fee)), ' ', r.Currency_code, ' from ', r.Fee_since)
                        AS Price_text,
                    COALESCE(p.Trial_days, 0) AS Trial_so_far, COALESCE(r.Trial_days, p.Trial_days, 0) AS Trial,
                    p.Notice_days AS Notice_so_far, COALESCE(r.Notice_days, p.Notice_days) AS Notice,
                    p.Withdrawn_on AS Gone_so_far,
                    CASE
                        -- A file without this column says nothing of it.
                        WHEN NOT r.Says_end THEN p.Withdrawn_on
                        WHEN r.Withdrawn_on IS NULL AND p.Withdrawn_on > r.Fee_since THEN p.Withdrawn_on
                        -- A row that says that there is no price on its day: a plan that ended before keeps its day, and one
                        -- that has had a new price since was sold again.
                        WHEN r.Fee IS NULL AND r.Withdrawn_on = r.Fee_since AND (
                            p.Withdrawn_on <= r.Withdrawn_on
                            OR p.Fee_since > r.Withdrawn_on AND p.Fee_since <= UTC_DATE()
                            OR EXISTS (SELECT 1 FROM Plan_price y
                                WHERE y.Plan_ID = p.Plan_ID AND y.Effective_on > r.Withdrawn_on AND y.Effective_on <= UTC_DATE()))
                            THEN p.Withdrawn_on
                        ELSE r.Withdrawn_on
                    END AS Gone
                FROM Revised_plan r FORCE INDEX (PRIMARY)
                LEFT JOIN Listed_plan p ON p.Country_ID = r.Country_ID AND p.Provider = r.Provider AND p.Plan_name = r.Plan_name
                    AND p.Subscription_type = r.Subscription_type AND p.Duration_unit = r.Duration_unit
                    AND p.Duration_value = r.Duration_value
                -- The line's entry of the row's day, where it is not the one that stands in Plan.
                LEFT JOIN Plan_price x FORCE INDEX (PRIMARY) ON x.Plan_ID = p.Plan_ID AND x.Effective_on = (
                    SELECT MAX(y.Effective_on) FROM Plan_price y
                    WHERE y.Plan_ID = p.Plan_ID AND y.Effective_on <= r.Fee_since
                        AND (y.Effective_on > p.Fee_since OR p.Fee_since > r.Fee_since))
                WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome <> 'rejected'
            ) c
        ) d
        ON DUPLICATE KEY UPDATE Revised_plan.Plan_ID = VALUES(Plan_ID), Revised_plan.Price_change = VALUES(Price_change),
            Revised_plan.Changes_terms = VALUES(Changes_terms), Revised_plan.Gone_on = VALUES(Gone_on),
            Revised_plan.Outcome = VALUES(Outcome), Revised_plan.Explanation = VALUES(Explanation);

        IF complete THEN
            INSERT INTO Revised_plan
                (Revision, Row_no, Country_ID, Outcome, Explanation, Provider, Plan_name, Subscription_type, Fee_since,
                 Duration_value, Duration_unit, Gone_on, Plan_ID, Changes_terms)
            SELECT OLD.Revision, 4000000000 + p.Plan_ID, p.Country_ID, 'withdrawn', CONCAT('not in the file; withdrawn on ', day),
                p.Provider, p.Plan_name, p.Subscription_type, day, p.Duration_value, p.Duration_unit, day, p.Plan_ID, TRUE
            FROM Country_plan p
            WHERE p.Country_ID = OLD.Country_ID AND (p.Withdrawn_on IS NULL OR p.Withdrawn_on > day)
                AND EXISTS (SELECT 1 FROM Revision_provider v WHERE v.Revision = OLD.Revision AND v.Provider = p.Provider)
                -- Known on that day, and without a price since: a file of the past says nothing of what came later.
                AND (p.Fee_since <= day
                    OR EXISTS (SELECT 1 FROM Plan_price y WHERE y.Plan_ID = p.Plan_ID AND y.Effective_on <= day))
                AND NOT (p.Fee_since > day AND p.Fee_since <= UTC_DATE())
                AND NOT EXISTS (
                    SELECT 1 FROM Plan_price y
                    WHERE y.Plan_ID = p.Plan_ID AND y.Effective_on > day AND y.Effective_on <= UTC_DATE())
                AND NOT EXISTS (
                    SELECT 1 FROM Revised_plan r FORCE INDEX (Revised_plan_plan)
                    WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Plan_ID = p.Plan_ID);
        END IF;
        SET NEW.Compared_ver = version;
    END IF;

    SELECT COALESCE(SUM(r.Outcome = 'new' AND r.Prior_since IS NULL), 0), COALESCE(SUM(r.Price_change > 0), 0),
        COALESCE(SUM(r.Changes_terms AND r.Outcome <> 'withdrawn'), 0), COALESCE(SUM(r.Outcome = 'withdrawn'), 0),
        COALESCE(SUM(r.Outcome = 'unchanged'), 0), COALESCE(SUM(r.Outcome = 'rejected'), 0),
        COALESCE(SUM(r.Outcome = 'new' AND NOT (r.Prior_fee = r.Fee AND r.Prior_currency = r.Currency_code)), 0),
        COALESCE(SUM(r.Price_change = 1), 0), COALESCE(SUM(r.Changes_terms), 0),
        COALESCE(SUM(r.Outcome <> 'rejected' AND r.Fee <> ROUND(r.Fee, m.Minor_digits)), 0)
    INTO new_plans, changed_price, changed_terms, gone, same, wrong, later_days, days, terms, coarse
    FROM Revised_plan r FORCE INDEX (PRIMARY) LEFT JOIN Currency m ON m.Currency_code = r.Currency_code
    WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID;
    SET NEW.New_plans = new_plans, NEW.Changed_price = changed_price, NEW.Changed_terms = changed_terms,
        NEW.Withdrawn = gone, NEW.Unchanged = same, NEW.Rejected = wrong;

    -- ───────── Applying
    IF applies THEN
        IF wrong > 0 THEN
            SET problem = LEFT(CONCAT('Revision_country.Applied_at: a plan that it withdraws is gone since the check; check it again: ',
                OLD.Revision), 128);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;
        IF coarse > 0 THEN
            SET problem = LEFT(CONCAT('Revision_country.Applied_at: a currency has fewer digits since the check; check it again: ',
                OLD.Revision), 128);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;
        -- What somebody has left there would be in the way.
        DELETE FROM Revision_run WHERE Connection_ID = CONNECTION_ID();
        INSERT INTO Revision_run (Connection_ID) VALUES (CONNECTION_ID());
        SET @subtrackit_applying = UTC_TIMESTAMP(6);
        IF days > 0 THEN
            INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code, Ver)
            SELECT Plan_ID, Fee_since, Fee, Currency_code, (1 << 63) + version + ROW_NUMBER() OVER (ORDER BY Row_no)
            FROM Revised_plan FORCE INDEX (PRIMARY)
            WHERE Revision = OLD.Revision AND Country_ID = OLD.Country_ID AND Price_change = 1
            ORDER BY Row_no;
            SET version = version + days;
        END IF;
        IF terms > 0 THEN
            UPDATE (
                SELECT Plan_ID, Trial_days, Notice_days, Gone_on, ROW_NUMBER() OVER (ORDER BY Row_no) AS Place
                FROM Revised_plan FORCE INDEX (PRIMARY)
                WHERE Revision = OLD.Revision AND Country_ID = OLD.Country_ID AND Changes_terms
            ) r STRAIGHT_JOIN Plan p FORCE INDEX (PRIMARY) ON p.Plan_ID = r.Plan_ID
            SET p.Trial_days = NULLIF(COALESCE(r.Trial_days, p.Trial_days), 0),
                p.Notice_days = COALESCE(r.Notice_days, p.Notice_days),
                p.Withdrawn_on = r.Gone_on,
                p.Ver = (1 << 63) + version + r.Place;
            SET version = version + terms;
        END IF;
        IF new_plans > 0 THEN
            -- Providers that are made on the fly, with their category; one that is there keeps its own.
            INSERT INTO Provider (Provider, Category)
            SELECT MIN(r.Provider), COALESCE(MIN(NULLIF(r.Category, '')), 'Other')
            FROM Revised_plan r FORCE INDEX (PRIMARY) LEFT JOIN Provider v ON v.Provider = r.Provider
            WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome = 'new' AND v.Provider IS NULL
            GROUP BY r.Provider ORDER BY r.Provider
            ON DUPLICATE KEY UPDATE Provider = Provider.Provider;
            -- A provider is spelled as it is; the locking read waits for whoever is deleting it, as a foreign key would. It comes before
            -- the first plan gets a number.
            SELECT COUNT(*) INTO wrong
            FROM Revised_plan r FORCE INDEX (PRIMARY) STRAIGHT_JOIN Provider v ON v.Provider = r.Provider
            WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome = 'new' AND r.Prior_since IS NULL
            LOCK IN SHARE MODE;
            -- MariaDB lets nobody number a plan, of their own either, while a statement is running that has numbered plans by INSERT ...
            -- SELECT: not for long where these are few, and the last thing that is done. Many go in one by one, in twice the time.
            IF new_plans <= 2000 THEN
                INSERT INTO Plan
                    (Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
                     Country_ID, Trial_days, Notice_days, Withdrawn_on, Ver)
                SELECT v.Provider, r.Plan_name, r.Subscription_type, r.Fee, r.Currency_code, r.Fee_since, r.Duration_value,
                    r.Duration_unit, r.Country_ID, NULLIF(r.Trial_days, 0), COALESCE(r.Notice_days, 0), r.Withdrawn_on,
                    (1 << 63) + version + ROW_NUMBER() OVER (ORDER BY r.Row_no)
                FROM Revised_plan r FORCE INDEX (PRIMARY) STRAIGHT_JOIN Provider v ON v.Provider = r.Provider
                WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome = 'new' AND r.Prior_since IS NULL
                ORDER BY r.Row_no;
            ELSE
                BEGIN
                    DECLARE place INT UNSIGNED DEFAULT 0;
                    DECLARE trial, notice, value SMALLINT UNSIGNED;
                    DECLARE since, gone_on DATE;
                    DECLARE fee DECIMAL(18, 6);
                    DECLARE code CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
                    DECLARE unit VARCHAR(5) CHARACTER SET ascii COLLATE ascii_bin;
                    DECLARE seller, title VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
                    DECLARE kind VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
                    DECLARE fresh CURSOR FOR
                        SELECT v.Provider, r.Plan_name, r.Subscription_type, r.Fee, r.Currency_code, r.Fee_since, r.Duration_value,
                            r.Duration_unit, NULLIF(r.Trial_days, 0), COALESCE(r.Notice_days, 0), r.Withdrawn_on
                        FROM Revised_plan r FORCE INDEX (PRIMARY) STRAIGHT_JOIN Provider v ON v.Provider = r.Provider
                        WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome = 'new'
                            AND r.Prior_since IS NULL
                        ORDER BY r.Row_no;

                    OPEN fresh;
                    WHILE place < new_plans DO
                        SET place = place + 1;
                        FETCH fresh INTO seller, title, kind, fee, code, since, value, unit, trial, notice, gone_on;
                        INSERT INTO Plan
                            (Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
                             Country_ID, Trial_days, Notice_days, Withdrawn_on, Ver)
                        VALUES
                            (seller, title, kind, fee, code, since, value, unit, OLD.Country_ID, trial, notice, gone_on,
                             (1 << 63) + version + place);
                    END WHILE;
                    CLOSE fresh;
                END;
            END IF;
            SET version = version + new_plans;
        END IF;
        IF later_days > 0 THEN
            -- Further days of the same plans.
            INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code, Ver)
            SELECT p.Plan_ID, r.Fee_since, r.Fee, r.Currency_code, (1 << 63) + version + ROW_NUMBER() OVER (ORDER BY r.Row_no)
            FROM Revised_plan r FORCE INDEX (PRIMARY)
            STRAIGHT_JOIN Listed_plan p ON p.Country_ID = r.Country_ID AND p.Provider = r.Provider AND p.Plan_name = r.Plan_name
                AND p.Subscription_type = r.Subscription_type AND p.Duration_unit = r.Duration_unit
                AND p.Duration_value = r.Duration_value
            WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Outcome = 'new'
                AND NOT (r.Prior_fee = r.Fee AND r.Prior_currency = r.Currency_code)
            ORDER BY r.Row_no;
            SET version = version + later_days;
        END IF;
        UPDATE Scope SET Ver = version WHERE Scope_ID = scope;
        SET @subtrackit_applying = NULL;
        DELETE FROM Revision_run WHERE Connection_ID = CONNECTION_ID();
        IF changed_price > days THEN
            -- Prices that are corrected where they stand.
            UPDATE Revised_plan r FORCE INDEX (PRIMARY)
            STRAIGHT_JOIN Plan_price x FORCE INDEX (PRIMARY) ON x.Plan_ID = r.Plan_ID AND x.Effective_on = r.Fee_since
            SET x.Fee = r.Fee, x.Currency_code = r.Currency_code
            WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Price_change = 2;
            -- Ver = 0: the price that stands in Plan is corrected where it stands.
            UPDATE Revised_plan r FORCE INDEX (PRIMARY)
            STRAIGHT_JOIN Plan p FORCE INDEX (PRIMARY) ON p.Plan_ID = r.Plan_ID
            SET p.Fee = r.Fee, p.Currency_code = r.Currency_code, p.Ver = 0
            WHERE r.Revision = OLD.Revision AND r.Country_ID = OLD.Country_ID AND r.Price_change = 3;
        END IF;
    END IF;
END//

DELIMITER ;
