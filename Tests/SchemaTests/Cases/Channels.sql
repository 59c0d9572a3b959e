-- Channels by hand: what they are never changes, versions and tombstones follow, deliveries wait and go with them.
SET @u = 0x01900000000070008000000000000001, @v = 0x01900000000070008000000000000002;
SET @i = 0x01900000000070008000000000000401, @j = 0x01900000000070008000000000000402;
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', 'https://ntfy.sh/my-topic');
SELECT SUBSTRING(HEX(Channel_ID), 13, 1), Key_salt <> '', Secret_no, Ver > 0 FROM Channel;
-- expect: 7 | 1 | 0 | 1
DELETE FROM Channel;
INSERT INTO Channel (User_ID, Channel_ID, Kind, Target) VALUES (@u, @i, 'webhook', 'https://example.org/hook');
-- An address is a URL without user and password.
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', 'ftp://example.org/x');
-- error: Channel.Target: must be a URL
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', 'https://ada:secret@example.org/x');
-- error: Channel.Target: must be a URL
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', 'https:///x');
-- error: Channel.Target: must be a URL
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', 'https://example.org/a b');
-- error: Channel.Target: must be a URL
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', NULL);
-- error: Target
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'ntfy', CONCAT('https://example.org/', REPEAT('a', 2000)));
-- error: Target
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'pigeon', 'https://example.org/x');
-- error: Kind
INSERT INTO Channel (User_ID, Kind, Channel_name, Target) VALUES (@u, 'ntfy', ' ', 'https://example.org/x');
-- error: Channel.Channel_name: must not be empty
INSERT INTO Channel (User_ID, Kind, Target) VALUES (@u, 'webpush', 'https://push.example.org/x');
-- error: Channel.Sealed: a browser has keys
INSERT INTO Channel (User_ID, Kind, Target, Sealed) VALUES (@u, 'webhook', 'https://example.org/x', 'x');
-- error: Channel.Sealed: a webhook has nothing sealed
-- What a channel is never changes.
UPDATE Channel SET Kind = 'ntfy' WHERE User_ID = @u AND Channel_ID = @i;
-- error: Channel.Kind: never changes
UPDATE Channel SET User_ID = @v WHERE User_ID = @u AND Channel_ID = @i;
-- error: Channel.User_ID: never changes
UPDATE Channel SET Channel_ID = @j WHERE User_ID = @u AND Channel_ID = @i;
-- error: Channel.Channel_ID: never changes
UPDATE Channel SET Key_salt = 'x' WHERE User_ID = @u AND Channel_ID = @i;
-- error: Channel.Key_salt: never changes
REPLACE INTO Channel (User_ID, Channel_ID, Kind, Target) VALUES (@u, @i, 'ntfy', 'https://example.org/x');
-- error: Channel.Channel_ID: not by REPLACE
UPDATE Channel SET Secret_no = 3, Secret_since = UTC_TIMESTAMP() WHERE User_ID = @u AND Channel_ID = @i;
UPDATE Channel SET Secret_no = 2 WHERE User_ID = @u AND Channel_ID = @i;
-- error: Channel.Secret_no: only grows
-- What clients do not hold takes no version; what they hold takes one.
SET @ver = (SELECT Ver FROM Scope WHERE Scope_ID = @u);
INSERT IGNORE INTO Channel (User_ID, Channel_ID, Kind, Target) VALUES (@u, @i, 'webhook', 'https://example.org/hook');
UPDATE Channel SET Secret_no = 4, Test_asked_at = UTC_TIMESTAMP() WHERE User_ID = @u AND Channel_ID = @i;
SELECT Ver = @ver FROM Scope WHERE Scope_ID = @u;
-- expect: 1
UPDATE Channel SET Channel_name = 'Mine' WHERE User_ID = @u AND Channel_ID = @i;
SELECT s.Ver = @ver + 1, c.Ver = s.Ver FROM Scope s JOIN Channel c ON c.User_ID = s.Scope_ID WHERE s.Scope_ID = @u;
-- expect: 1 | 1
-- An id is a user's own.
INSERT INTO Channel (User_ID, Channel_ID, Kind, Target) VALUES (@v, @i, 'ntfy', 'https://ntfy.sh/other');
SELECT COUNT(DISTINCT Key_salt) FROM Channel;
-- expect: 2
-- Deliveries of a paused channel wait, and are due when it is resumed.
INSERT INTO Notification (User_ID, Notification_no, Fired_at) VALUES (@u, 7, UTC_TIMESTAMP());
INSERT INTO Delivery (User_ID, Notification_no, Channel_ID, Attempts, Next_attempt_at) VALUES (@u, 7, @i, 3, UTC_TIMESTAMP());
UPDATE Channel SET Paused_at = UTC_TIMESTAMP() WHERE User_ID = @u AND Channel_ID = @i;
SELECT YEAR(Next_attempt_at), Attempts FROM Delivery;
-- expect: 9999 | 3
UPDATE Channel SET Paused_at = NULL WHERE User_ID = @u AND Channel_ID = @i;
SELECT Next_attempt_at <= UTC_TIMESTAMP(), Attempts FROM Delivery;
-- expect: 1 | 0
-- A channel goes with its deliveries, and leaves a tombstone.
DELETE FROM Channel WHERE User_ID = @u AND Channel_ID = @i;
SELECT COUNT(*) FROM Delivery;
-- expect: 0
SELECT Entity, HEX(Row_ID) = HEX(@i), t.Ver = s.Ver FROM Tombstone t JOIN Scope s USING (Scope_ID) WHERE Scope_ID = @u ORDER BY t.Ver DESC LIMIT 1;
-- expect: 10 | 1 | 1
-- A user goes with channels and deliveries.
INSERT INTO Notification (User_ID, Notification_no, Fired_at) VALUES (@v, 7, UTC_TIMESTAMP());
INSERT INTO Delivery (User_ID, Notification_no, Channel_ID, Next_attempt_at) VALUES (@v, 7, @i, UTC_TIMESTAMP());
DELETE FROM `User` WHERE User_ID = @v;
SELECT (SELECT COUNT(*) FROM Channel), (SELECT COUNT(*) FROM Delivery);
-- expect: 0 | 0
