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
    /// What came of it that may not be.
    private(set) var faults: [String] = []

    /// A history of a user who has nothing yet.
    init(seed: UInt64, plans: [Int64], user: TestUser) {
        self.seed = seed
        self.plans = plans
        self.user = user
        var random = SeededGenerator(seed: seed)
        clients = (0..<Int.random(in: 2...3, using: &random)).map { _ in HistoryClient(user: user) }
        self.random = random
    }

    private var userID: UUID { user.user.id }

    /// Lets things happen.
    mutating func play(steps: Int, _ admin: MariaDBClient) async {
        for _ in 0..<steps {
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
            default: await type(admin)
            }
        }
    }

    /// Brings all clients into step, and looks whether all is there.
    mutating func finish(_ admin: MariaDBClient) async {
        await settle(scopes: .user)
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
            for _ in 0..<200 where !clients[index].outbox.isEmpty {
                let before = clients[index].outbox.count
                await clients[index].push(7)
                // The database is away: a while later.
                if clients[index].outbox.count == before { try? await Task.sleep(for: .milliseconds(50)) }
            }
            if !clients[index].outbox.isEmpty { faults.append("the outbox does not empty") }
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
    private mutating func type(_ admin: MariaDBClient) async {
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
            "UPDATE Private_provider SET Category = \("C\(number)") WHERE Owner_ID = \(user)",
        ]
        guard let statement = statements.randomElement(using: &random) else { return }
        do {
            try await admin.withConnection { connection in _ = try await connection.execute(statement) }
        } catch let error as MariaDBError where error.isSignal || error.isTransient || error.kind == .connection {
            // Refused by a rule, or somebody else was quicker.
        } catch {
            faults.append("\(error)")
        }
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
