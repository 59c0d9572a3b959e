-- Withdrawals by a revision: a column that is not in the file, a plan that is not there, and rows that change after the check.
-- sessions: strict lax
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE Plan SET Withdrawn_on = '2024-05-01' WHERE Plan_ID IN (1, 3);
UPDATE Plan SET Withdrawn_on = '2024-06-01' WHERE Plan_ID = 5;

-- A file without the column leaves withdrawn plans withdrawn, and says so. Another price changes nothing of that.
INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES ('silent', '2025-03-01', TRUE);
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
    ('silent', 'US', 'Netflix', 'Standard', '15.49', '1', 'month'), ('silent', 'US', 'Netflix', 'Premium', '25', '1', 'month'),
    ('silent', 'US', 'Netflix', 'Year', '150', '1', 'year'), ('silent', 'US', 'Netflix', 'Quarter', '40', '3', 'month');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'silent';
SELECT Plan_name, Outcome, Explanation FROM Revised_plan WHERE Revision = 'silent' ORDER BY Row_no;
-- expect: Standard | unchanged | it stays withdrawn on 2024-05-01; an empty Withdrawn_on sells it again
-- expect: Premium | price | 22.99 USD -> 25 USD from 2025-03-01; it stays withdrawn on 2024-05-01; an empty Withdrawn_on sells it again
-- expect: Year | unchanged | NULL
-- expect: Quarter | unchanged | NULL
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'silent';
SELECT Plan_ID, Withdrawn_on FROM Plan WHERE Plan_ID <= 4 ORDER BY 1;
-- expect: 1 | 2024-05-01
-- expect: 2 | NULL
-- expect: 3 | 2024-05-01
-- expect: 4 | NULL
-- An empty field in the column sells the plan again. Of several rows the newest that says something counts.
INSERT INTO Revision (Revision, Effective_on) VALUES ('empty', '2025-04-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('empty', 'US', 'Netflix', 'Standard', '15.49', '', '1', 'month', ''),
    ('empty', 'US', 'Netflix', 'Premium', '26', '2025-04-01', '1', 'month', ''),
    ('empty', 'US', 'Netflix', 'Premium', '27', '2025-05-01', '1', 'month', NULL);
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'empty';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'empty';
SELECT Plan_ID, Withdrawn_on FROM Plan WHERE Plan_ID IN (1, 3) ORDER BY 1;
-- expect: 1 | NULL
-- expect: 3 | NULL

-- A plan that is withdrawn has to be there, and so nothing is applied. One that the file prices as well is new.
INSERT INTO Revision (Revision, Effective_on) VALUES ('absent', '2025-06-01');
INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Fee_since, Duration_value, Duration_unit, Withdrawn_on) VALUES
    ('absent', 'US', 'Netflix', 'Standart', '', '', '1', 'month', '2025-06-01'),
    ('absent', 'US', 'Netflix', 'Year', '', '', '1', 'year', '2025-06-01'),
    ('absent', 'US', 'Netflix', 'Short', '3', '2025-01-01', '1', 'week', ''),
    ('absent', 'US', 'Netflix', 'Short', '', '2025-06-01', '1', 'week', '2025-06-01'),
    ('absent', 'US', 'Netflix', 'Nowhere', 'none', '', '1', 'month', '2025-06-01'),
    ('absent', 'US', 'Netflix', 'Quarter', 'none', '', '3', 'month', '2025-06-01'),
    ('absent', 'DE', 'Netflix', 'Standard', 'none', '', '1', 'month', '');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'absent';
SELECT Line, Plan_name, Outcome, Explanation FROM Revised_plan WHERE Revision = 'absent' ORDER BY Row_no;
-- expect: 1 | Standart | rejected | Plan_name: there is no such plan to withdraw: Standart; correct the provider, name, type or duration, or write none as Fee where it need not be there
-- expect: 2 | Year | withdrawn | withdrawn on 2025-06-01
-- expect: 3 | Short | new | NULL
-- expect: 4 | Short | unchanged | NULL
-- expect: 5 | Nowhere | unchanged | NULL
-- expect: 6 | Quarter | withdrawn | withdrawn on 2025-06-01
-- expect: 7 | Standard | rejected | Fee: none needs a day in Withdrawn_on; fill that in, or write an amount
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'absent' AND Country_ID = 'US';
-- error: Revision_country.Applied_at: 2 rows are rejected; see Revised_plan, mend or delete them in Staged_plan, check: absent
DELETE FROM Staged_plan WHERE Revision = 'absent' AND (Plan_name = 'Standart' OR Country_ID = 'DE');
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'absent';
-- A plan that is deleted after the check is not withdrawn unseen.
DELETE FROM Plan WHERE Plan_ID = 2;
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'absent';
-- error: Revision_country.Applied_at: a plan that it withdraws is gone since the check; check it again: absent
DELETE FROM Staged_plan WHERE Revision = 'absent' AND Plan_name = 'Year';
UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'absent';
UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'absent';
SELECT Plan_name, Withdrawn_on FROM Plan WHERE Provider = 'Netflix' AND Plan_name IN ('Short', 'Quarter', 'Nowhere') ORDER BY 1;
-- expect: Quarter | 2025-06-01
-- expect: Short | 2025-06-01

-- Whether staged rows changed since the check is told to a session that asks; the row stays as it is.
SELECT Applied_at INTO @applied FROM Revision_country WHERE Revision = 'absent';
SET @subtrackit_changed = FALSE;
UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = 'absent';
SELECT @subtrackit_changed;
-- expect: 0
-- NULL in place of an empty field is a change.
UPDATE Staged_plan SET Withdrawn_on = NULL WHERE Revision = 'absent' AND Plan_name = 'Short' AND Withdrawn_on = '';
UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = 'absent';
SELECT @subtrackit_changed, Applied_at = @applied FROM Revision_country WHERE Revision = 'absent';
-- expect: 1 | 1
SET @subtrackit_changed = NULL;
UPDATE Revision_country SET Applied_at = Applied_at WHERE Revision = 'absent';
-- error: Revision_country.Applied_at: it is applied already (absent): US
