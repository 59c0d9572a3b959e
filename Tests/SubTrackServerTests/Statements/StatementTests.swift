import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Every statement uses the index that is meant for it", .ownTime)
struct StatementTests {
    /// Statements that read more than they return, and why they may.
    private static let wide: [(fragment: String, reason: String)] = [
        ("SELECT COUNT(*) FROM Plan p WHERE", "counts the plans of each provider that it gives"),
        ("LOCATE(", "a text is looked for anywhere in the names of one country's plans, or of the providers"),
        ("r.Category = ?", "providers are few, and a category of them a large part"),
        ("p.Provider = ?", "a provider has few plans in a country, which are sorted"),
        ("AND s.Cancelled_on", "a person's own list is looked through, which is one place on disk"),
        ("FROM Country ", "there are some two hundred countries"),
        ("SUM(Ver)", "how far the data have come is noted once a minute: the sum of all counters"),
        ("SELECT COUNT(*) FROM ((SELECT Ver", "a pull of several pages counts once what is left"),
        ("SELECT Ver, Kind, Row_ID, Row_ver FROM ((", "judged by LongPullTests: each kind reads a page at the most"),
        ("SELECT COUNT(*) FROM (SELECT 1 FROM Plan_price", "counts up to a hundred"),
        (
            "FROM Subscription_period WHERE Subscription_ID IN",
            "the periods of subscriptions that changed are looked through"
        ),
        ("SELECT p.Country_ID FROM Subscription s", "the countries of the plans that a user has or had"),
        ("SELECT CAST(Provider AS BINARY), Category", "a first pull wants all providers"),
        ("FROM Device d LEFT JOIN Session s", "a person's own devices are looked through, a hundred at the most"),
        ("FROM Device d JOIN Session s", "a person's own devices are looked through, a hundred at the most"),
        ("SELECT MIN(p.Period)", "the periods of one subscription are looked through"),
        ("SELECT Subscription_ID FROM Subscription FORCE INDEX (PRIMARY)", "a person's own list is looked through"),
        ("FROM Subscription s FORCE INDEX (PRIMARY) JOIN Plan l", "a person's own list is looked through"),
        ("SELECT Tenant.Slug, Database_name", "all tenants are read, every few seconds"),
        ("SUM(LENGTH(Answer))", "a user's kept answers are counted once in a hundred of them"),
        ("SUM(Period)", "a person's own subscriptions are looked through, which is one place on disk"),
        ("SUM(Deleted_at IS NULL)", "a person's own subscriptions are counted"),
        ("SELECT COUNT(*) FROM (SELECT 1 FROM Tombstone", "counts up to a limit"),
        (
            "FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID WHERE p.Owner_ID",
            "the prices of own plans are counted when one is added"
        ),
        ("ESCAPE '!'", "a person's own contacts are looked through, each kind of part at one place on disk"),
        ("SELECT COUNT(*) FROM Contact WHERE", "a person's own contacts are counted"),
        ("FROM Contact f JOIN Contact c", "a person's own contacts are looked through when two users become one"),
    ]

    /// Tables that are read whole: small, and wanted whole.
    private static let whole: Set<String> = [
        "Tenant", "Tenant_area", "Tenant_host", "Former_host", "Currency", "Country",
    ]

    @Test("By EXPLAIN, and by what it reads, on a database with thousands of people; none is left out")
    func guarded() async throws {
        let recorder = StatementRecorder()
        let tour = StatementTour()
        try await TestService.runAlone(
            at: "2026-01-31",
            configure: {
                $0.onStatement = { sql, _ in recorder.note(sql) }
                // Jobs are not part of the tour, however long it takes.
                $0.jobInterval = .seconds(86_400)
                $0.sharedJobInterval = .seconds(86_400)
            }
        ) { service in
            try await service.enableAll()
            try await fill(service)
            let country = "FR"
            let plan = try await service.addPlan(country: country, since: "2020-01-01")
            try await tour.run(service, plan: plan, country: country)
            #expect(tour.visited == Set(OperationTable.all.map { $0.name }), "the tour leaves operations out")
            try await service.database.run(
                "ANALYZE TABLE `User`, Device, Session, Provider, Plan, Plan_price, Subscription, Subscription_period, "
                    + "Scope, Idempotency, Country, Currency, Private_provider, Account, Tombstone, "
                    + "Known_device, Ended_session, Mail, Mail_secret, Contact, Contact_phone, Contact_address, Contact_email, "
                    + "Contact_date, Former_card, Reminder_setting, Reminder_lead, Reminder, Agenda, Answer_secret, "
                    + "Calendar_feed")
            try await service.database.withClient { client in
                try await client.withConnection(service.database.name) { tenant in
                    try await client.withConnection(service.control.name) { control in
                        try await judge(recorder.all, tenant: tenant, control: control)
                    }
                }
            }
        }
    }

