-- A store as the third version of the kit wrote it. It never changes.
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID;
INSERT INTO state VALUES('cursor','abc');
INSERT INTO state VALUES('user','01900000-0000-7000-8000-000000000001');
CREATE TABLE me (
    id TEXT, scope TEXT, version INTEGER NOT NULL, userName TEXT, country TEXT NOT NULL, timeZone TEXT NOT NULL,
    accounts TEXT NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO me VALUES('01900000-0000-7000-8000-000000000001','user',3,'Ada','US','UTC','[{"email":"ada@example.org","verified":false}]');
CREATE TABLE subscription (
    id TEXT, scope TEXT, version INTEGER NOT NULL, planId INTEGER NOT NULL, label TEXT,
    startDate INTEGER NOT NULL, endDate INTEGER NOT NULL, freeTrial INTEGER NOT NULL,
    anchorDate INTEGER NOT NULL, anchorCount INTEGER NOT NULL, period INTEGER NOT NULL, fee TEXT NOT NULL,
    currency TEXT NOT NULL, ownFee TEXT, autoRenew INTEGER NOT NULL, cancelledOn INTEGER,
    reminderDays INTEGER, note TEXT, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO subscription VALUES('01990000-0000-7000-8000-000000000001','user',5,3,NULL,20484,20512,0,20484,1,1,'17.99','USD',NULL,0,NULL,NULL,'a note');
CREATE TABLE period (
    id TEXT, scope TEXT, version INTEGER NOT NULL, parent TEXT NOT NULL, number INTEGER NOT NULL,
    startDate INTEGER NOT NULL, endDate INTEGER NOT NULL, fee TEXT NOT NULL, currency TEXT NOT NULL,
    freeTrial INTEGER NOT NULL, planId INTEGER NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO period VALUES('01990000-0000-7000-8000-000000000001 0','user',5,'01990000-0000-7000-8000-000000000001',0,20453,20484,'17.99','USD',0,3);
CREATE TABLE plan (
    id INTEGER, scope TEXT, version INTEGER NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
    type TEXT NOT NULL, category TEXT, country TEXT NOT NULL, fee TEXT NOT NULL, currency TEXT NOT NULL,
    feeSince INTEGER NOT NULL, durationValue INTEGER NOT NULL, durationUnit TEXT NOT NULL, trialDays INTEGER,
    noticeDays INTEGER NOT NULL, formerUntil INTEGER, formerValue INTEGER, formerUnit TEXT,
    formerNotice INTEGER, withdrawnOn INTEGER, private INTEGER NOT NULL, PRIMARY KEY (id, scope)
) STRICT, WITHOUT ROWID;
INSERT INTO "plan" VALUES(3,'catalogue/US',2,'Netflix','Standard','Standard',NULL,'US','17.99','USD',18262,1,'month',NULL,0,NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE price (
    id TEXT, scope TEXT, version INTEGER NOT NULL, parent INTEGER NOT NULL, effectiveOn INTEGER NOT NULL,
    fee TEXT NOT NULL, currency TEXT NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO price VALUES('3 2026-06-01','catalogue/US',4,3,20605,'19.99','USD');
CREATE TABLE provider (
    id TEXT, scope TEXT, version INTEGER NOT NULL, category TEXT NOT NULL, website TEXT, cancelUrl TEXT,
    PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO provider VALUES('Netflix','reference',1,'Video','https://www.netflix.com',NULL);
CREATE TABLE country (
    id TEXT, scope TEXT, version INTEGER NOT NULL, name TEXT NOT NULL, currency TEXT NOT NULL,
    PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO country VALUES('US','reference',2,'United States','USD');
CREATE TABLE currency (
    id TEXT, scope TEXT, version INTEGER NOT NULL, name TEXT NOT NULL, minorDigits INTEGER NOT NULL,
    PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO currency VALUES('USD','reference',1,'US Dollar',2);
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, entity TEXT NOT NULL, id TEXT NOT NULL,
    today INTEGER NOT NULL, mutation TEXT NOT NULL) STRICT;
INSERT INTO outbox VALUES(1,'2087d6d0-69be-43d9-8b18-0fa75f997bef','subscription','01a200e0-e9e9-7a24-87b1-8b7e1ef24270',20779,'{"entity":"subscription","fields":{"label":"Music","plan":{"currency":"USD","duration":{"unit":"year","value":1},"fee":"5.00","name":"Standard","provider":"Music box"},"startDate":"2026-01-31"},"id":"01a200e0-e9e9-7a24-87b1-8b7e1ef24270","key":"2087D6D0-69BE-43D9-8B18-0FA75F997BEF","op":"create"}');
INSERT INTO outbox VALUES(2,'5e3c6d0a-7f0e-4d5e-9d0e-0d6f5b1f3c11','subscription','01990000-0000-7000-8000-000000000001',20484,'{"baseVersion":5,"entity":"subscription","fields":{"note":"another"},"id":"01990000-0000-7000-8000-000000000001","key":"5E3C6D0A-7F0E-4D5E-9D0E-0D6F5B1F3C11","op":"update"}');
CREATE TABLE acknowledged (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, today INTEGER NOT NULL,
    answeredAt INTEGER NOT NULL, mutation TEXT NOT NULL) STRICT;
INSERT INTO acknowledged VALUES(1,'5e3c6d0a-7f0e-4d5e-9d0e-0d6f5b1f3c12',20484,1769860800,'{"entity":"subscription","id":"01990000-0000-7000-8000-000000000001","key":"5E3C6D0A-7F0E-4D5E-9D0E-0D6F5B1F3C12","op":"resume"}');
CREATE TABLE report (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, mutation TEXT NOT NULL,
    lost TEXT NOT NULL, problem TEXT, name TEXT, plan TEXT, isSeen INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO report VALUES(1,1769860800,'{"entity":"subscription","id":"01990000-0000-7000-8000-000000000001","key":"5E3C6D0A-7F0E-4D5E-9D0E-0D6F5B1F3C13","op":"update","fields":{"label":"x"}}','[{"field":"label","kept":"y","yours":"x"}]',NULL,'Netflix Standard',NULL,0);
CREATE TABLE deleted (
    id TEXT PRIMARY KEY, deletedAt INTEGER NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO deleted VALUES('01990000-0000-7000-8000-000000000002',1769860800,'{"anchorCount":1,"anchorDate":"2026-01-01","autoRenew":false,"currency":"USD","endDate":"2026-02-01","fee":"17.99","freeTrial":false,"period":0,"planId":3,"startDate":"2026-01-01"}');
CREATE TABLE declared (
    kind TEXT, id TEXT, scope TEXT, version INTEGER NOT NULL, data TEXT NOT NULL, deletedAt INTEGER,
    PRIMARY KEY (kind, id, scope)) STRICT, WITHOUT ROWID;
INSERT INTO declared VALUES('contact','01990000-0000-7000-8000-000000000003','user',6,'{"firstName":"Grace","lastName":"Hopper"}',NULL);
CREATE INDEX periodParent ON period (parent, number);
CREATE INDEX priceParent ON price (parent, effectiveOn);
CREATE INDEX outboxRow ON outbox (id, number);
PRAGMA user_version = 3;
