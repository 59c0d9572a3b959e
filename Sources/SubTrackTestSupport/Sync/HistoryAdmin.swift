import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer

/// Somebody who types SQL into the rows of a user while the user's devices change them too.
public struct HistoryAdmin: Sendable {
    /// The user.
    public let user: UUID
    /// Plans of the catalogue.
    public let plans: [Int64]

    /// An admin who has a user's rows in view.
    public init(user: UUID, plans: [Int64]) {
        self.user = user
        self.plans = plans
    }

    /// What came of a statement.
    public struct Typed: Sendable {
        /// What it made of the user's rows.
        public var changes: [HistoryLedger.Typed] = []
        /// Whether it is not known what became of it.
        public var isBlind = false
        /// What may not be.
        public var faults: [String] = []
    }

    /// Sends a statement.
    /// - Parameters:
    ///   - held: ids of subscriptions that there may be.
    ///   - contacts: ids of contacts that there may be.
    ///   - step: when it happens.
    public func type(
        held: [String], contacts: [String] = [], step: Int, _ admin: MariaDBClient,
        _ random: inout some RandomNumberGenerator
    ) async -> Typed {
        var typed = Typed()
        let number = Int(random.next() % 50)
        let id = held.randomElement(using: &random).flatMap { UUID(uuidString: $0) } ?? UUID()
        let plan = plans.randomElement(using: &random) ?? 1
        let contact = contacts.randomElement(using: &random).flatMap { UUID(uuidString: $0) } ?? UUID()
        let statements: [SQL] = [
            "UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = \(id) AND Period < 20",
            "UPDATE Subscription SET Note = \("admin \(number)") WHERE User_ID = \(user)",
            "UPDATE Subscription SET Own_fee = \(number) WHERE Subscription_ID = \(id)",
            """
            UPDATE Subscription SET Deleted_at = IF(Deleted_at IS NULL, UTC_TIMESTAMP(), NULL)
            WHERE Subscription_ID = \(id)
            """,
            "DELETE FROM Subscription WHERE Subscription_ID = \(id)",
            "INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (\(user), \(plan), '2026-01-31')",
            """
            INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
            SELECT User_ID, Plan_ID, Start_date FROM Subscription WHERE Subscription_ID = \(id)
            """,
            """
            UPDATE Subscription_period SET Fee = \(number) WHERE Subscription_ID = \(id) ORDER BY Period LIMIT 1
            """,
            "DELETE FROM Subscription_period WHERE Subscription_ID = \(id) AND Period = 0",
            "UPDATE Subscription SET Plan_ID = \(plan) WHERE Subscription_ID = \(id)",
            "UPDATE Plan SET Fee = \(number + 1) WHERE Plan_ID = \(plan)",
            "UPDATE Plan SET Notice_days = \(number) WHERE Owner_ID = \(user)",
            """
            INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2099-01-01', \(number))
            ON DUPLICATE KEY UPDATE Fee = VALUES(Fee)
            """,
            "DELETE FROM Plan_price WHERE Plan_ID = \(plan) AND Effective_on = '2099-01-01'",
            "UPDATE `User` SET Country_ID = IF(Country_ID = 'US', 'DE', 'US') WHERE User_ID = \(user)",
            "UPDATE Subscription SET Cancelled_on = IF(Cancelled_on IS NULL, '2026-02-01', NULL) WHERE Subscription_ID = \(id)",
            "UPDATE Subscription SET Reminder_days = \(number), Label = 'x' WHERE Subscription_ID = \(id)",
            "UPDATE Subscription SET Muted = NOT Muted WHERE Subscription_ID = \(id)",
            "UPDATE `User` SET User_name = \("N\(number)") WHERE User_ID = \(user)",
            "INSERT IGNORE INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date) VALUES (\(id), \(user), \(plan), '2026-01-01')",
            """
            INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
            VALUES (\(id), \(user), \(plan), '2026-01-01') ON DUPLICATE KEY UPDATE Note = \("dup \(number)")
            """,
            """
            REPLACE INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
            VALUES (\(id), \(user), \(plan), '2026-01-01')
            """,
            "UPDATE Plan SET Withdrawn_on = IF(Withdrawn_on IS NULL, '2026-02-01', NULL) WHERE Plan_ID = \(plan)",
            "UPDATE Subscription SET Plan_ID = Plan_ID WHERE User_ID = \(user)",
            "UPDATE Private_provider SET Category = \("C\(number)") WHERE Owner_ID = \(user)",
        ]
        let ofContact = contacts.isEmpty ? [] : Self.statements(on: contact, of: user, "\(6_780_000 + number)")
        guard let statement = (statements + ofContact).randomElement(using: &random) else { return typed }
        do {
            let (before, after) = try await admin.withConnection { connection in
                let before = try await Self.rows(of: user, on: connection)
                do {
                    _ = try await connection.execute(statement)
                } catch let error as MariaDBError where error.isSignal {
                    // Refused by a rule.
                }
                return (before, try await Self.rows(of: user, on: connection))
            }
            for (row, now) in after where before[row] != now {
                let isSeen = now.state != nil || before[row]?.state != nil || row == "scope"
                typed.changes.append(
                    .init(step: step, row: row, version: now.version, state: now.state, isSeen: isSeen))
            }
            for (row, former) in before where after[row] == nil {
                typed.changes.append(
                    .init(
                        step: step, row: row, version: after["scope"]?.version ?? 0, state: nil,
                        isSeen: former.state != nil, isRemoval: true))
            }
        } catch let error as MariaDBError where error.isSignal || error.isTransient || error.kind == .connection {
            // Somebody else was quicker, or the database is away.
            typed.isBlind = true
        } catch {
            typed.faults.append("\(error)")
        }
        return typed
    }

