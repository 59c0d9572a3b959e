-- Revision: setting Checked_at checks what was staged for it.
--
-- What is staged is bytes. They are made into values here, and a row of which that cannot be said without doubt is rejected
-- with the reason. Functions that complain about a value (CAST, LAST_DAY) get none that a pattern has not let through: in a
-- strict session the complaint would end the check.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

DELIMITER //

DROP TRIGGER IF EXISTS Revision_before_insert//
CREATE TRIGGER Revision_before_insert BEFORE INSERT ON Revision FOR EACH ROW
BEGIN
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    SET problem = CASE
        WHEN TRIM(COALESCE(NEW.Revision, '')) = '' THEN 'Revision: it is empty'
        WHEN NOT COALESCE(NEW.Effective_on BETWEEN '1970-01-02' AND '2999-12-31'
            AND MONTH(NEW.Effective_on) > 0 AND DAYOFMONTH(NEW.Effective_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Effective_on)), FALSE)
            THEN CONCAT('Effective_on: no day from 1970-01-02 to 2999-12-31 (', NEW.Revision, '): ',
                COALESCE(NEW.Effective_on, 'NULL'))
        WHEN NEW.Checked_at IS NOT NULL
            THEN 'Checked_at: first the revision, then its rows in Staged_plan, then UPDATE Revision SET Checked_at = NOW()'
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Revision.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Is_complete = COALESCE(NEW.Is_complete, 0) <> 0;
END//

DROP TRIGGER IF EXISTS Revision_before_update//
CREATE TRIGGER Revision_before_update BEFORE UPDATE ON Revision FOR EACH ROW
BEGIN
    DECLARE staged BIGINT UNSIGNED;
    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

    IF NEW.Checked_at IS NOT NULL THEN
        SELECT SUM(Row_sum) INTO staged FROM Staged_check WHERE Revision = OLD.Revision;
        SET NEW.Staged_sum = staged;
    END IF;
    SET problem = CASE
        WHEN NOT (NEW.Revision <=> OLD.Revision) THEN CONCAT('Revision: its name never changes: ', OLD.Revision)
        WHEN NOT COALESCE(NEW.Effective_on BETWEEN '1970-01-02' AND '2999-12-31'
            AND MONTH(NEW.Effective_on) > 0 AND DAYOFMONTH(NEW.Effective_on) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(NEW.Effective_on)), FALSE)
            THEN CONCAT('Effective_on: no day from 1970-01-02 to 2999-12-31 (', NEW.Revision, '): ',
                COALESCE(NEW.Effective_on, 'NULL'))
        WHEN NEW.Checked_at IS NOT NULL AND staged IS NULL
            THEN CONCAT('Checked_at: there is no row in Staged_plan for it: ', OLD.Revision)
    END;
    IF problem IS NOT NULL THEN
        SET problem = LEFT(CONCAT('Revision.', problem), 128);
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    SET NEW.Is_complete = COALESCE(NEW.Is_complete, 0) <> 0;
    -- Whatever time was given: it is checked now, and a row that did not change would fire no trigger below.
    IF NEW.Checked_at IS NOT NULL THEN
        SET NEW.Checked_at = GREATEST(UTC_TIMESTAMP(6), COALESCE(OLD.Checked_at, UTC_TIMESTAMP(6)) + INTERVAL 1 MICROSECOND);
    END IF;
END//

