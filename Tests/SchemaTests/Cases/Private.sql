-- Plans of a user's own: theirs alone, with providers and categories of their own.
SET @u = 0x01900000000070008000000000000001, @v = 0x01900000000070008000000000000002;
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    (100, 'Netflix', 'Standard', 1, 'US', 1, 'month', @u),
    (101, 'netflix', 'Standard', 1, 'US', 1, 'month', @u),
    (102, 'Aunt Mary', 'Piano lessons', 30, 'US', 1, 'week', @u);
SELECT Provider, Category FROM Private_provider WHERE Owner_ID = @u ORDER BY Provider;
-- expect: Aunt Mary | Other
-- expect: Netflix | Other
-- expect: netflix | Other
SELECT COUNT(*) FROM Provider WHERE Provider = 'Aunt Mary';
-- expect: 0
SELECT Plan_ID, Provider FROM Plan WHERE Owner_ID = @u AND Plan_name = 'Standard';
-- expect: 100 | Netflix
-- expect: 101 | netflix
SELECT Ver FROM Plan WHERE Plan_ID = 102;
-- expect: 4
-- The category is the owner's; its plans are new when it changes.
UPDATE Private_provider SET Category = 'Music lessons' WHERE Provider = 'Aunt Mary';
SELECT Provider, Category, Ver FROM Plan_text WHERE Plan_ID IN (102, 1);
-- expect: Netflix | Video | 1
-- expect: Aunt Mary | Music lessons | 5
UPDATE Private_provider SET Category = 'Music lessons' WHERE Provider = 'Aunt Mary';
SELECT Ver FROM Plan WHERE Plan_ID = 102;
-- expect: 5
UPDATE Private_provider SET Provider = 'Uncle Bob' WHERE Provider = 'Aunt Mary';
-- error: Private_provider.Provider: it never changes; change Plan.Provider of the owner's plans
DELETE FROM Private_provider WHERE Provider = 'Aunt Mary';
-- error: Private_provider.Provider: a plan of the owner's names it
UPDATE Private_provider SET Category = '' WHERE Provider = 'Aunt Mary';
-- error: Private_provider.Category: it is empty
-- Renamed by the plan: it takes the category along, and the old name goes.
UPDATE Plan SET Provider = 'Uncle Bob' WHERE Plan_ID = 102;
SELECT Provider, Category FROM Private_provider ORDER BY Provider;
-- expect: Netflix | Other
-- expect: Uncle Bob | Music lessons
-- expect: netflix | Other
-- Nobody else can subscribe to it.
INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (@v, 102, '2027-01-31');
-- error: Subscription.Plan_ID: there is no such plan: 102
SET @s = 0x01900000000070008000000000000101;
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (@s, @u, 102, '2027-01-31');
UPDATE Subscription SET User_ID = @v WHERE Subscription_ID = @s;
-- error: Subscription.Plan_ID: there is no such plan: 102
-- Its prices are in the owner's scope.
UPDATE Plan SET Fee = 35, Fee_since = '2099-01-01' WHERE Plan_ID = 102;
SELECT p.Ver = s.Ver FROM Plan_price p JOIN Scope s ON s.Scope_ID = @u WHERE p.Plan_ID = 102;
-- expect: 1
-- A period that ended was of the private plan: the subscription cannot move either.
UPDATE Subscription SET Start_date = End_date, Plan_ID = 1 WHERE Subscription_ID = @s;
UPDATE Subscription SET User_ID = @v WHERE Subscription_ID = @s;
-- error: Subscription.User_ID: a period that has ended was of a plan of the former user's own
-- One user becomes another: first the plans, then the subscriptions.
START TRANSACTION;
UPDATE Plan SET Owner_ID = @v WHERE Owner_ID = @u;
-- affected: 3
UPDATE Subscription SET User_ID = @v WHERE User_ID = @u;
-- affected: 1
COMMIT;
SELECT HEX(Owner_ID), Provider, Category FROM Private_provider ORDER BY Provider;
-- expect: 01900000000070008000000000000002 | Netflix | Other
-- expect: 01900000000070008000000000000002 | Uncle Bob | Music lessons
-- expect: 01900000000070008000000000000002 | netflix | Other
SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = @u AND Entity = 4;
-- expect: 3
SELECT COUNT(*) FROM Plan p JOIN Plan_price x USING (Plan_ID) JOIN Scope s ON s.Scope_ID = @v WHERE p.Ver <= s.Ver AND x.Ver <= s.Ver AND x.Ver > 1;
-- expect: 1
DELETE FROM `User` WHERE User_ID = @u;
-- affected: 1
-- A private plan is deleted; its provider goes with the last one.
UPDATE Plan SET Provider = 'Netflix' WHERE Plan_ID = 101;
SELECT COUNT(*) FROM Private_provider WHERE Provider = 'netflix';
-- expect: 0
DELETE FROM Plan WHERE Plan_ID = 100;
SELECT COUNT(*) FROM Private_provider WHERE Provider = 'Netflix';
-- expect: 1
DELETE FROM Plan WHERE Plan_ID = 101;
SELECT COUNT(*) FROM Private_provider WHERE Provider = 'Netflix';
-- expect: 0
-- Names are told apart by their bytes, each with its category.
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    (110, '🎬', 'Film', 1, 'US', 1, 'month', @v), (111, '🎵', 'Song', 1, 'US', 1, 'month', @v),
    (112, 'Creme', 'Care', 1, 'US', 1, 'month', @v), (113, 'Crème', 'Food', 1, 'US', 1, 'month', @v);
