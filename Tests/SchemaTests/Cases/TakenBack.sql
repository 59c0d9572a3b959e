-- Periods that began by themselves are taken back as if they had never been; those of a person are not.
SET @u = 0x01900000000070008000000000000001;
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Auto_renew, Free_trial) VALUES (@s, @u, 1, '2027-01-24', TRUE, TRUE);
-- As the service renews: all periods that have passed, in one statement.
UPDATE Subscription SET Start_date = End_date, End_date = '2027-04-02', Ver = 0 WHERE Subscription_ID = @s;
SELECT Period, Start_date, End_date, Auto_renewed FROM Subscription;
-- expect: 3 | 2027-03-31 | 2027-04-30 | 1
SELECT Period, Start_date, Auto_renewed, Anchor_date, Anchor_count FROM Subscription_period ORDER BY Period;
-- expect: 0 | 2027-01-24 | 0 | 2027-01-24 | 0
-- expect: 1 | 2027-01-31 | 1 | 2027-01-31 | 1
-- expect: 2 | 2027-02-28 | 1 | 2027-01-31 | 2
-- What renews by itself is nobody's change of the dates.
SELECT Ver > Ver_billing, Ver_billing = Ver_notes FROM Subscription;
-- expect: 1 | 1
SELECT Ver INTO @v FROM Scope WHERE Scope_ID = @u;
UPDATE Subscription SET Period = 1, Ver = 0 WHERE Subscription_ID = @s;
SELECT Period, Start_date, End_date, Anchor_date, Anchor_count, Free_trial, Period_fee, Auto_renewed, Ver - @v, Ver_billing = Ver, Ver_terms <= @v FROM Subscription;
-- expect: 1 | 2027-01-31 | 2027-02-28 | 2027-01-31 | 1 | 0 | 15.490000 | 1 | 1 | 0 | 1
SELECT Period FROM Subscription_period;
-- expect: 0
SELECT Ver - @v, Entity, CONVERT(SUBSTRING(Row_ID, 17) USING utf8mb4) FROM Tombstone ORDER BY Ver;
-- expect: 2 | 3 | 1
-- expect: 3 | 3 | 2
-- Renewed again, the same comes of it, with versions above those of the tombstones.
UPDATE Subscription SET Start_date = End_date, End_date = '2027-04-02', Ver = 0 WHERE Subscription_ID = @s;
SELECT Period, Start_date, End_date, Ver - @v FROM Subscription;
-- expect: 3 | 2027-03-31 | 2027-04-30 | 4
SELECT Period, Ver > @v + 3 FROM Subscription_period ORDER BY Period;
-- expect: 0 | 0
-- expect: 1 | 1
-- expect: 2 | 1
-- The trial comes back too.
UPDATE Subscription SET Period = 0, Ver = 0 WHERE Subscription_ID = @s;
SELECT Period, Start_date, End_date, Anchor_date, Anchor_count, Free_trial, Period_fee, Auto_renewed FROM Subscription;
-- expect: 0 | 2027-01-24 | 2027-01-31 | 2027-01-24 | 0 | 1 | 0.000000 | 0
-- Without Ver = 0 the number is the database's.
UPDATE Subscription SET Start_date = End_date, End_date = '2027-04-02', Ver = 0 WHERE Subscription_ID = @s;
UPDATE Subscription SET Period = 1 WHERE Subscription_ID = @s;
SELECT Period FROM Subscription;
-- expect: 3
-- What somebody said something of stays: a fee of an ended period, a period that was confirmed, one renewed by hand.
UPDATE Subscription_period SET Fee = 9 WHERE Subscription_ID = @s AND Period = 1;
UPDATE Subscription SET Period = 0, Ver = 0 WHERE Subscription_ID = @s;
-- error: Subscription.Period: only what began by itself is taken back; not so after period 0
UPDATE Subscription_period SET Auto_renewed = FALSE WHERE Subscription_ID = @s AND Period = 2;
UPDATE Subscription SET Period = 1, Ver = 0 WHERE Subscription_ID = @s;
-- error: not so after period 1
UPDATE Subscription SET Period = 2, Ver = 0 WHERE Subscription_ID = @s;
SELECT Period, Start_date, Auto_renewed FROM Subscription;
-- expect: 2 | 2027-02-28 | 0
UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
UPDATE Subscription SET Auto_renewed = TRUE WHERE Subscription_ID = @s;
UPDATE Subscription SET Period = 2, Ver = 0 WHERE Subscription_ID = @s;
-- error: not so after period 2
UPDATE Subscription SET Start_date = End_date, End_date = '2027-05-02', Ver = 0 WHERE Subscription_ID = @s;
UPDATE Subscription SET Own_fee = 3 WHERE Subscription_ID = @s;
UPDATE Subscription SET Period = 3, Ver = 0 WHERE Subscription_ID = @s;
-- error: not so after period 3
UPDATE Subscription SET Period = 77, Ver = 0 WHERE Subscription_ID = @s;
SELECT Period FROM Subscription;
-- expect: 4
SELECT SUM(Auto_renewed) FROM Subscription_period;
-- expect: 0
-- One that does not renew by itself was renewed by a person, by whatever statement.
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (0x01900000000070008000000000000102, @u, 1, '2027-01-31');
UPDATE Subscription SET Start_date = End_date, End_date = '2027-05-02', Ver = 0 WHERE Subscription_ID = 0x01900000000070008000000000000102;
UPDATE Subscription SET Period = 0, Ver = 0 WHERE Subscription_ID = 0x01900000000070008000000000000102;
-- error: not so after period 0