    /// What people type about a contact.
    /// - Parameter number: seven digits.
    private static func statements(on id: UUID, of user: UUID, _ number: String) -> [SQL] {
        [
            "UPDATE Contact SET Note = \("admin \(number)") WHERE User_ID = \(user) AND Contact_ID = \(id)",
            "UPDATE Contact SET First_name = \(number) WHERE User_ID = \(user) AND Contact_ID = \(id)",
            """
            UPDATE Contact SET Deleted_at = IF(Deleted_at IS NULL, UTC_TIMESTAMP(), NULL)
            WHERE User_ID = \(user) AND Contact_ID = \(id)
            """,
            "DELETE FROM Contact WHERE User_ID = \(user) AND Contact_ID = \(id)",
            """
            INSERT IGNORE INTO Contact_phone (User_ID, Contact_ID, Area_code, Phone_number)
            VALUES (\(user), \(id), '788', \(number))
            """,
            """
            UPDATE Contact_phone SET Area_code = '212', Phone_number = \(number), E164 = NULL
            WHERE User_ID = \(user) AND Contact_ID = \(id) ORDER BY Phone_ID LIMIT 1
            """,
            "DELETE FROM Contact_phone WHERE User_ID = \(user) AND Contact_ID = \(id) ORDER BY Phone_ID LIMIT 1",
        ]
    }

    private struct Stored: Equatable {
        var version: Int64
        var state: HistoryLedger.State?
    }

    /// What is stored of a user's subscriptions and of the user, and the scope's counter as `scope`.
    private static func rows(of user: UUID, on connection: Connection) async throws -> [String: Stored] {
        var rows: [String: Stored] = [:]
        let subscriptions = try await connection.query(
            """
            SELECT LOWER(HEX(Subscription_ID)), Ver, Deleted_at IS NOT NULL, Plan_ID, Label, Start_date, End_date,
                Free_trial, Anchor_date, Anchor_count, Period, Period_fee, Period_currency, Own_fee, Auto_renew,
                Cancelled_on, Reminder_days, Muted, Note
            FROM Subscription WHERE User_ID = \(user)
            """)
        for row in subscriptions {
            func text(_ column: Int) throws -> String? { try row.decode(String?.self, at: column) }
            let id = Self.uuid(try text(0) ?? "")
            let stored = StoredSubscription(
                planId: try row.decode(Int64.self, at: 3), label: try text(4),
                startDate: try row.decode(CalendarDate.self, at: 5), endDate: try row.decode(CalendarDate.self, at: 6),
                freeTrial: try row.decode(Bool.self, at: 7), anchorDate: try row.decode(CalendarDate.self, at: 8),
                anchorCount: try row.decode(Int.self, at: 9), period: try row.decode(Int.self, at: 10),
                fee: try row.decode(Amount.self, at: 11), currency: try text(12) ?? "",
                ownFee: try row.decode(Amount?.self, at: 13), autoRenew: try row.decode(Bool.self, at: 14),
                cancelledOn: try row.decode(CalendarDate?.self, at: 15),
                reminderDays: try row.decode(Int?.self, at: 16), muted: try row.decode(Bool.self, at: 17),
                note: try text(18))
            let isDeleted = try row.decode(Bool.self, at: 2)
            rows["subscription \(id)"] = Stored(
                version: try row.decode(Int64.self, at: 1),
                state: isDeleted ? nil : HistoryLedger.state(.subscription(stored)))
        }
        for (row, stored) in try await contacts(of: user, on: connection) { rows[row] = stored }
        let me = try await connection.query(
            "SELECT User_name, Country_ID, Time_zone, Ver FROM `User` WHERE User_ID = \(user)"
        ).decode((String?, String, String, Int64).self)
        for (name, country, zone, version) in me {
            rows["me \(user.uuidString.lowercased())"] = Stored(
                version: version,
                state: HistoryLedger.state(
                    .me(StoredUser(userName: name, country: country, timeZone: zone, accounts: []))))
        }
        let counter = try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user)").decode(Int64.self)
        rows["scope"] = Stored(version: counter.first ?? 0)
        return rows
    }

    /// A UUID as a row's id has it, of 32 hexadecimal digits.
    private static func uuid(_ hex: String) -> String {
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(hex.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }

    /// What is stored of a user's contacts. A history gives them names, notes and numbers alone.
    private static func contacts(of user: UUID, on connection: Connection) async throws -> [String: Stored] {
        var phones: [String: [StoredContact.Phone]] = [:]
        for (contact, id, area, number, whole, type) in try await connection.query(
            """
            SELECT LOWER(HEX(Contact_ID)), Phone_ID, Area_code, Phone_number, E164, Phone_type FROM Contact_phone
            WHERE User_ID = \(user)
            """
        ).decode((String, UUID, String?, String?, String?, String).self) {
            phones[contact, default: []].append(.init(id: id, area: area, number: number, e164: whole, type: type))
        }
        var rows: [String: Stored] = [:]
        for (hex, version, isDeleted, first, last, note) in try await connection.query(
            """
            SELECT LOWER(HEX(Contact_ID)), Ver, Deleted_at IS NOT NULL, First_name, Last_name, Note FROM Contact
            WHERE User_ID = \(user)
            """
        ).decode((String, Int64, Bool, String, String, String?).self) {
            let row = StoredContact(firstName: first, lastName: last, note: note, phones: phones[hex] ?? [])
            rows["contact \(uuid(hex))"] = Stored(
                version: version,
                state: isDeleted ? nil : HistoryLedger.state(.other(try AnyJSON(encoding: row))))
        }
        return rows
    }
}
