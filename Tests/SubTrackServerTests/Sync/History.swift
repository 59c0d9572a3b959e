import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits

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
                try await eventually("the outbox empties") {
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
        let typed = await HistoryAdmin(user: userID, plans: plans).type(
            held: clients[0].copy.data(.subscription).keys.sorted(),
            contacts: clients[0].copy.data("contact").keys.sorted(), step: step, admin, &random)
        for statement in typed.changes { ledger.note(statement) }
        isBlind = isBlind || typed.isBlind
        faults += typed.faults
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
