import Foundation
import MariaDB
import Passwords

/// Work that one replica does at a time: the replica that holds a row of the control database until it expires.
///
/// GET_LOCK would be shared with everybody else on the server, and Galera does not know it.
struct Lease: Sendable {
    /// How long a lease lasts that is not renewed, in seconds: as long as others wait after its holder was killed.
    static let seconds = 15

    private let client: MariaDBClient
    private let database: String
    private let name: String
    private let holder: [UInt8]

    /// A lease by name.
    /// - Parameters:
    ///   - client: reaches the control database.
    ///   - database: the control database.
    ///   - name: the name of the work.
    init(client: MariaDBClient, database: String, name: String) throws {
        self.client = client
        self.database = database
        self.name = name
        holder = try SecureRandom.bytes(16)
    }

    /// Runs a body while the lease is held and renewed; waits for it first.
    /// - Parameter waiting: is called once when somebody else holds it.
    func hold<Result: Sendable>(
        waiting: @Sendable () -> Void, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        var hasWaited = false
        while try await !acquire() {
            if !hasWaited { waiting() }
            hasWaited = true
            try await Task.sleep(for: .milliseconds(300))
        }
        return try await holding(body)
    }

    /// Runs a body while the lease is held and renewed, unless somebody else holds it.
    /// - Returns: the body's result; nil when it was not run.
    func holdIfFree<Result: Sendable>(_ body: @Sendable @escaping () async throws -> Result) async throws -> Result? {
        try await acquire() ? try await holding(body) : nil
    }

    /// Runs a body while the lease, which was taken, is renewed, and gives it back.
    private func holding<Result: Sendable>(
        _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await withThrowingTaskGroup(of: Result?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    while true {
                        try await Task.sleep(for: .seconds(Double(Self.seconds) / 3))
                        guard try await acquire() else { throw LeaseLost() }
                    }
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let result = first else { throw LeaseLost() }
                return result
            }
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }

    /// Takes or renews the lease.
    /// - Returns: false while somebody else holds it.
    func acquire() async throws -> Bool {
        try await client.withConnection(database) { connection in
            // Assignments are made from left to right, on both servers: the second sees the result of the first.
            _ = try await connection.execute(
                """
                INSERT INTO Lease (Lease_name, Holder, Expires_at)
                VALUES (\(name), \(holder), UTC_TIMESTAMP() + INTERVAL \(Self.seconds) SECOND)
                ON DUPLICATE KEY UPDATE
                    Holder = IF(Expires_at < UTC_TIMESTAMP(), VALUES(Holder), Holder),
                    Expires_at = IF(Holder = VALUES(Holder), VALUES(Expires_at), Expires_at)
                """)
            let rows = try await connection.query("SELECT Holder FROM Lease WHERE Lease_name = \(name)")
            return try rows.decode([UInt8].self).first == holder
        }
    }

    /// Shielded: also when its work was cancelled nobody shall have to wait until it expires.
    private func giveBack() async { _ = await Task { try? await release() }.value }

    private func release() async throws {
        try await client.withConnection(database) { connection in
            _ = try await connection.execute(
                "DELETE FROM Lease WHERE Lease_name = \(name) AND Holder = \(holder)")
        }
    }
}

/// A lease that expired while its work was under way.
struct LeaseLost: Error, CustomStringConvertible {
    var description: String { "another replica has taken over meanwhile" }
}
