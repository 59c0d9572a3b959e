import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// A random history of one user: several clients with bad connections, and an admin who types SQL.
struct History: Sendable {
    let seed: UInt64
    let plans: [Int64]
    private(set) var clients: [HistoryClient]
    private let user: TestUser
    private var random: SeededGenerator
    private var ledger = HistoryLedger()
    /// Whether a statement was sent of which it is not known what became of it.
    private var isBlind = false
    /// What the answers were, as far as they were judged.
    private(set) var judged = HistoryLedger.Judged()
    /// What came of it that may not be.
    private(set) var faults: [String] = []

    /// A history of a user who has nothing yet.
    /// - Parameter today: the day that the service's clock shows.
    init(seed: UInt64, plans: [Int64], user: TestUser, today: String = "2026-02-10") {
        ledger.today = today
        self.seed = seed
        self.plans = plans
        self.user = user
        var random = SeededGenerator(seed: seed)
        clients = (0..<Int.random(in: 2...3, using: &random)).map { HistoryClient(user: user, number: $0) }
        self.random = random
        let me = user.user
        ledger.note(
            .init(
                step: 0, row: "me \(me.id.uuidString.lowercased())", version: me.version,
                state: HistoryLedger.state(
                    .me(
                        StoredUser(
                            userName: me.userName, country: me.country, timeZone: me.timeZone, accounts: [])))))
    }

    private var userID: UUID { user.user.id }

    /// Lets things happen.
    /// - Parameter onStep: is called after each step.
    mutating func play(steps: Int, _ admin: MariaDBClient, onStep: @Sendable () -> Void = {}) async {
        for step in 1...steps {
            defer { onStep() }
            for index in clients.indices { clients[index].step = step }
            let index = Int.random(in: clients.indices, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8: clients[index].edit(plans: plans, &random)
            case 8..<11:
                await clients[index].push(
                    Int.random(in: 1...5, using: &random), isLost: random.next() % 4 == 0,
                    isDoubled: random.next() % 4 == 0)
            case 11..<15:
                await clients[index].pull(
                    limit: Int.random(in: 1...8, using: &random), all: random.next() % 2 == 0, scopes: .user,
                    isLost: random.next() % 5 == 0)
            case 15: await clients[index].pull(limit: 400, all: true)
            case 16: await clients[index].repeatOld(&random)
            case 17:
                // Two clients at the same time.
                let other = (index + 1) % clients.count
                var (first, second) = (clients[index], clients[other])
                async let one = Self.pushed(first)
                async let two = Self.pushed(second)
                (first, second) = await (one, two)
                (clients[index], clients[other]) = (first, second)
            default: await type(step, admin)
            }
        }
    }

    /// Brings all clients into step, and looks whether all is there.
    mutating func finish(_ admin: MariaDBClient) async {
        for index in clients.indices { clients[index].step += 1 + index }
        await settle(scopes: .user)
        judge()
        await check(admin)
        await compare(scopes: .user)
    }

    private static func pushed(_ client: HistoryClient) async -> HistoryClient {
        var client = client
        await client.push(4)
        return client
    }

    /// Sends all that is outstanding, and pulls until all clients have everything.
    mutating func settle(scopes: PullChanges.Scopes) async {
        for index in clients.indices {
            do {
                try await eventually(within: .seconds(60), "the outbox empties") {
                    if !clients[index].outbox.isEmpty { await clients[index].push(7) }
                    return clients[index].outbox.isEmpty
                }
            } catch {
                faults.append("\(error)")
            }
        }
        // What the first sent last the others have not seen, and the other way round.
        for index in clients.indices {
            let lost = clients[index].lostAnswers
            await clients[index].pull(limit: 300, all: true, scopes: scopes)
            if clients[index].lostAnswers > lost { await clients[index].pull(limit: 300, all: true, scopes: scopes) }
        }
    }

    /// Compares all clients with somebody who has just come.
    mutating func compare(scopes: PullChanges.Scopes) async {
        var fresh = HistoryClient(user: user)
        await fresh.pull(limit: 700, all: true, scopes: scopes)
        for client in clients {
            var (held, whole) = (client.copy, fresh.copy)
            if scopes == .user {
                held.keep(scope: "user")
                whole.keep(scope: "user")
            }
            faults += held.differences(from: whole)
        }
        for client in clients + [fresh] { faults += client.faults }
    }

