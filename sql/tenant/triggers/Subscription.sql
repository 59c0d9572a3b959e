-- Subscription: end date, billing calendar, periods and what they cost, versions.
--
-- Every DECLARE of text names its collation: it would take the database's, and comparing two fails (1267). A trigger
-- keeps the sql_mode of the session that creates it: hence the one below.
-- A duration is counted in months or in days; the other of the two is 0. So `anchor + k durations` is the same
-- expression for every unit, and MONTH is what clamps to the month's last day.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

-- ───────── A new subscription
DROP TRIGGER IF EXISTS Subscription_before_insert//
CREATE TRIGGER Subscription_before_insert BEFORE INSERT ON Subscription FOR EACH ROW
BEGIN
    DECLARE months, days, trial, k, digits, found INT;
    DECLARE kept INT UNSIGNED;
    DECLARE plan_owner BINARY(16);
    DECLARE since DATE;
    DECLARE listed, other DECIMAL(18, 6);
    DECLARE listed_in, other_in CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE given DATE;
    DECLARE random VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    -- No id given: a UUIDv7 (RFC 9562): 48 bits of Unix time in ms, version 7, 12 random bits, variant, 62 random bits.
    IF COALESCE(NEW.Subscription_ID, '') IN ('', 0x00000000000000000000000000000000) THEN
        SET random = SHA2(CONCAT(UUID(), RAND()), 256);
        SET NEW.Subscription_ID = UNHEX(CONCAT(
            LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'),
            '7', SUBSTRING(random, 1, 3),
            ELT(1 + FLOOR(RAND() * 4), '8', '9', 'a', 'b'), SUBSTRING(random, 4, 15)));
    -- The text of a UUID, cut to 16 bytes where the session is not strict. (The ninth byte of a UUID is no ASCII.)
    ELSEIF SUBSTRING(NEW.Subscription_ID, 9, 1) < 0x80
        AND CONVERT(NEW.Subscription_ID USING latin1) COLLATE latin1_swedish_ci REGEXP '^[0-9A-Fa-f-]{16}$'
    THEN
        SET problem = CONCAT('Subscription_ID: the text of a UUID, cut; write UNHEX(REPLACE(''…'', ''-'', '''')): ',
            CONVERT(CONVERT(NEW.Subscription_ID USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci);
    END IF;

    -- The plan is held by its key, so that it stays; its terms are read without a lock: whoever changes them, or thousands of
    -- plans at once, holds up nobody who subscribes.
    SELECT Plan_ID INTO kept FROM Plan FORCE INDEX (Plan_key) WHERE Plan_ID = NEW.Plan_ID LOCK IN SHARE MODE;
    SELECT
        CASE Duration_unit WHEN 'month' THEN Duration_value WHEN 'year' THEN 12 * Duration_value ELSE 0 END,
        CASE Duration_unit WHEN 'day' THEN Duration_value WHEN 'week' THEN 7 * Duration_value ELSE 0 END,
        COALESCE(Trial_days, 0), Owner_ID, Fee, Currency_code, Fee_since
    INTO months, days, trial, plan_owner, listed, listed_in, since
    FROM Plan WHERE Plan_ID = NEW.Plan_ID;

    SET NEW.Free_trial = COALESCE(NEW.Free_trial, 0) <> 0,
        NEW.Auto_renew = COALESCE(NEW.Auto_renew, 0) <> 0,
        NEW.Muted = COALESCE(NEW.Muted, 0) <> 0;

    IF problem IS NULL THEN
        SET problem = CASE
            WHEN months IS NULL OR kept IS NULL OR plan_owner <> NEW.User_ID
                THEN CONCAT('Plan_ID: there is no such plan: ', COALESCE(NEW.Plan_ID, 'NULL'))
            WHEN NOT COALESCE(NEW.Start_date BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Start_date) > 0 AND DAYOFMONTH(NEW.Start_date) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Start_date)), FALSE)
                THEN CONCAT('Start_date: no day from 1970-01-02 to 2999-12-31: ', COALESCE(NEW.Start_date, 'NULL'))
            WHEN NOT (NEW.Own_fee IS NULL OR NEW.Own_fee BETWEEN 0 AND 99999999999)
                THEN CONCAT('Own_fee: not between 0 and 99999999999: ', NEW.Own_fee)
            WHEN NEW.Reminder_days > 365 THEN CONCAT('Reminder_days: more than 365: ', NEW.Reminder_days)
            WHEN NOT (NEW.Cancelled_on IS NULL OR COALESCE(NEW.Cancelled_on BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Cancelled_on) > 0 AND DAYOFMONTH(NEW.Cancelled_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Cancelled_on)), FALSE))
                THEN CONCAT('Cancelled_on: no day from 1970-01-02 to 2999-12-31: ', NEW.Cancelled_on)
            WHEN NOT (NEW.Deleted_at IS NULL OR COALESCE(NEW.Deleted_at BETWEEN '1970-01-02' AND '2999-12-31', FALSE))
                THEN CONCAT('Deleted_at: no such time: ', NEW.Deleted_at)
        END;
    END IF;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Subscription.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;

    -- The price of the day on which the period begins; earlier than the first known day, the first known price.
    IF NEW.Start_date >= since THEN
        SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
        WHERE Plan_ID = NEW.Plan_ID AND Effective_on > since AND Effective_on <= NEW.Start_date
        ORDER BY Effective_on DESC LIMIT 1;
    ELSE
        SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
        WHERE Plan_ID = NEW.Plan_ID AND Effective_on <= NEW.Start_date
        ORDER BY Effective_on DESC LIMIT 1;
        IF other IS NULL THEN
            SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
            WHERE Plan_ID = NEW.Plan_ID AND Effective_on < since
            ORDER BY Effective_on LIMIT 1;
        END IF;
    END IF;
    IF other IS NOT NULL THEN
        SET listed = other, listed_in = other_in;
    END IF;
    IF NEW.Own_fee IS NOT NULL THEN
        SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = listed_in;
        IF NEW.Own_fee <> ROUND(NEW.Own_fee, digits) THEN
            SET problem = CONCAT('Subscription.Own_fee: ', listed_in, ' has ', digits, ' digits: ', NEW.Own_fee);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;
    END IF;

    -- The calendar: from the start, or from an anchor that was given (not the column's default, and a day) and leads to
    -- the start in whole durations.
    IF NEW.Anchor_date <> '1970-01-02' AND NEW.Anchor_date BETWEEN '1000-01-01' AND NEW.Start_date
        AND MONTH(NEW.Anchor_date) > 0
        AND DAYOFMONTH(NEW.Anchor_date) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Anchor_date))
    THEN
        SET given = NEW.Anchor_date;
    END IF;
    SET NEW.Period = 0, NEW.Anchor_date = NEW.Start_date, NEW.Auto_renewed = FALSE;
    IF NEW.Free_trial AND trial > 0 THEN
        SET NEW.Anchor_count = 0, NEW.End_date = NEW.Start_date + INTERVAL trial DAY;
    ELSE
        SET k = 0;
        IF given IS NOT NULL THEN
            SET k = IF(months > 0,
                ((YEAR(NEW.Start_date) - YEAR(given)) * 12 + MONTH(NEW.Start_date) - MONTH(given)) DIV months,
                DATEDIFF(NEW.Start_date, given) DIV days);
            IF given + INTERVAL k * months MONTH + INTERVAL k * days DAY = NEW.Start_date THEN
                SET NEW.Anchor_date = given;
            ELSE
                SET k = 0;
            END IF;
        END IF;
        SET k = k + 1;
        SET NEW.Anchor_count = k,
            NEW.End_date = NEW.Anchor_date + INTERVAL k * months MONTH + INTERVAL k * days DAY;
    END IF;
    IF NEW.End_date IS NULL OR NEW.End_date > '9000-01-01' THEN
        SET problem = CONCAT('Subscription.End_date: it would be after 9000-01-01, from: ', NEW.Start_date);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Period_fee = IF(NEW.Free_trial, 0, COALESCE(NEW.Own_fee, listed)),
        NEW.Period_currency = listed_in;

    -- When the row is there already, ON DUPLICATE KEY UPDATE goes on to the update trigger and IGNORE to nothing:
    -- neither costs a version here. REPLACE gets to the trigger below. SELECT ... INTO takes no lock; EXISTS in an IF
    -- would lock the gap where the row is not.
    SET NEW.Ver = 0;
    SELECT COUNT(*) INTO found FROM Subscription WHERE Subscription_ID = NEW.Subscription_ID;
    IF found = 0 THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
    END IF;
    SET NEW.Ver_billing = NEW.Ver, NEW.Ver_terms = NEW.Ver, NEW.Ver_intent = NEW.Ver, NEW.Ver_notes = NEW.Ver;
END//

DROP TRIGGER IF EXISTS Subscription_after_insert//
CREATE TRIGGER Subscription_after_insert AFTER INSERT ON Subscription FOR EACH ROW
BEGIN
    IF NEW.Ver = 0 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'Subscription.Subscription_ID: not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
    END IF;
END//

-- ───────── A change
-- Start_date = End_date renews. With Ver = 0 and an End_date that lies further on it renews until the period ends on that day or
-- later, by 4000 periods at the most: one statement for all that have passed, each of which is recorded with its own price.
-- Any other start corrects the current period; so does one that comes with an anchor
-- (Anchor_date or Anchor_count) of its own, whatever the day. Then a change of plan, then one of the trial.
-- Period_currency = '' asks what the current period costs anew: after its plan's price of that day was corrected.
-- Ver = 0 asks for a new version of a row that does not change.
-- What has ended and goes on (Cancelled_on = NULL; Auto_renew or Deleted_at so that it renews by itself again) begins a period
-- on the day of the statement, by UTC: nobody paid for the time between. A statement that names a start or has Ver = 0 says
-- itself what it means; the service's do, for they know the user's day.
-- Period = an earlier one with Ver = 0 takes the periods behind it back, if all of them began by themselves (Auto_renewed).
DROP TRIGGER IF EXISTS Subscription_before_update//
CREATE TRIGGER Subscription_before_update BEFORE UPDATE ON Subscription FOR EACH ROW
BEGIN
    DECLARE months, days, trial, k, last, digits INT;
    DECLARE kept INT UNSIGNED;
    -- Up to which day a renewal is to lead.
    DECLARE until DATE DEFAULT IF(COALESCE(NEW.Ver, 0) = 0, NEW.End_date, NULL);
    DECLARE plan_owner BINARY(16);
    DECLARE since, ended DATE;
    DECLARE listed, other DECIMAL(18, 6);
    DECLARE listed_in, other_in CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
    DECLARE kind VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT '';
    DECLARE given DATE;
    DECLARE named BOOLEAN DEFAULT NOT (NEW.Anchor_date <=> OLD.Anchor_date AND NEW.Anchor_count <=> OLD.Anchor_count);
    DECLARE fits BOOLEAN DEFAULT FALSE;
    DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
    DECLARE moved BOOLEAN DEFAULT NEW.User_ID <> OLD.User_ID;
    DECLARE own_changed BOOLEAN DEFAULT NOT (NEW.Own_fee <=> OLD.Own_fee);
    DECLARE priced_anew BOOLEAN DEFAULT COALESCE(NEW.Period_currency, '') = '';
    DECLARE billing, terms, intent, notes, deletion, by_itself BOOLEAN;
    -- The period to go back to.
    DECLARE back INT UNSIGNED DEFAULT IF(COALESCE(NEW.Ver, 0) = 0 AND NEW.Period < OLD.Period, NEW.Period, NULL);
    DECLARE first_day, last_day, anchored DATE;
    DECLARE counted, plan_then INT UNSIGNED;
    DECLARE trial_then, auto_then BOOLEAN;
    DECLARE fee_then DECIMAL(18, 6);
    DECLARE code_then CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;

    IF named AND NEW.Anchor_date BETWEEN '1000-01-01' AND NEW.Start_date
        AND MONTH(NEW.Anchor_date) > 0
        AND DAYOFMONTH(NEW.Anchor_date) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Anchor_date))
    THEN
        SET given = NEW.Anchor_date;
    END IF;
    -- The database's own columns: what was given for them is overwritten.
    SET NEW.End_date = OLD.End_date,
        NEW.Anchor_date = OLD.Anchor_date,
        NEW.Anchor_count = OLD.Anchor_count,
        NEW.Period = OLD.Period,
        NEW.Period_fee = OLD.Period_fee,
        NEW.Period_currency = OLD.Period_currency,
        NEW.Created_at = OLD.Created_at,
        NEW.Ver = OLD.Ver,
        NEW.Ver_billing = OLD.Ver_billing,
        NEW.Ver_terms = COALESCE(OLD.Ver_terms, OLD.Ver_billing),
        NEW.Ver_intent = OLD.Ver_intent,
        NEW.Ver_notes = OLD.Ver_notes,
        NEW.Free_trial = COALESCE(NEW.Free_trial, 0) <> 0,
        NEW.Auto_renew = COALESCE(NEW.Auto_renew, 0) <> 0,
        NEW.Muted = COALESCE(NEW.Muted, 0) <> 0,
        -- Somebody may say that a period is as it should be, and nobody that it began by itself.
        NEW.Auto_renewed = OLD.Auto_renewed AND COALESCE(NEW.Auto_renewed, 0) <> 0;

    -- It goes on: from today, where its period has ended.
    IF NEW.Start_date <=> OLD.Start_date AND NOT named AND NOT asked AND NEW.Deleted_at IS NULL
        AND NEW.Cancelled_on IS NULL AND OLD.End_date < UTC_DATE()
        AND (OLD.Cancelled_on IS NOT NULL OR NEW.Auto_renew AND (NOT OLD.Auto_renew OR OLD.Deleted_at IS NOT NULL))
    THEN
        SET NEW.Start_date = UTC_DATE(), NEW.Free_trial = FALSE;
    END IF;

    IF NOT (NEW.Start_date <=> OLD.Start_date) THEN
        SET kind = IF(NEW.Start_date <=> OLD.End_date AND NOT named, 'renewal', 'correction');
    ELSEIF NOT (NEW.Plan_ID <=> OLD.Plan_ID) THEN
        SET kind = 'plan';
    ELSEIF NEW.Free_trial <> OLD.Free_trial THEN
        SET kind = 'trial';
    END IF;

    IF kind <> '' OR moved OR named OR own_changed OR priced_anew THEN
        -- No lock here: a renewal must not wait for an admin's open transaction.
        SELECT
            CASE Duration_unit WHEN 'month' THEN Duration_value WHEN 'year' THEN 12 * Duration_value ELSE 0 END,
            CASE Duration_unit WHEN 'day' THEN Duration_value WHEN 'week' THEN 7 * Duration_value ELSE 0 END,
            COALESCE(Trial_days, 0), Owner_ID, Fee, Currency_code, Fee_since
        INTO months, days, trial, plan_owner, listed, listed_in, since
        FROM Plan WHERE Plan_ID = NEW.Plan_ID;
        SET kept = NEW.Plan_ID;
        IF NOT (NEW.Plan_ID <=> OLD.Plan_ID) THEN
            -- Another plan is held by its key, as by a new subscription.
            SET kept = NULL;
            SELECT Plan_ID INTO kept FROM Plan FORCE INDEX (Plan_key) WHERE Plan_ID = NEW.Plan_ID LOCK IN SHARE MODE;
        END IF;
        IF months IS NULL OR kept IS NULL OR plan_owner <> NEW.User_ID THEN
            SET problem = CONCAT('Plan_ID: there is no such plan: ', COALESCE(NEW.Plan_ID, 'NULL'));
        ELSEIF moved AND EXISTS (
            SELECT 1 FROM Subscription_period p JOIN Plan ON Plan.Plan_ID = p.Plan_ID
            WHERE p.Subscription_ID = OLD.Subscription_ID AND Plan.Owner_ID <> NEW.User_ID)
        THEN
            SET problem = 'User_ID: a period that has ended was of a plan of the former user''s own';
        END IF;
    END IF;

    IF problem IS NULL THEN
        SET problem = CASE
            WHEN NEW.Subscription_ID <> OLD.Subscription_ID
                THEN CONCAT('Subscription_ID: an id never changes: ', HEX(OLD.Subscription_ID))
            WHEN kind <> '' AND NOT COALESCE(NEW.Start_date BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Start_date) > 0 AND DAYOFMONTH(NEW.Start_date) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Start_date)), FALSE)
                THEN CONCAT('Start_date: no day from 1970-01-02 to 2999-12-31: ', COALESCE(NEW.Start_date, 'NULL'))
            WHEN NOT (NEW.Own_fee IS NULL OR NEW.Own_fee BETWEEN 0 AND 99999999999)
                THEN CONCAT('Own_fee: not between 0 and 99999999999: ', NEW.Own_fee)
            -- A row from when there might be more keeps what it has.
            WHEN NEW.Reminder_days > 365 AND NOT NEW.Reminder_days <=> OLD.Reminder_days
                THEN CONCAT('Reminder_days: more than 365: ', NEW.Reminder_days)
            WHEN NOT (NEW.Cancelled_on IS NULL OR COALESCE(NEW.Cancelled_on BETWEEN '1970-01-02' AND '2999-12-31'
                AND MONTH(NEW.Cancelled_on) > 0 AND DAYOFMONTH(NEW.Cancelled_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Cancelled_on)), FALSE))
                THEN CONCAT('Cancelled_on: no day from 1970-01-02 to 2999-12-31: ', NEW.Cancelled_on)
            WHEN NOT (NEW.Deleted_at IS NULL OR COALESCE(NEW.Deleted_at BETWEEN '1970-01-02' AND '2999-12-31', FALSE))
                THEN CONCAT('Deleted_at: no such time: ', NEW.Deleted_at)
        END;
    END IF;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Subscription.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;

    IF given IS NOT NULL AND NOT (NEW.Free_trial AND trial > 0) THEN
        SET k = IF(months > 0,
            ((YEAR(NEW.Start_date) - YEAR(given)) * 12 + MONTH(NEW.Start_date) - MONTH(given)) DIV months,
            DATEDIFF(NEW.Start_date, given) DIV days);
        SET fits = given + INTERVAL k * months MONTH + INTERVAL k * days DAY = NEW.Start_date;
        -- The same start, in another calendar.
        IF fits THEN
            SET kind = 'correction';
        END IF;
    END IF;

    IF kind IN ('renewal', 'correction') THEN
        IF kind = 'renewal' THEN
            SET NEW.Free_trial = FALSE, NEW.Period = OLD.Period + 1;
        ELSE
            SELECT MAX(End_date) INTO ended FROM Subscription_period WHERE Subscription_ID = OLD.Subscription_ID;
            IF NEW.Start_date < ended THEN
                SET problem = CONCAT('Subscription.Start_date: lies in a period that has ended; the earliest is ', ended,
                    ': ', NEW.Start_date);
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
            END IF;
            -- A start after the end: a period was left out, and the one so far has ended.
            IF NEW.Start_date > OLD.End_date THEN
                SET NEW.Period = OLD.Period + 1;
            END IF;
        END IF;
    END IF;

    -- The calendar goes on when the end is where the plan's duration puts it, counted from the anchor. It does not
    -- after a trial with a length of its own (count 0), nor when the duration has changed since.
    IF kind = 'correction' AND fits THEN
        SET k = k + 1;
        SET NEW.Anchor_date = given,
            NEW.Anchor_count = k,
            NEW.End_date = given + INTERVAL k * months MONTH + INTERVAL k * days DAY;
    ELSEIF kind IN ('renewal', 'plan') AND OLD.Anchor_count > 0
        AND OLD.Anchor_date + INTERVAL OLD.Anchor_count * months MONTH + INTERVAL OLD.Anchor_count * days DAY
            = OLD.End_date
        AND NOT (kind = 'plan' AND NEW.Free_trial > OLD.Free_trial AND trial > 0 AND OLD.Period = 0)
    THEN
        IF kind = 'renewal' THEN
            SET k = OLD.Anchor_count + 1;
            SET NEW.Anchor_count = k,
                NEW.End_date = OLD.Anchor_date + INTERVAL k * months MONTH + INTERVAL k * days DAY;
        END IF;
    ELSEIF kind = 'trial' AND OLD.Anchor_count > 0 AND NOT (NEW.Free_trial AND trial > 0 AND OLD.Period = 0) THEN
        -- The flag alone moves no end.
        SET kind = 'trial';
    ELSEIF kind <> '' THEN
        SET NEW.Anchor_date = NEW.Start_date;
        IF NEW.Free_trial AND trial > 0 THEN
            SET NEW.Anchor_count = 0, NEW.End_date = NEW.Start_date + INTERVAL trial DAY;
        ELSE
            SET NEW.Anchor_count = 1, NEW.End_date = NEW.Start_date + INTERVAL months MONTH + INTERVAL days DAY;
        END IF;
    END IF;
    -- On to the first period that ends on that day or later.
    IF kind = 'renewal' AND until > NEW.End_date AND until <= '3000-01-01'
        AND MONTH(until) > 0 AND DAYOFMONTH(until) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(until))
    THEN
        SET k = NEW.Anchor_count;
        SET last = IF(months > 0,
            ((YEAR(until) - YEAR(NEW.Anchor_date)) * 12 + MONTH(until) - MONTH(NEW.Anchor_date)) DIV months,
            DATEDIFF(until, NEW.Anchor_date) DIV days);
        IF NEW.Anchor_date + INTERVAL last * months MONTH + INTERVAL last * days DAY < until THEN
            SET last = last + 1;
        END IF;
        SET last = LEAST(last, k + 3999);
        SET NEW.Period = NEW.Period + last - k,
            NEW.Anchor_count = last,
            NEW.Start_date = NEW.Anchor_date + INTERVAL (last - 1) * months MONTH + INTERVAL (last - 1) * days DAY,
            NEW.End_date = NEW.Anchor_date + INTERVAL last * months MONTH + INTERVAL last * days DAY;
    END IF;
    IF NEW.End_date IS NULL OR NEW.End_date > '9000-01-01' THEN
        SET problem = CONCAT('Subscription.End_date: it would be after 9000-01-01, from: ', NEW.Start_date);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    -- Who goes on has not cancelled. A period of the past alone says nothing of what came after it.
    IF NEW.Period > OLD.Period AND NEW.Cancelled_on <=> OLD.Cancelled_on AND NEW.End_date >= UTC_DATE() THEN
        SET NEW.Cancelled_on = NULL;
    END IF;
    -- A period that somebody begins, moves or names a fee for is that person's.
    IF kind <> '' OR own_changed THEN
        SET NEW.Auto_renewed = kind = 'renewal' AND asked AND NEW.Auto_renew AND NEW.Cancelled_on IS NULL;
    END IF;

    -- What the period costs: taken when it begins, or when what it is changes.
    IF kind <> '' OR own_changed OR priced_anew THEN
        -- The price of the day on which the period begins; earlier than the first known day, the first known price.
        IF NEW.Start_date >= since THEN
            SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
            WHERE Plan_ID = NEW.Plan_ID AND Effective_on > since AND Effective_on <= NEW.Start_date
            ORDER BY Effective_on DESC LIMIT 1;
        ELSE
            SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
            WHERE Plan_ID = NEW.Plan_ID AND Effective_on <= NEW.Start_date
            ORDER BY Effective_on DESC LIMIT 1;
            IF other IS NULL THEN
                SELECT Fee, Currency_code INTO other, other_in FROM Plan_price
                WHERE Plan_ID = NEW.Plan_ID AND Effective_on < since
                ORDER BY Effective_on LIMIT 1;
            END IF;
        END IF;
        IF other IS NOT NULL THEN
            SET listed = other, listed_in = other_in;
        END IF;
        IF NEW.Own_fee IS NOT NULL THEN
            SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = listed_in;
            IF (own_changed OR NEW.Plan_ID <> OLD.Plan_ID) AND NEW.Own_fee <> ROUND(NEW.Own_fee, digits) THEN
                SET problem = CONCAT('Subscription.Own_fee: ', listed_in, ' has ', digits, ' digits: ', NEW.Own_fee);
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
            END IF;
        END IF;
        -- Rounded: the plan may have got another currency since the user named a fee.
        SET NEW.Period_fee = IF(NEW.Free_trial, 0, COALESCE(ROUND(NEW.Own_fee, digits), listed)),
            NEW.Period_currency = listed_in;
    END IF;

    IF back IS NOT NULL THEN
        SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Plan_ID, Fee, Currency_code, Auto_renewed
        INTO first_day, last_day, trial_then, anchored, counted, plan_then, fee_then, code_then, auto_then
        FROM Subscription_period WHERE Subscription_ID = OLD.Subscription_ID AND Period = back;
        IF anchored IS NULL OR kind <> '' OR moved OR NOT OLD.Auto_renewed OR EXISTS (
            SELECT 1 FROM Subscription_period
            WHERE Subscription_ID = OLD.Subscription_ID AND Period > back AND NOT Auto_renewed)
        THEN
            SET problem = CONCAT('Subscription.Period: only what began by itself is taken back; not so after period ', back);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
        END IF;
        SET NEW.Period = back,
            NEW.Start_date = first_day,
            NEW.End_date = last_day,
            NEW.Free_trial = trial_then,
            NEW.Anchor_date = anchored,
            NEW.Anchor_count = counted,
            NEW.Plan_ID = plan_then,
            NEW.Period_fee = fee_then,
            NEW.Period_currency = code_then,
            NEW.Auto_renewed = auto_then;
    END IF;

    -- A version for the row, and for each group of fields that has changed. Moved or restored, all of it is new.
    SET deletion = NOT (NEW.Deleted_at <=> OLD.Deleted_at),
        billing = own_changed
            OR NOT (NEW.Plan_ID <=> OLD.Plan_ID
                AND NEW.Start_date <=> OLD.Start_date
                AND NEW.End_date <=> OLD.End_date
                AND NEW.Free_trial <=> OLD.Free_trial
                AND NEW.Anchor_date <=> OLD.Anchor_date
                AND NEW.Anchor_count <=> OLD.Anchor_count
                AND NEW.Period <=> OLD.Period
                AND NEW.Period_fee <=> OLD.Period_fee
                AND NEW.Period_currency <=> OLD.Period_currency),
        terms = own_changed OR NOT (NEW.Plan_ID <=> OLD.Plan_ID),
        intent = NOT (NEW.Auto_renew <=> OLD.Auto_renew
            AND NEW.Cancelled_on <=> OLD.Cancelled_on
            AND NEW.Reminder_days <=> OLD.Reminder_days
            AND NEW.Muted <=> OLD.Muted),
        -- By bytes: for the collation, e and é are one.
        notes = NOT (CAST(NEW.Label AS BINARY) <=> CAST(OLD.Label AS BINARY)
            AND CAST(NEW.Note AS BINARY) <=> CAST(OLD.Note AS BINARY));
    IF moved OR OLD.Deleted_at IS NOT NULL AND NEW.Deleted_at IS NULL THEN
        SET billing = TRUE, terms = TRUE, intent = TRUE, notes = TRUE;
    END IF;
    -- What renews by itself, and what is taken back of that, is nobody's change: a late correction is not lost to it.
    SET by_itself = (back IS NOT NULL OR kind = 'renewal' AND NEW.Auto_renewed)
        AND NOT own_changed AND NOT moved AND NOT deletion AND NOT priced_anew;
    IF billing OR intent OR notes OR deletion OR asked THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (NEW.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
        SET NEW.Ver_billing = IF(billing AND NOT by_itself, NEW.Ver, OLD.Ver_billing),
            NEW.Ver_terms = IF(terms, NEW.Ver, NEW.Ver_terms),
            NEW.Ver_intent = IF(intent, NEW.Ver, OLD.Ver_intent),
            NEW.Ver_notes = IF(notes, NEW.Ver, OLD.Ver_notes);
    END IF;
END//

DROP TRIGGER IF EXISTS Subscription_after_update//
CREATE TRIGGER Subscription_after_update AFTER UPDATE ON Subscription FOR EACH ROW
BEGIN
    DECLARE months, days, k, digits INT;
    DECLARE passed INT UNSIGNED;
    DECLARE begins, ends, priced_until DATE;
    DECLARE price DECIMAL(18, 6);
    DECLARE code CHAR(3) CHARACTER SET ascii COLLATE ascii_bin;
    -- MariaDB 10.6 finds no row of a view with UNION by a column of NEW: conditions on Price_line take a variable.
    DECLARE plan INT UNSIGNED DEFAULT NEW.Plan_ID;

    IF NEW.Period > OLD.Period THEN
        INSERT INTO Subscription_period
            (Subscription_ID, Period, Start_date, End_date, Fee, Currency_code, Free_trial, Plan_ID, Ver, Auto_renewed,
                Anchor_date, Anchor_count)
        VALUES
            (OLD.Subscription_ID, OLD.Period, OLD.Start_date, OLD.End_date, OLD.Period_fee, OLD.Period_currency,
                OLD.Free_trial, OLD.Plan_ID, NEW.Ver, OLD.Auto_renewed, OLD.Anchor_date, OLD.Anchor_count);
    END IF;
    -- Taken back: those that had ended leave tombstones.
    IF NEW.Period < OLD.Period THEN
        DELETE FROM Subscription_period WHERE Subscription_ID = NEW.Subscription_ID AND Period >= NEW.Period;
    END IF;
    -- Those between, where a renewal led further: the line's price is looked up where it changes.
    IF NEW.Period > OLD.Period + 1 THEN
        SELECT
            CASE Duration_unit WHEN 'month' THEN Duration_value WHEN 'year' THEN 12 * Duration_value ELSE 0 END,
            CASE Duration_unit WHEN 'day' THEN Duration_value WHEN 'week' THEN 7 * Duration_value ELSE 0 END
        INTO months, days
        FROM Plan WHERE Plan_ID = NEW.Plan_ID;
        SET passed = OLD.Period + 1, begins = OLD.End_date, k = NEW.Anchor_count - (NEW.Period - OLD.Period) + 1;
        WHILE passed < NEW.Period DO
            SET ends = NEW.Anchor_date + INTERVAL k * months MONTH + INTERVAL k * days DAY;
            IF priced_until IS NULL OR begins >= priced_until THEN
                SET price = NULL, code = NULL, digits = NULL, priced_until = NULL;
                SELECT Fee, Currency_code INTO price, code FROM Price_line
                WHERE Plan_ID = plan AND Effective_on <= begins ORDER BY Effective_on DESC LIMIT 1;
                IF code IS NULL THEN
                    SELECT Fee, Currency_code INTO price, code FROM Price_line
                    WHERE Plan_ID = plan ORDER BY Effective_on LIMIT 1;
                END IF;
                SELECT MIN(Effective_on) INTO priced_until FROM Price_line
                WHERE Plan_ID = plan AND Effective_on > begins;
                SET priced_until = COALESCE(priced_until, '9999-12-31');
                SELECT Minor_digits INTO digits FROM Currency WHERE Currency_code = code;
            END IF;
            INSERT INTO Subscription_period
                (Subscription_ID, Period, Start_date, End_date, Fee, Currency_code, Free_trial, Plan_ID, Ver, Auto_renewed,
                    Anchor_date, Anchor_count)
            VALUES
                (OLD.Subscription_ID, passed, begins, ends, COALESCE(ROUND(NEW.Own_fee, digits), price), code, FALSE,
                    NEW.Plan_ID, NEW.Ver, NEW.Auto_renewed, NEW.Anchor_date, k);
            SET begins = ends, passed = passed + 1, k = k + 1;
        END WHILE;
        -- Both triggers have counted by the same terms.
        IF NOT begins <=> NEW.Start_date THEN
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Subscription.Start_date: the plan''s duration has just changed; renew it again';
        END IF;
    END IF;
    -- Moved or restored: its periods are new too.
    IF NEW.User_ID <> OLD.User_ID OR OLD.Deleted_at IS NOT NULL AND NEW.Deleted_at IS NULL THEN
        UPDATE Subscription_period SET Ver = NEW.Ver WHERE Subscription_ID = NEW.Subscription_ID;
    END IF;
    -- A tombstone stands for the periods too: whoever drops the subscription drops them.
    IF NEW.User_ID <> OLD.User_ID THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 2, OLD.Subscription_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    ELSEIF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        VALUES (NEW.User_ID, NEW.Ver, 2, NEW.Subscription_ID, UTC_TIMESTAMP());
    END IF;
END//

-- ───────── Deleting for good
DROP TRIGGER IF EXISTS Subscription_before_delete//
CREATE TRIGGER Subscription_before_delete BEFORE DELETE ON Subscription FOR EACH ROW
BEGIN
    -- Version 0 says that they go with their subscription, and need no tombstone of their own.
    UPDATE Subscription_period SET Ver = 0 WHERE Subscription_ID = OLD.Subscription_ID;
    DELETE FROM Subscription_period WHERE Subscription_ID = OLD.Subscription_ID;
END//

DROP TRIGGER IF EXISTS Subscription_after_delete//
CREATE TRIGGER Subscription_after_delete AFTER DELETE ON Subscription FOR EACH ROW
BEGIN
    -- One that was marked as deleted has its tombstone already.
    IF OLD.Deleted_at IS NULL THEN
        INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
        SELECT Scope_ID, Ver, 2, OLD.Subscription_ID, UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
    END IF;
END//

DELIMITER ;