    /// Two thousand people with twenty thousand subscriptions, a device each, and mails on their way: in a table of a few
    /// rows an index is chosen by chance, or none.
    private func fill(_ service: TestService) async throws {
        try await service.control.withClient { client in
            let work = SeedWork(TenantDatabase(slug: "default", name: service.database.name, client: client))
            let size = SeedSize(users: 2_000, plans: 600, subscriptions: 20_000, seed: 1, today: day("2026-01-31"))
            let report = try await work.run(size, workers: 2)
            #expect(report.isAdded)
        }
        try await service.database.run(
            """
            INSERT INTO Device (Device_ID, User_ID, Device_name) SELECT RANDOM_BYTES(16), User_ID, 'old' FROM `User`;
            INSERT INTO Session (Session_ID, Device_ID, Token_hash)
            SELECT RANDOM_BYTES(16), Device_ID, RANDOM_BYTES(32) FROM Device;
            INSERT INTO Known_device (User_ID, Device_ID) SELECT User_ID, Device_ID FROM Device;
            INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at)
            SELECT RANDOM_BYTES(16), 'verify', CONCAT('user', seq, '@example.net'), 'en', UTC_TIMESTAMP() + INTERVAL 1 DAY
            FROM seq_1_to_1000;
            INSERT INTO Mail_secret (Secret_hash, Purpose, Email, Expires_at)
            SELECT RANDOM_BYTES(32), 'verify', CONCAT('user', seq, '@example.net'), UTC_TIMESTAMP() + INTERVAL 1 DAY
            FROM seq_1_to_1000;
            INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name, Card_UID)
            SELECT User_ID, User_ID, 'Ada', 'Lovelace', 'card' FROM `User`;
            INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number)
            SELECT User_ID, User_ID, '788', '6788768' FROM `User`;
            INSERT INTO Contact_address (User_ID, Contact_ID, City) SELECT User_ID, User_ID, 'Paris' FROM `User`;
            INSERT INTO Contact_email (User_ID, Contact_ID, Email)
            SELECT User_ID, User_ID, 'ada@example.org' FROM `User`;
            INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on) SELECT User_ID, User_ID, '--12-10' FROM `User`;
            INSERT INTO Former_card (User_ID, Card_UID, Contact_ID) SELECT User_ID, 'other', User_ID FROM `User`;
            INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID) SELECT User_ID, User_ID FROM `User`;
            INSERT INTO Reminder_lead (User_ID, Kind, Days) SELECT User_ID, 'renewal', 3 FROM `User`;
            INSERT INTO Reminder (User_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
            SELECT User_ID, User_ID, 'digest', '2026-01-26', 0, 1 FROM `User`;
            INSERT INTO Agenda (User_ID, Next_at, Looked_at) SELECT User_ID, '2026-02-01', '2026-01-31' FROM `User`;
            INSERT INTO Answer_secret (Secret_hash, User_ID, Notification_no, Purpose, Expires_at)
            SELECT RANDOM_BYTES(32), User_ID, 1, 'answer', '2026-03-01' FROM `User`;
            INSERT INTO Calendar_feed (Token_hash, User_ID, Calendar_ID, Calendar_name)
            SELECT RANDOM_BYTES(32), User_ID, User_ID, 'phone' FROM `User`
            """)
    }

    private func judge(_ statements: [String: SQL], tenant: Connection, control: Connection) async throws {
        var made: [String: String] = [:]
        for (text, sql) in statements where Self.canBeExplained(text) {
            let connection = text.contains("Tenant") ? control : tenant
            do {
                let steps = try await Explained.steps(of: sql, on: connection)
                made[text] = steps.map(\.description).joined(separator: "\n")
                for step in steps where step.isScan && !Self.whole.contains(step.table) {
                    let isWide = Self.wide.contains { text.contains($0.fragment) }
                    #expect(isWide, "\(text) reads all of \(step.table): \(step)")
                }
                try await count(text, sql, on: connection)
            } catch {
                Issue.record("\(text): \(error)")
            }
        }
        try compare(made)
    }

