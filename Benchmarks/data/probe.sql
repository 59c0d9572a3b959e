-- One more user, whose ids are plain ASCII: in the server's log of statements they can be told from everything else.
INSERT INTO `User` (User_ID, Country_ID) VALUES ('the probing user', 'US');
INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES ('a probing device', 'the probing user', 'Probe');
INSERT INTO Session (Session_ID, Device_ID, Token_hash)
VALUES ('probing  session', 'a probing device', UNHEX(SHA2(UNHEX(SHA2('benchmark token 0', 256)), 256)));
INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
SELECT CONCAT('subscription no', CHAR(96 + seq)), 'the probing user', seq, UTC_DATE() - INTERVAL seq DAY
FROM seq_1_to_10;
