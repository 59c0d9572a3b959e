import Foundation
import Logging
import MariaDB
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// How much a user of a test has.
struct StoredAmount: Sendable {
    var subscriptions: Int
    /// Ended periods of each.
    var periods: Int
    var plans: Int
    /// Of how many providers the plans are.
    var providers = 1
    /// Former prices of each.
    var prices = 2
    var deleted: Int
    var answers: Int
    /// Contacts, each with a part of every kind and a former card.
    var contacts = 0
    /// Reminders, with settings and an agenda.
    var reminders = 0
}

extension TestService {
    /// Gives a user rows by SQL, through the triggers.
    /// - Parameter plan: a plan of the catalogue with a duration of one month.
    func fill(_ user: UUID, _ amount: StoredAmount, plan: Int64) async throws {
        let id = "0x" + user.uuidString.replacing("-", with: "")
        // In parts: the triggers' work for ten thousand rows takes longer than a statement of an admin should.
        for start in stride(from: 1, through: amount.subscriptions + amount.deleted, by: 1000) {
            let end = min(start + 999, amount.subscriptions + amount.deleted)
            _ = try await database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label, Note)
                SELECT \(id), \(plan), '2016-01-31', CONCAT('s', seq), REPEAT('note ', 20) FROM seq_\(start)_to_\(end)
                """)
        }
        if amount.periods > 0 {
            // A renewal that leads over many periods records each of them.
            let end = day("2016-01-31").adding(days: amount.periods * 30)
            for start in stride(from: 0, to: amount.subscriptions + amount.deleted, by: 1000) {
                _ = start
                _ = try await database.run(
                    """
                    UPDATE Subscription SET Start_date = End_date, End_date = '\(end)', Ver = 0
                    WHERE User_ID = \(id) AND Period = 0 ORDER BY Subscription_ID LIMIT 1000
                    """)
            }
        }
        _ = try await database.run(
            """
            UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() WHERE User_ID = \(id)
            ORDER BY Subscription_ID DESC LIMIT \(amount.deleted)
            """)
        if amount.plans > 0 {
            _ = try await database.run(
                """
                INSERT INTO Private_provider (Owner_ID, Provider) VALUES (\(id), 'Gym');
                INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
                                  Country_ID, Owner_ID)
                SELECT CONCAT('Gym', IF(seq MOD \(amount.providers), seq MOD \(amount.providers), '')), CONCAT('p', seq), 10, 'USD', '2020-01-01', 1, 'month', 'US', \(id)
                FROM seq_1_to_\(amount.plans);
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code)
                SELECT Plan_ID, '2010-01-01' + INTERVAL seq DAY, seq, 'USD' FROM Plan
                JOIN seq_1_to_\(amount.prices) WHERE Owner_ID = \(id)
                """)
        }
        if amount.contacts > 0 {
            _ = try await database.run(
                """
                INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name, Note, Card_UID)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), CONCAT('f', seq), CONCAT('l', seq), 'note', CONCAT('card ', seq)
                FROM seq_1_to_\(amount.contacts);
                INSERT INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), '788', '6788768' FROM seq_1_to_\(amount.contacts);
                INSERT INTO Contact_address (User_ID, Contact_ID, City)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), 'Paris' FROM seq_1_to_\(amount.contacts);
                INSERT INTO Contact_email (User_ID, Contact_ID, Email)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), 'x@example.org' FROM seq_1_to_\(amount.contacts);
                INSERT INTO Contact_date (User_ID, Contact_ID, Happens_on)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), '--02-29' FROM seq_1_to_\(amount.contacts);
                INSERT INTO Former_card (User_ID, Contact_ID, Card_UID)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), CONCAT('former ', seq) FROM seq_1_to_\(amount.contacts)
                """)
        }
        if amount.reminders > 0 {
            _ = try await database.run(
                """
                INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID) VALUES (\(id), \(id));
                INSERT INTO Reminder_lead (User_ID, Kind, Days) VALUES (\(id), 'renewal', 3);
                INSERT INTO Reminder (User_ID, Subject_ID, Kind, Occurs_on, Lead_days)
                SELECT \(id), UNHEX(LPAD(HEX(seq), 32, '0')), 'renewal', '2026-03-01', 7 FROM seq_1_to_\(amount.reminders);
                REPLACE INTO Agenda (User_ID, Next_at, Looked_at) VALUES (\(id), '2026-02-01', '2026-01-31');
                INSERT INTO Answer_secret (Secret_hash, User_ID, Notification_no, Purpose, Expires_at)
                VALUES (RANDOM_BYTES(32), \(id), 1, 'answer', '2027-01-31');
                INSERT INTO Calendar_feed (Token_hash, User_ID, Calendar_ID, Calendar_name)
                VALUES (RANDOM_BYTES(32), \(id), \(id), 'phone')
                """)
        }
        if amount.answers > 0 {
            _ = try await database.run(
                """
                INSERT INTO Idempotency (User_ID, Idempotency_key, Payload_hash, Answer, Created_at)
                SELECT \(id), CONCAT('k', seq), RANDOM_BYTES(32), REPEAT('x', 500),
                    UTC_TIMESTAMP() - INTERVAL 1 DAY - INTERVAL seq SECOND
                FROM seq_1_to_\(amount.answers)
                """)
        }
    }

    /// Runs a body with the tenant as a job has it.
    func withTenant<Result: Sendable>(
        limits: UserLimits = UserLimits(), _ body: (Tenant) async throws -> Result
    ) async throws -> Result {
        let on = try await self.client.call(GetServerInfo()).areas.compactMap { settings.areas.place(of: $0) }
        let client = MariaDBClient(
            configuration: MariaDBConfiguration(endpoint: .unix(path: database.socketPath), user: database.user),
            logger: Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() })
        let epoch = TenantEpoch(slug: "default", controlDatabase: "unused", client: client, value: [])
        let tenant = Tenant(
            slug: "default", database: database.name, isSuspended: false, epoch: epoch, client: client, limits: limits,
            areas: TenantAreas(settings.areas, on: on.reduce(into: []) { $0.formUnion($1) }))
        do {
            let result = try await body(tenant)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// A number that SQL gives.
    func number(_ sql: String) async throws -> Int {
        Int(try await database.run(sql).trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
}

extension TestService {
    /// Runs a body with an admin's connection to the tenant's database, for locks that the service has to wait for.
    func withAdmin<Result>(_ body: (Connection) async throws -> Result) async throws -> Result {
        var configuration = MariaDBConfiguration(endpoint: .unix(path: database.socketPath), user: database.user)
        configuration.session.lockWaitTimeout = .seconds(50)
        let admin = MariaDBClient(configuration: configuration, logger: RecordedLog().logger("admin"))
        do {
            let result = try await admin.withConnection(database.name, body)
            await admin.shutdown()
            return result
        } catch {
            await admin.shutdown()
            throw error
        }
    }

    /// How many statements are under way in the tenant's database.
    func statementsUnderWay() async throws -> Int {
        try await number(
            """
            SELECT COUNT(*) FROM information_schema.PROCESSLIST
            WHERE DB = DATABASE() AND COMMAND <> 'Sleep' AND ID <> CONNECTION_ID()
            """)
    }
}

/// A user's id as SQL takes it.
func hex(_ id: UUID) -> String { "0x" + id.uuidString.replacing("-", with: "") }