UPDATE Private_provider SET Category = 'Film' WHERE Provider = '🎬';
UPDATE Private_provider SET Category = 'Song' WHERE Provider = '🎵';
UPDATE Private_provider SET Category = 'Care' WHERE Provider = 'Creme';
UPDATE Private_provider SET Category = 'Food' WHERE Provider = 'Crème';
SELECT Provider, Category FROM Plan_text WHERE Plan_ID BETWEEN 110 AND 113 ORDER BY Plan_ID;
-- expect: 🎬 | Film
-- expect: 🎵 | Song
-- expect: Creme | Care
-- expect: Crème | Food
DELETE FROM Plan WHERE Plan_ID = 110;
UPDATE Plan SET Provider = 'crème' WHERE Plan_ID = 113;
SELECT Provider, Category FROM Private_provider WHERE Category IN ('Film', 'Song', 'Care', 'Food') ORDER BY Category;
-- expect: Creme | Care
-- expect: crème | Food
-- expect: 🎵 | Song
-- The catalogue has none of it.
SELECT Provider FROM Provider ORDER BY 1;
-- expect: Gym
-- expect: Netflix
-- The plans of a provider take a version each with its category, in the order of their numbers.
INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID) VALUES
    (120, 'Choir', 'Alto', 1, 'US', 1, 'month', @v), (121, 'Choir', 'Bass', 1, 'US', 1, 'month', @v),
    (122, 'Choir', 'Tenor', 1, 'US', 1, 'month', @v), (123, 'choir', 'Solo', 1, 'US', 1, 'month', @v);
UPDATE Plan SET Fee = 2 WHERE Plan_ID = 120;
SET @counted = (SELECT Ver FROM Scope WHERE Scope_ID = @v), @other = (SELECT Ver FROM Plan WHERE Plan_ID = 123);
UPDATE Private_provider SET Category = 'Singing' WHERE Owner_ID = @v AND Provider = 'Choir';
-- affected: 1
SELECT Plan_ID, Ver - @counted FROM Plan WHERE Plan_ID BETWEEN 120 AND 122 ORDER BY Ver;
-- expect: 120 | 1
-- expect: 121 | 2
-- expect: 122 | 3
SELECT s.Ver - @counted, (SELECT Ver FROM Plan WHERE Plan_ID = 123) - @other FROM Scope s WHERE s.Scope_ID = @v;
-- expect: 3 | 0
-- Two providers by one statement, and one without plans.
UPDATE Private_provider SET Category = 'Voices' WHERE Owner_ID = @v AND Provider IN ('Choir', 'choir');
-- affected: 2
SELECT COUNT(DISTINCT Ver), MIN(Ver) - @counted, MAX(Ver) - @counted FROM Plan WHERE Plan_ID BETWEEN 120 AND 123;
-- expect: 4 | 4 | 7
INSERT INTO Private_provider (Owner_ID, Provider) VALUES (@v, 'Nobody');
UPDATE Private_provider SET Category = 'None' WHERE Owner_ID = @v AND Provider = 'Nobody';
-- affected: 1
SELECT Ver - @counted FROM Scope WHERE Scope_ID = @v;
-- expect: 7
-- No plan takes a version that somebody types, though the variable of the trigger is set before.
SET @subtrackit_counted = UTC_TIMESTAMP(6);
UPDATE Plan SET Ver = 9223372036854775809 WHERE Plan_ID = 120;
UPDATE Plan SET Fee = -5, Ver = 9223372036854775809 WHERE Plan_ID = 120;
-- error: Plan.Fee: not between 0 and 99999999999 (Alto): -5
SELECT Ver - @counted FROM Plan WHERE Plan_ID = 120;
-- expect: 4