    /// Rows of values are put where their keys say; what a transaction is made of has no plan.
    private static func canBeExplained(_ text: String) -> Bool {
        // What jobs send comes when it comes, and is not part of any request.
        let isOfJob = ["COUNT(*) FROM Mail", " Lease ", "Tenant_counter", "SUM(Ver)"].contains { text.contains($0) }
        // How far its database is migrated is asked once for each tenant, when it is used first.
        let isOfOpening = ["FROM Migration", "information_schema"].contains { text.contains($0) }
        return !isOfJob && !isOfOpening && ["SELECT ", "UPDATE ", "DELETE "].contains { text.hasPrefix($0) }
            && text != "SELECT 1"
    }

    /// Runs a query and compares how many rows the server read with how many came back.
    private func count(_ text: String, _ sql: SQL, on connection: Connection) async throws {
        guard text.hasPrefix("SELECT "), !Self.wide.contains(where: { text.contains($0.fragment) }) else { return }
        let before = try await Explained.reads(on: connection)
        let overhead = try await Explained.reads(on: connection) - before
        let start = try await Explained.reads(on: connection)
        let returned = try await connection.query(sql).count
        let read = try await Explained.reads(on: connection) - start - overhead
        // For each row its plan, the provider by either table, and a few prices; and where the range ends. The person of the
        // tour has two dozen subscriptions, of which a statement may look at all.
        #expect(read <= 30 + 12 * returned, "\(text) read \(read) rows to give \(returned)")
    }

    /// Part of a statement that is sent only on a slow machine: tokens are looked up many at once after seconds of use.
    private static let late = "s.Token_hash IN ("
    /// Part of a statement that is sent only where the service is not root.
    private static let ofAccounts = "CURRENT_USER()"

    /// Compares with the statements and indexes that are written down.
    private func compare(_ made: [String: String]) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Golden/statements.txt").standardized
        let text = made.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value)\n" }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] == "1" {
            let former = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
            let elsewhere = former.filter { entry in
                !text.contains(entry) && [Self.late, Self.ofAccounts].contains { entry.contains($0) }
            }
            let all = (text.components(separatedBy: "\n\n") + elsewhere).sorted()
            try Data(all.joined(separator: "\n\n").utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n").map {
            $0.trimmingCharacters(in: .newlines)
        }
        let now = text.components(separatedBy: "\n\n").map { $0.trimmingCharacters(in: .newlines) }
        func statement(_ entry: String) -> String { String(entry.prefix { $0 != "\n" }) }
        let (known, sent) = (Set(kept.map(statement)), Set(now.map(statement)))
        for entry in now where !kept.contains(entry) {
            if known.contains(statement(entry)) {
                // The optimizer goes by statistics, which are not the same in each run: another index is said, and only
                // reading all of a table is refused (above).
                print("Another index than in Golden/statements.txt:\n\(entry)")
            } else {
                Issue.record("not in Golden/statements.txt:\n\(entry)")
            }
        }
        for entry in known.subtracting(sent) where !entry.contains(Self.late) && !entry.contains(Self.ofAccounts) {
            Issue.record("in Golden/statements.txt, and not sent any more:\n\(entry)")
        }
    }
}

/// What the server says of a statement.
enum Explained {
    /// One table of a plan.
    struct Step: CustomStringConvertible {
        let table: String
        let type: String
        let key: String?

        /// Whether all of its rows are read, or all of an index.
        var isScan: Bool { type == "ALL" || type == "index" }
        var description: String { "    \(table): \(key ?? (isScan ? "all of it" : "nothing"))" }
    }

    /// The tables of a statement in the order in which they are read; nothing where no table is read.
    static func steps(of sql: SQL, on connection: Connection) async throws -> [Step] {
        var explained = SQL(unsafeText: "EXPLAIN ")
        explained += sql
        return try await connection.query(explained).compactMap { row in
            guard let table = try row.decode(String?.self, at: 2), !table.hasPrefix("<") else { return nil }
            return Step(
                table: table, type: try row.decode(String?.self, at: 3) ?? "",
                // An index behind a bar only filters what the first one finds.
                key: try row.decode(String?.self, at: 5).map { String($0.prefix { $0 != "|" }) })
        }
    }

    /// How many rows the session has read.
    static func reads(on connection: Connection) async throws -> Int {
        try await connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'").decode((String, String).self)
            .reduce(0) { $0 + (Int($1.1) ?? 0) }
    }
}