    /// One statement of an admin, of the kinds that people type.
    private mutating func type(_ step: Int, _ admin: MariaDBClient) async {
        let (user, number) = (userID, Int(random.next() % 50))
        let id =
            clients[0].copy.data(.subscription).keys.sorted().randomElement(using: &random)
            .flatMap { UUID(uuidString: $0) } ?? UUID()
        let plan = plans.randomElement(using: &random) ?? 1
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
        guard let statement = statements.randomElement(using: &random) else { return }
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
                ledger.note(.init(step: step, row: row, version: now.version, state: now.state))
            }
            for (row, former) in before where after[row] == nil && former.state != nil {
                ledger.note(.init(step: step, row: row, version: after["scope"]?.version ?? 0, state: nil))
            }
        } catch let error as MariaDBError where error.isSignal || error.isTransient || error.kind == .connection {
            // Somebody else was quicker, or the database is away.
            isBlind = true
        } catch {
            faults.append("\(error)")
        }
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
                Cancelled_on, Reminder_days, Note
            FROM Subscription WHERE User_ID = \(user)
            """)
        for row in subscriptions {
            func text(_ column: Int) throws -> String? { try row.decode(String?.self, at: column) }
            let hex = try text(0) ?? ""
            let ends = [8, 12, 16, 20, 32]
            let id = zip([0] + ends, ends).map { String(hex.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
            let stored = StoredSubscription(
                planId: try row.decode(Int64.self, at: 3), label: try text(4),
                startDate: try row.decode(CalendarDate.self, at: 5), endDate: try row.decode(CalendarDate.self, at: 6),
                freeTrial: try row.decode(Bool.self, at: 7), anchorDate: try row.decode(CalendarDate.self, at: 8),
                anchorCount: try row.decode(Int.self, at: 9), period: try row.decode(Int.self, at: 10),
                fee: try row.decode(Amount.self, at: 11), currency: try text(12) ?? "",
                ownFee: try row.decode(Amount?.self, at: 13), autoRenew: try row.decode(Bool.self, at: 14),
                cancelledOn: try row.decode(CalendarDate?.self, at: 15),
                reminderDays: try row.decode(Int?.self, at: 16), note: try text(17))
            let isDeleted = try row.decode(Bool.self, at: 2)
            rows["subscription \(id)"] = Stored(
                version: try row.decode(Int64.self, at: 1),
                state: isDeleted ? nil : HistoryLedger.state(.subscription(stored)))
        }
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

    /// Judges all answers, where all of them are known.
    private mutating func judge() {
        guard !isBlind, !clients.contains(where: \.isBlind) else { return }
        for answer in clients.flatMap(\.given) { ledger.note(answer) }
        let (found, judged) = ledger.judge()
        faults += found
        self.judged = judged
    }

    /// Looks whether everything that was acknowledged is there, once.
    private mutating func check(_ admin: MariaDBClient) async {
        do {
            let user = userID
            let rows = try await admin.withConnection { connection in
                try await connection.query(
                    """
                    SELECT Subscription_ID, Period, Note, Ver_notes, Deleted_at IS NOT NULL FROM Subscription
                    WHERE User_ID = \(user)
                    """
                ).decode((UUID, Int, String?, Int64, Bool).self)
            }
            let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0) })
            let tombstones = try await admin.withConnection { connection in
                try await connection.query("SELECT HEX(Row_ID) FROM Tombstone WHERE Scope_ID = \(user) AND Entity = 2")
                    .decode(String.self)
            }
            for done in clients.flatMap(\.acknowledged)
            where done.mutation.entity == "subscription" && done.result.outcome != .refused {
                guard let id = UUID(uuidString: done.mutation.id) else { continue }
                guard let row = byID[id] else {
                    if !tombstones.contains(id.uuidString.replacing("-", with: "")) {
                        faults.append("an acknowledged row is gone: \(done)")
                    }
                    continue
                }
                if done.mutation.op == "renew", case .integer(let period)? = done.mutation.fields?["period"],
                    row.1 <= Int(period)
                {
                    faults.append("an acknowledged renewal is gone: \(done)")
                }
                if let note = done.mutation.fields?["note"], !done.result.lost.contains(where: { $0.field == "note" }),
                    !done.result.replayed, let version = done.result.row?.version
                {
                    // It is there, or something newer is.
                    if row.3 < version, case .string(let text) = note, row.2 != text {
                        faults.append("an acknowledged note is gone: \(done), now \(row)")
                    }
                    if row.3 == version, case .string(let text) = note, row.2 != text {
                        faults.append("another note is stored: \(done), now \(row)")
                    }
                }
            }
            // A change that is done twice would make a plan twice.
            let made = try await admin.withConnection { connection in
                try await connection.query("SELECT COUNT(*) FROM Plan WHERE Owner_ID = \(user)").decode(Int.self).first
            }
            let asked = Set(
                clients.flatMap(\.acknowledged).filter {
                    $0.mutation.fields?["plan"] != nil && $0.mutation.op == "create" && $0.result.outcome != .refused
                }.map(\.mutation.key))
            if let made, made > asked.count { faults.append("\(made) plans, \(asked.count) were asked for") }
        } catch {
            faults.append("\(error)")
        }
    }
}

extension SyncCopy {
    /// Looks at one scope alone.
    mutating func keep(scope: String) { drop(where: { $0.scope != scope }) }
}
