import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Writes that lock several scopes.
@Suite("Locks of several scopes", .ownTime)
struct WriteScopesTests {
    /// How writers fared together.
    private final class Outcome: Sendable {
        /// How many writes each team has seen.
        let done = Mutex<[UUID: Int]>([:])
        /// How many writes found a scope in use.
        let refused = Atomic(0)
    }

    /// How many statements have locked shared scopes.
    private final class Locks: Sendable {
        private let taken = Atomic(0)

        var count: Int { taken.load(ordering: .relaxed) }
        func note() { taken.add(1, ordering: .relaxed) }
    }

    /// Runs a body with tenants of some replicas, and counts the statements that lock shared scopes.
    /// - Parameter patience: how long a write waits for a connection and for a lock; nil: the standard.
    private static func withReplicas(
        _ count: Int, _ service: TestService, patience: Duration? = nil,
        _ body: ([Tenant], Locks) async throws -> Void
    ) async throws {
        let locks = Locks()
        var clients: [MariaDBClient] = []
        var tenants: [Tenant] = []
        for _ in 0..<count {
            var configuration = MariaDBConfiguration(
                endpoint: .unix(path: service.database.socketPath), user: service.database.user)
            configuration.maximumConnections = 8
            if let patience {
                configuration.leaseTimeout = patience
                configuration.session.lockWaitTimeout = patience
            }
            configuration.onStatement = { sql, _ in
                if sql.text.contains("FORCE INDEX (PRIMARY)"), !sql.text.contains("Erasure") {
                    locks.note()
                }
            }
            let client = MariaDBClient(configuration: configuration, logger: RecordedLog().logger("replica"))
            clients.append(client)
            tenants.append(
                Tenant(
                    slug: "default", database: service.database.name, isSuspended: false,
                    epoch: TenantEpoch(slug: "default", controlDatabase: "unused", client: client, value: []),
                    client: client))
        }
        do {
            try await body(tenants, locks)
        } catch {
            for client in clients { await client.shutdown() }
            throw error
        }
        for client in clients { await client.shutdown() }
    }

    @Test("Writers of random users and teams on two replicas are serial, and none is ended by a deadlock")
    func random() async throws {
        try await TeamsArea.run { service in
            var users: [UUID] = []
            for _ in 0..<5 { users.append(try await service.newUser().user.id) }
            let teams = (0..<5).map { _ in UUID() }
            for team in teams {
                try await service.database.run("INSERT INTO Team (Team_ID, Team_name) VALUES (\(hex(team)), '0')")
            }
            let (people, ids) = (users, teams)
            // A busy machine is no scope in use.
            try await Self.withReplicas(2, service, patience: .seconds(30)) { tenants, locks in
                let (writers, turns) = (8, 40)
                let outcome = Outcome()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<writers {
                        group.addTask {
                            var random = SeededGenerator(seed: UInt64(writer))
                            for _ in 0..<turns {
                                // As they come, in no order.
                                let touched = Array(
                                    ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
                                let others = people.shuffled(using: &random).prefix(
                                    Int.random(in: 1...3, using: &random))
                                let scopes = WriteScopes(
                                    UserID(uuid: others[0]), others: Set(others.map(UserID.init(uuid:))),
                                    shared: Set(touched.map(ScopeID.init(uuid:))))
                                do {
                                    try await tenants[writer % 2].write(in: scopes) { connection in
                                        for team in touched {
                                            // Read, then written: without the lock an increment would be lost.
                                            let name =
                                                try await connection.query(
                                                    "SELECT Team_name FROM Team WHERE Team_ID = \(team)"
                                                ).decode(String.self).first ?? ""
                                            _ = try await connection.execute(
                                                """
                                                UPDATE Team SET Team_name = \(String((Int(name) ?? 0) + 1))
                                                WHERE Team_ID = \(team)
                                                """)
                                        }
                                        for other in others {
                                            _ = try await connection.execute(
                                                "UPDATE Scope SET Ver = Ver + 1 WHERE Scope_ID = \(other)")
                                        }
                                    }
                                    outcome.done.withLock { done in for team in touched { done[team, default: 0] += 1 }
                                    }
                                } catch is ScopeInUse {
                                    outcome.refused.add(1, ordering: .relaxed)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for team in ids {
                    let name = try await service.number("SELECT Team_name FROM Team WHERE Team_ID = \(hex(team))")
                    #expect(
                        name == outcome.done.withLock { $0[team] ?? 0 },
                        "each write has read what the one before has written")
                }
                let refusals = outcome.refused.load(ordering: .relaxed)
                #expect(refusals < writers * turns / 4)
                // A transaction that a deadlock has ended would have locked once more.
                #expect(locks.count <= writers * turns, "\(locks.count)")
            }
        }
    }

    @Test("A write whose rows move before it has their locks begins anew, and ends in words where they move each time")
    func moving() async throws {
        try await TeamsArea.run { service in
            let user = UserID(uuid: try await service.newUser().user.id)
            let places = (0..<9).map { _ in ScopeID(uuid: UUID()) }
            try await Self.withReplicas(1, service) { tenants, _ in
                let tenant = tenants[0]
                let looks = Mutex(0)
                let locked = try await tenant.write(finding: { _ in
                    let look = looks.withLock { looks in
                        looks += 1
                        return looks
                    }
                    // The second look is the one under the first locks.
                    return WriteScopes(user, shared: [places[min(look, 2)]])
                }) { place, _ in place.shared }
                #expect(locked == [places[2]] && looks.withLock { $0 } == 3)
                looks.withLock { $0 = 0 }
                await #expect(throws: ScopeInUse.self) {
                    try await tenant.write(finding: { _ in
                        let look = looks.withLock { looks in
                            looks += 1
                            return looks
                        }
                        return WriteScopes(user, shared: [places[look % 9]])
                    }) { _, _ in Issue.record("it was done without its locks") }
                }
            }
        }
    }

    @Test("Another user who is being erased is told as unknown, the writer as deleted")
    func erased() async throws {
        try await TeamsArea.run { service in
            let (ada, bob) = (try await service.newUser().user.id, try await service.newUser().user.id)
            try await service.database.run("INSERT INTO Erasure (User_ID) VALUES (\(hex(bob)))")
            try await Self.withReplicas(1, service) { tenants, _ in
                let (writer, other) = (UserID(uuid: ada), UserID(uuid: bob))
                for (scopes, code) in [
                    (WriteScopes(writer, others: [other]), ErrorCode.notFound),
                    (WriteScopes(other, others: [writer]), .userDeleted), (WriteScopes(other), .userDeleted),
                    (WriteScopes(writer, becoming: other), .userDeleted),
                ] {
                    let problem = await #expect(throws: Problem.self) {
                        try await tenants[0].write(in: scopes) { _ in }
                    }
                    #expect(problem?.code == code)
                }
            }
        }
    }
}
