import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What is asked by many at once is read once.
@Suite("One reading for many requests", .ownTime)
struct SingleFlightTests {
    /// Runs a body with a client for a database, as the service has one.
    private func withClient<Result>(
        of database: TestDatabase, _ body: (MariaDBClient) async throws -> Result
    ) async throws -> Result {
        var configuration = MariaDBConfiguration(endpoint: .unix(path: database.socketPath), user: database.user)
        configuration.maximumConnections = 30
        let client = MariaDBClient(configuration: configuration, logger: RecordedLog().logger("client"))
        do {
            let result = try await body(client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Runs a body while nobody can read a table, until the body lets them.
    private func withLocked(
        _ table: SQL, in database: TestDatabase, by client: MariaDBClient,
        _ body: (_ unlock: () async throws -> Void) async throws -> Void
    ) async throws {
        try await client.withConnection(database.name) { connection in
            try await connection.simpleQuery("LOCK TABLES \(table) WRITE")
            try await body { try await connection.simpleQuery("UNLOCK TABLES") }
        }
    }

    /// How many statements of the test's own account wait for a table's lock. The service's jobs may wait as well.
    private func waiting(in database: TestDatabase) async throws -> Int {
        let count = try await database.run(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() "
                + "AND USER = SUBSTRING_INDEX(USER(), '@', 1) AND STATE LIKE '%metadata lock%'")
        return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    @Test("The control database is read by one request; the others wait at first, and go on with what is known later")
    func tenants() async throws {
        try await TestService.runAlone { service in
            try await withClient(of: service.control) { locker in
                try await withClient(of: service.control) { client in
                    let directory = TenantDirectory(
                        client: client, controlDatabase: service.control.name,
                        logger: RecordedLog().logger("directory"), maximumAge: .seconds(2))
                    // At first nothing is known: all wait for one reading, and get one tenant.
                    try await withLocked("Tenant", in: service.control, by: locker) { unlock in
                        let all = Task {
                            try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
                                for _ in 0..<20 {
                                    group.addTask {
                                        ObjectIdentifier(try await directory.tenant(slug: nil, host: nil))
                                    }
                                }
                                return try await group.reduce(into: []) { $0.append($1) }
                            }
                        }
                        try await eventually("one reads") { try await waiting(in: service.control) == 1 }
                        #expect(client.statistics.size == 1, "one connection for twenty requests")
                        try await unlock()
                        let tenants = try await all.value
                        #expect(tenants.count == 20 && Set(tenants).count == 1)
                    }
                    // Later one reads again, and the others go on with what is known.
                    try await withLocked("Tenant", in: service.control, by: locker) { unlock in
                        var reader: Task<Tenant, any Error>?
                        try await eventually("one reads again") {
                            let task = Task { try await directory.tenant(slug: nil, host: nil) }
                            if try await waiting(in: service.control) == 1 {
                                reader = task
                                return true
                            }
                            return false
                        }
                        for _ in 0..<20 { _ = try await directory.tenant(slug: "default", host: nil) }
                        #expect(client.statistics.size == 1)
                        try await unlock()
                        _ = try await reader?.value
                    }
                }
            }
        }
    }

    @Test("A token is looked up once for all who come with it, and again after its user has changed")
    func sessions() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser(timeZone: "UTC")
            let hash = try #require(Token(ada.client.token ?? "")).hash
            try await withClient(of: service.database) { locker in
                try await withClient(of: service.database) { client in
                    let store = SessionStore(client: client, database: service.database.name)
                    func lookUp(_ count: Int) -> Task<[Session], any Error> {
                        Task {
                            try await withThrowingTaskGroup(of: Session.self) { group in
                                for _ in 0..<count {
                                    group.addTask { try await store.session(hash: hash) }
                                }
                                return try await group.reduce(into: []) { $0.append($1) }
                            }
                        }
                    }
                    try await withLocked("Session", in: service.database, by: locker) { unlock in
                        let all = lookUp(20)
                        try await eventually("one looks") { try await waiting(in: service.database) == 1 }
                        #expect(client.statistics.size == 1, "one connection for twenty requests")
                        try await unlock()
                        let sessions = try await all.value
                        #expect(sessions.count == 20 && Set(sessions).count == 1)
                    }
                    // What a look found that began before a change must not be remembered after it.
                    store.forget(UserID(uuid: ada.user.id))
                    try await withLocked("Session", in: service.database, by: locker) { unlock in
                        let before = lookUp(1)
                        try await eventually("one looks") { try await waiting(in: service.database) == 1 }
                        store.forget(UserID(uuid: ada.user.id))
                        let after = lookUp(1)
                        try await eventually("another looks") { try await waiting(in: service.database) == 2 }
                        try await unlock()
                        #expect(try await before.value == after.value)
                    }
                }
            }
        }
    }
}
