import GRDB

/// The tables of a store, and how those of older versions become them.
///
/// Days are integers (since 1970-01-01), amounts texts. A row is known by its id and scope. `user_version` is the number of
/// the last step that was done.
enum StoreSchema {
    /// The version of the tables that this version of the kit reads and writes.
    static var version: Int { steps.count }

    /// The version of a store's tables; 0: it has none yet.
    static func version(of database: Database) throws -> Int {
        try database.firstRow("PRAGMA user_version") { try $0.int() } ?? 0
    }

    /// Brings a store to the present version, each step in a transaction.
    /// - Throws: ``KitError/newerStore``; `DatabaseError`.
    static func migrate(_ database: any DatabaseWriter) throws {
        for (index, step) in steps.enumerated() {
            try database.write { database in
                let done = try version(of: database)
                guard done <= steps.count else { throw KitError.newerStore }
                guard done == index else { return }
                try database.execute(sql: step)
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// What was added by each version. A step that was released never changes.
    static let steps = [
        """
        CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID;

        CREATE TABLE me (
            id TEXT, scope TEXT, version INTEGER NOT NULL, userName TEXT, country TEXT NOT NULL, timeZone TEXT NOT NULL,
            accounts TEXT NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE TABLE subscription (
            id TEXT, scope TEXT, version INTEGER NOT NULL, planId INTEGER NOT NULL, label TEXT,
            startDate INTEGER NOT NULL, endDate INTEGER NOT NULL, freeTrial INTEGER NOT NULL,
            anchorDate INTEGER NOT NULL, anchorCount INTEGER NOT NULL, period INTEGER NOT NULL, fee TEXT NOT NULL,
            currency TEXT NOT NULL, ownFee TEXT, autoRenew INTEGER NOT NULL, cancelledOn INTEGER,
            reminderDays INTEGER, note TEXT, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE TABLE period (
            id TEXT, scope TEXT, version INTEGER NOT NULL, parent TEXT NOT NULL, number INTEGER NOT NULL,
            startDate INTEGER NOT NULL, endDate INTEGER NOT NULL, fee TEXT NOT NULL, currency TEXT NOT NULL,
            freeTrial INTEGER NOT NULL, planId INTEGER NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE INDEX periodParent ON period (parent, number);
        CREATE TABLE plan (
            id INTEGER, scope TEXT, version INTEGER NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
            type TEXT NOT NULL, category TEXT, country TEXT NOT NULL, fee TEXT NOT NULL, currency TEXT NOT NULL,
            feeSince INTEGER NOT NULL, durationValue INTEGER NOT NULL, durationUnit TEXT NOT NULL, trialDays INTEGER,
            noticeDays INTEGER NOT NULL, formerUntil INTEGER, formerValue INTEGER, formerUnit TEXT,
            formerNotice INTEGER, withdrawnOn INTEGER, private INTEGER NOT NULL, PRIMARY KEY (id, scope)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE price (
            id TEXT, scope TEXT, version INTEGER NOT NULL, parent INTEGER NOT NULL, effectiveOn INTEGER NOT NULL,
            fee TEXT NOT NULL, currency TEXT NOT NULL, PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE INDEX priceParent ON price (parent, effectiveOn);
        CREATE TABLE provider (
            id TEXT, scope TEXT, version INTEGER NOT NULL, category TEXT NOT NULL, website TEXT, cancelUrl TEXT,
            PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE TABLE country (
            id TEXT, scope TEXT, version INTEGER NOT NULL, name TEXT NOT NULL, currency TEXT NOT NULL,
            PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;
        CREATE TABLE currency (
            id TEXT, scope TEXT, version INTEGER NOT NULL, name TEXT NOT NULL, minorDigits INTEGER NOT NULL,
            PRIMARY KEY (id, scope)) STRICT, WITHOUT ROWID;

        -- What was changed here and is not answered yet, in its order. `today` is the user's day on which it was done.
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, entity TEXT NOT NULL, id TEXT NOT NULL,
            today INTEGER NOT NULL, mutation TEXT NOT NULL) STRICT;
        CREATE INDEX outboxRow ON outbox (id, number);
        -- What was answered: offered again when the server's data turn out to have gone back in time.
        CREATE TABLE acknowledged (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, today INTEGER NOT NULL,
            answeredAt INTEGER NOT NULL, mutation TEXT NOT NULL) STRICT;
        -- What became of changes that were not done as they were made.
        CREATE TABLE report (
            number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, mutation TEXT NOT NULL,
            lost TEXT NOT NULL, problem TEXT) STRICT;
        -- Subscriptions that were deleted and can be restored.
        CREATE TABLE deleted (
            id TEXT PRIMARY KEY, deletedAt INTEGER NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """,
        """
        -- The names for people of the changed row and of an added subscription's plan, which may be gone later; and whether
        -- the report was seen.
        ALTER TABLE report ADD COLUMN name TEXT;
        ALTER TABLE report ADD COLUMN plan TEXT;
        ALTER TABLE report ADD COLUMN isSeen INTEGER NOT NULL DEFAULT 0;
        """,
        """
        -- Rows of all kinds without a table of their own, as JSON. A deleted one stays for a while: it can be restored.
        CREATE TABLE declared (
            kind TEXT, id TEXT, scope TEXT, version INTEGER NOT NULL, data TEXT NOT NULL, deletedAt INTEGER,
            PRIMARY KEY (kind, id, scope)) STRICT, WITHOUT ROWID;
        """,
        """
        -- Rows that are here do not tell whether they are muted. Without a cursor the next pull brings all once more.
        ALTER TABLE subscription ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
        DELETE FROM state WHERE name IN ('cursor', 'left');
        """,
    ]
}