DROP TRIGGER IF EXISTS Revision_after_update//
CREATE TRIGGER Revision_after_update AFTER UPDATE ON Revision FOR EACH ROW
BEGIN
    -- A day, a whole number that may be a term, an amount, and the bytes in hex of text in UTF-8 without control characters.
    DECLARE day VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin DEFAULT
        '^(19[7-9][0-9]|2[0-9][0-9][0-9])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';
    DECLARE small VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin DEFAULT '^[0-9]{1,4}$';
    DECLARE amount VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin DEFAULT '^[0-9]{1,11}([.][0-9]{1,6}0*)?$';
    DECLARE utf8 VARCHAR(400) CHARACTER SET ascii COLLATE ascii_bin DEFAULT
        CONCAT('^(([2-6].)|(7[0-9A-E])|((C[2-9A-F]|D.)[89AB].)|(E0[AB].[89AB].)|(E[1-9ABCEF][89AB].[89AB].)|(ED[',
               '89].[89AB].)|(F0[9AB].[89AB].[89AB].)|(F[1-3][89AB].[89AB].[89AB].)|(F48.[89AB].[89AB].))*$');

    IF NEW.Checked_at IS NOT NULL THEN
        DELETE FROM Revision_country WHERE Revision = NEW.Revision;
        DELETE FROM Revision_provider WHERE Revision = NEW.Revision;
        DELETE FROM Revised_plan WHERE Revision = NEW.Revision;

        INSERT INTO Revised_plan
            (Revision, Row_no, Line, Country_ID, Outcome, Explanation, Provider, Plan_name, Subscription_type, Fee, Currency_code,
             Fee_since, Duration_value, Duration_unit, Trial_days, Notice_days, Withdrawn_on, Category, Staged_ID,
             Prior_since, Prior_fee, Prior_currency, Is_last, Says_end, Needs_plan)
        SELECT
            NEW.Revision, d.Row_no, d.Line, d.Country_ID,
            IF(d.Reason IS NULL AND d.Same = 1, 'unchanged', 'rejected'),
            LEFT(COALESCE(d.Reason, IF(d.Same = 1, NULL, CONCAT('Plan_name: the plan is there ', d.Same,
                ' times for one day, first in line ', d.First_line, ': ', d.Plan_name,
                '; delete all but one, or give each a Fee_since'))), 255),
            d.Provider, d.Plan_name, d.Subscription_type, d.Fee, d.Currency_code, d.Fee_since, d.Duration_value,
            d.Duration_unit, d.Newest_trial, d.Newest_notice, d.Newest_end, d.Category, d.Staged_ID,
            d.Prior_since, d.Prior_fee, d.Prior_currency, d.Last_day = d.Fee_since, d.Any_end, d.Withdraws AND NOT d.Any_price
        FROM (
            -- Rows of one plan stand beside each other, by day; rejected ones each by itself.
            SELECT x.*,
                COUNT(*) OVER same AS Same, MIN(x.Line) OVER same AS First_line,
                LAG(x.Fee_since) OVER line AS Prior_since, LAG(x.Fee) OVER line AS Prior_fee,
                LAG(x.Currency_code) OVER line AS Prior_currency,
                MAX(x.Fee_since) OVER plan AS Last_day,
                -- A plan's terms, and whether it is withdrawn, are those of its newest row that says something. NULL says nothing.
                MAX(x.Says_end) OVER plan AS Any_end, MAX(x.Fee IS NOT NULL) OVER plan AS Any_price,
                -- Day and value are one number: MySQL 8 confuses several window functions over texts with each other.
                CAST(MOD(MAX(TO_DAYS(x.Fee_since) * 1000000000 + x.Trial_days) OVER plan, 1000000000) AS UNSIGNED)
                    AS Newest_trial,
                CAST(MOD(MAX(TO_DAYS(x.Fee_since) * 1000000000 + x.Notice_days) OVER plan, 1000000000) AS UNSIGNED)
                    AS Newest_notice,
                FROM_DAYS(NULLIF(MOD(
                    MAX(IF(x.Says_end, TO_DAYS(x.Fee_since) * 1000000000 + COALESCE(TO_DAYS(x.Withdrawn_on), 0), NULL)) OVER plan,
                    1000000000), 0))
                    AS Newest_end
            FROM (
                SELECT v.*, IF(v.Reason IS NULL, 0, v.Row_no) AS Apart
                FROM (
                    SELECT
                        c.Row_no, COALESCE(c.Given_line, c.Row_no) AS Line, c.Staged_ID, COALESCE(k.Country_ID, '') AS Country_ID,
                        -- A row withdraws a plan that has to be there. With the fee none it says that a plan is not sold.
                        c.Says_end, c.Fee = '' AS Withdraws,
                        IF((CONVERT(c.Provider USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Provider) REGEXP utf8), LEFT(CONVERT(c.Provider USING utf8mb4) COLLATE utf8mb4_unicode_ci, 100), NULL) AS Provider,
                        IF((CONVERT(c.Plan_name USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Plan_name) REGEXP utf8), LEFT(CONVERT(c.Plan_name USING utf8mb4) COLLATE utf8mb4_unicode_ci, 100), NULL) AS Plan_name,
                        IF(c.Subscription_type = '', 'Standard', IF((CONVERT(c.Subscription_type USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Subscription_type) REGEXP utf8), LEFT(CONVERT(c.Subscription_type USING utf8mb4) COLLATE utf8mb4_unicode_ci, 30), NULL)) AS Subscription_type,
                        IF((CONVERT(c.Category USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Category) REGEXP utf8), LEFT(CONVERT(c.Category USING utf8mb4) COLLATE utf8mb4_unicode_ci, 50), NULL) AS Category,
                        IF(CONVERT(c.Fee USING latin1) COLLATE latin1_swedish_ci REGEXP amount, CAST(CONVERT(c.Fee USING latin1) COLLATE latin1_swedish_ci AS DECIMAL(18, 6)), NULL) AS Fee,
                        COALESCE(m.Currency_code, k.Currency_code) AS Currency_code,
                        COALESCE(IF(IF(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci REGEXP day, CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci <> '1970-01-01' AND RIGHT(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci, 2) <= DAYOFMONTH(LAST_DAY(CONCAT(LEFT(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci, 8), '01'))), FALSE), CAST(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci AS DATE), NULL), NEW.Effective_on) AS Fee_since,
                        IF(CONVERT(c.Duration_value USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Duration_value USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) AS Duration_value,
                        IF(CONVERT(c.Duration_unit USING latin1) COLLATE latin1_swedish_ci IN ('day', 'week', 'month', 'year'), CONVERT(c.Duration_unit USING latin1) COLLATE latin1_swedish_ci, NULL) AS Duration_unit,
                        IF(CONVERT(c.Trial_days USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Trial_days USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) AS Trial_days,
                        IF(CONVERT(c.Notice_days USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Notice_days USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) AS Notice_days,
                        IF(IF(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci REGEXP day, CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci <> '1970-01-01' AND RIGHT(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci, 2) <= DAYOFMONTH(LAST_DAY(CONCAT(LEFT(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci, 8), '01'))), FALSE), CAST(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci AS DATE), NULL) AS Withdrawn_on,
                        CASE
                            WHEN c.Surplus <> ''
                                THEN CONCAT('Surplus: more fields than columns: ', LEFT(CONVERT(CONVERT(c.Surplus USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; remove the comma, or put the text with commas in quotes')
                            WHEN c.Country_ID = '' THEN 'Country_ID: it is empty; write a code of ISO 3166-1 such as US'
                            -- Files that were loaded with other options than theirs.
                            WHEN LOCATE(0x00, c.Country_ID) > 0
                                THEN 'Country_ID: the file is text in UTF-16; save it as UTF-8, and load it again'
                            WHEN CONVERT(c.Country_ID USING latin1) COLLATE latin1_swedish_ci = 'Country_ID'
                                THEN 'Country_ID: it is the line of names; load the file again with IGNORE 1 LINES'
                            WHEN c.Provider = '' AND LOCATE(0x3B, c.Country_ID) > 0
                                THEN 'Country_ID: the fields are separated by semicolons; load the file again with FIELDS TERMINATED BY '';'''
                            WHEN c.Provider = '' AND LOCATE(0x09, c.Country_ID) > 0
                                THEN 'Country_ID: the fields are separated by tabs; load the file again without FIELDS TERMINATED BY'
                            WHEN k.Country_ID IS NULL
                                THEN CONCAT('Country_ID: there is no such country: ', LEFT(CONVERT(CONVERT(c.Country_ID USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write a code of ISO 3166-1 such as US')
                            WHEN NOT (CONVERT(c.Provider USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Provider) REGEXP utf8)
                                THEN CONCAT('Provider: not text in UTF-8 without control characters: ', LEFT(CONVERT(CONVERT(c.Provider USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; save the file as UTF-8, without control characters')
                            WHEN CHAR_LENGTH(IF((CONVERT(c.Provider USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Provider) REGEXP utf8), LEFT(CONVERT(c.Provider USING utf8mb4) COLLATE utf8mb4_unicode_ci, 101), NULL)) > 100
                                THEN CONCAT('Provider: longer than 100 characters: ', IF((CONVERT(c.Provider USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Provider) REGEXP utf8), LEFT(CONVERT(c.Provider USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), NULL), '; shorten it')
                            WHEN NOT (CONVERT(c.Plan_name USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Plan_name) REGEXP utf8)
                                THEN CONCAT('Plan_name: not text in UTF-8 without control characters: ', LEFT(CONVERT(CONVERT(c.Plan_name USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; save the file as UTF-8, without control characters')
                            WHEN CHAR_LENGTH(IF((CONVERT(c.Plan_name USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Plan_name) REGEXP utf8), LEFT(CONVERT(c.Plan_name USING utf8mb4) COLLATE utf8mb4_unicode_ci, 101), NULL)) > 100
                                THEN CONCAT('Plan_name: longer than 100 characters: ', IF((CONVERT(c.Plan_name USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Plan_name) REGEXP utf8), LEFT(CONVERT(c.Plan_name USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), NULL), '; shorten it')
                            WHEN NOT (CONVERT(c.Subscription_type USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Subscription_type) REGEXP utf8)
                                THEN CONCAT('Subscription_type: not text in UTF-8 without control characters: ', LEFT(CONVERT(CONVERT(c.Subscription_type USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; save the file as UTF-8, without control characters')
                            WHEN CHAR_LENGTH(IF((CONVERT(c.Subscription_type USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Subscription_type) REGEXP utf8), LEFT(CONVERT(c.Subscription_type USING utf8mb4) COLLATE utf8mb4_unicode_ci, 31), NULL)) > 30
                                THEN CONCAT('Subscription_type: longer than 30 characters: ', IF((CONVERT(c.Subscription_type USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Subscription_type) REGEXP utf8), LEFT(CONVERT(c.Subscription_type USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), NULL), '; shorten it')
                            WHEN NOT (CONVERT(c.Category USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Category) REGEXP utf8)
                                THEN CONCAT('Category: not text in UTF-8 without control characters: ', LEFT(CONVERT(CONVERT(c.Category USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; save the file as UTF-8, without control characters')
                            WHEN CHAR_LENGTH(IF((CONVERT(c.Category USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Category) REGEXP utf8), LEFT(CONVERT(c.Category USING utf8mb4) COLLATE utf8mb4_unicode_ci, 51), NULL)) > 50
                                THEN CONCAT('Category: longer than 50 characters: ', IF((CONVERT(c.Category USING latin1) COLLATE latin1_swedish_ci REGEXP '^[ -~]*$' OR HEX(c.Category) REGEXP utf8), LEFT(CONVERT(c.Category USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), NULL), '; shorten it')
                            WHEN c.Provider = '' THEN 'Provider: it is empty; fill it in'
                            WHEN c.Plan_name = '' THEN 'Plan_name: it is empty; fill it in'
                            WHEN c.Currency_code <> '' AND m.Currency_code IS NULL
                                THEN CONCAT('Currency_code: there is no such currency: ', LEFT(CONVERT(CONVERT(c.Currency_code USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write a code of ISO 4217 such as USD, or leave it empty')
                            WHEN c.Fee = '' AND c.Withdrawn_on = '' THEN 'Fee: it is empty; fill it in, or Withdrawn_on'
                            WHEN c.Fee = 'none' AND c.Withdrawn_on = '' THEN 'Fee: none needs a day in Withdrawn_on; fill that in, or write an amount'
                            WHEN c.Fee NOT IN ('', 'none') AND NOT CONVERT(c.Fee USING latin1) COLLATE latin1_swedish_ci REGEXP amount
                                THEN CONCAT('Fee: no amount from 0 to 99999999999 such as 17.99: ', LEFT(CONVERT(CONVERT(c.Fee USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write digits and at most one point')
                            WHEN c.Fee NOT IN ('', 'none') AND CAST(CONVERT(c.Fee USING latin1) COLLATE latin1_swedish_ci AS DECIMAL(18, 6))
                                    <> ROUND(CAST(CONVERT(c.Fee USING latin1) COLLATE latin1_swedish_ci AS DECIMAL(18, 6)), COALESCE(m.Minor_digits, n.Minor_digits))
                                THEN CONCAT('Fee: ', COALESCE(m.Currency_code, n.Currency_code), ' has ',
                                    COALESCE(m.Minor_digits, n.Minor_digits), ' digits: ', LEFT(CONVERT(CONVERT(c.Fee USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; round it')
                            WHEN c.Fee_since <> '' AND NOT IF(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci REGEXP day, CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci <> '1970-01-01' AND RIGHT(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci, 2) <= DAYOFMONTH(LAST_DAY(CONCAT(LEFT(CONVERT(c.Fee_since USING latin1) COLLATE latin1_swedish_ci, 8), '01'))), FALSE)
                                THEN CONCAT('Fee_since: no day from 1970-01-02 to 2999-12-31 such as 2027-01-31: ', LEFT(CONVERT(CONVERT(c.Fee_since USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write year, month and day')
                            WHEN c.Withdrawn_on <> '' AND NOT IF(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci REGEXP day, CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci <> '1970-01-01' AND RIGHT(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci, 2) <= DAYOFMONTH(LAST_DAY(CONCAT(LEFT(CONVERT(c.Withdrawn_on USING latin1) COLLATE latin1_swedish_ci, 8), '01'))), FALSE)
                                THEN CONCAT('Withdrawn_on: no day from 1970-01-02 to 2999-12-31 such as 2027-01-31: ', LEFT(CONVERT(CONVERT(c.Withdrawn_on USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write year, month and day')
                            WHEN NOT COALESCE(IF(CONVERT(c.Duration_value USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Duration_value USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) BETWEEN 1 AND 1200, FALSE)
                                THEN CONCAT('Duration_value: no whole number from 1 to 1200: ', LEFT(CONVERT(CONVERT(c.Duration_value USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write a number within these bounds')
                            WHEN NOT CONVERT(c.Duration_unit USING latin1) COLLATE latin1_swedish_ci IN ('day', 'week', 'month', 'year')
                                THEN CONCAT('Duration_unit: not day, week, month or year: ', LEFT(CONVERT(CONVERT(c.Duration_unit USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write one of these')
                            WHEN c.Trial_days <> '' AND NOT COALESCE(IF(CONVERT(c.Trial_days USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Trial_days USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) <= 1200, FALSE)
                                THEN CONCAT('Trial_days: no whole number from 0 to 1200: ', LEFT(CONVERT(CONVERT(c.Trial_days USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write a number within these bounds')
                            WHEN c.Notice_days <> '' AND NOT COALESCE(IF(CONVERT(c.Notice_days USING latin1) COLLATE latin1_swedish_ci REGEXP small, CAST(CONVERT(c.Notice_days USING latin1) COLLATE latin1_swedish_ci AS UNSIGNED), NULL) <= 1200, FALSE)
                                THEN CONCAT('Notice_days: no whole number from 0 to 1200: ', LEFT(CONVERT(CONVERT(c.Notice_days USING latin1) USING utf8mb4) COLLATE utf8mb4_unicode_ci, 40), '; write a number within these bounds')
                        END AS Reason
                    FROM (
                        -- Without a byte order mark, the end of a line, and blanks around.
                        SELECT
                            s.Staged_ID, s.Line AS Given_line, ROW_NUMBER() OVER (ORDER BY s.Staged_ID) AS Row_no,
                            s.Withdrawn_on IS NOT NULL AS Says_end,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Country_ID)))), '') AS Country_ID,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Provider)))), '') AS Provider,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Plan_name)))), '') AS Plan_name,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Subscription_type)))), '') AS Subscription_type,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Fee)))), '') AS Fee,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Currency_code)))), '') AS Currency_code,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Fee_since)))), '') AS Fee_since,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Duration_value)))), '') AS Duration_value,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Duration_unit)))), '') AS Duration_unit,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Trial_days)))), '') AS Trial_days,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Notice_days)))), '') AS Notice_days,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Withdrawn_on)))), '') AS Withdrawn_on,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Category)))), '') AS Category,
                            COALESCE(TRIM(TRIM(TRAILING 0x0D FROM TRIM(TRAILING 0x0A FROM TRIM(LEADING 0xEFBBBF FROM s.Surplus)))), '') AS Surplus
                        FROM Staged_plan s WHERE s.Revision = NEW.Revision
                    ) c
                    LEFT JOIN Country k ON k.Country_ID = CONVERT(CONVERT(c.Country_ID USING latin1) USING ascii) COLLATE ascii_bin
                        AND LENGTH(c.Country_ID) = 2
                    LEFT JOIN Currency m ON m.Currency_code = CONVERT(CONVERT(c.Currency_code USING latin1) USING ascii) COLLATE ascii_bin
                        AND LENGTH(c.Currency_code) = 3
                    LEFT JOIN Currency n ON n.Currency_code = k.Currency_code
                ) v
            ) x
            WINDOW
                plan AS (PARTITION BY x.Apart, x.Country_ID, x.Provider, x.Plan_name, x.Subscription_type, x.Duration_unit,
                    x.Duration_value),
                same AS (PARTITION BY x.Apart, x.Country_ID, x.Provider, x.Plan_name, x.Subscription_type, x.Duration_unit,
                    x.Duration_value, x.Fee_since),
                -- A row without a price, which withdraws the plan, is no day of its price line.
                line AS (PARTITION BY x.Apart, x.Country_ID, x.Provider, x.Plan_name, x.Subscription_type, x.Duration_unit,
                    x.Duration_value, x.Fee IS NULL ORDER BY x.Fee_since)
        ) d;

        INSERT INTO Revision_provider (Revision, Provider)
        SELECT NEW.Revision, MIN(Provider) FROM Revised_plan
        WHERE Revision = NEW.Revision AND Outcome <> 'rejected' GROUP BY Provider;
        INSERT INTO Revision_country (Revision, Country_ID)
        SELECT DISTINCT NEW.Revision, Country_ID FROM Revised_plan WHERE Revision = NEW.Revision;
        -- Its trigger compares the rows of each country with the catalogue.
        UPDATE Revision_country SET Applied_at = NULL WHERE Revision = NEW.Revision;
    END IF;
END//

-- Thrown away, or done with. The staged rows go too.
DROP TRIGGER IF EXISTS Revision_before_delete//
CREATE TRIGGER Revision_before_delete BEFORE DELETE ON Revision FOR EACH ROW
BEGIN
    DELETE FROM Revision_country WHERE Revision = OLD.Revision;
    DELETE FROM Revision_provider WHERE Revision = OLD.Revision;
    DELETE FROM Revised_plan WHERE Revision = OLD.Revision;
    DELETE FROM Staged_plan WHERE Revision = OLD.Revision;
END//

DELIMITER ;
