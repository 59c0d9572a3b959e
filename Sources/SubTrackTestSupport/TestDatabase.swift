import EmbeddedMariaDB
import Foundation
import Synchronization

/// A database that belongs to one test.
///
///     try await TestDatabase.lease { database in
///         … // connect to database.socketPath as database.user, schema database.name
///     }
///
/// It is made and dropped by MariaDB's own command-line client, so that a fault of the client under test shows in the
/// test and not in the making of its database.
public struct TestDatabase: Sendable {
    /// The schema's name, used by no other test.
    public let name: String
    /// The Unix socket of the server that it is on.
    public let socketPath: String
    /// The account to connect with. It has no password.
    public let user = EmbeddedServer.user

    /// Lends a fresh, empty database and drops it afterwards, whatever the test did.
    ///
    /// - Parameters:
    ///   - server: Where; nil: the server that the tests of this process share.
    ///   - prepare: Fills the database before the test gets it.
    ///   - body: The test.
    /// - Throws: What `prepare` or `body` throws, or that the database could not be made.
    public static func lease<Result: Sendable>(
        on server: EmbeddedServer? = nil,
        prepare: (TestDatabase) async throws -> Void = { _ in },
        _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let server = if let server { server } else { try await PrivateServer.shared }
        let database = TestDatabase(name: uniqueName(), socketPath: server.socketPath)
        try await database.client("CREATE DATABASE `\(database.name)`", database: nil)
        do {
            try await prepare(database)
            let result = try await body(database)
            try await database.drop()
            return result
        } catch {
            try? await database.drop()
            throw error
        }
    }

    /// Runs statements through the plain `mariadb` client, as an admin would type them.
    ///
    /// - Parameters:
    ///   - statements: SQL, with `DELIMITER` if need be.
    ///   - arguments: Further arguments of the client, such as `--force`.
    /// - Returns: What it printed: rows with tabs between the columns, without a line of names.
    /// - Throws: `CommandFailure` with what it complained of.
    @discardableResult
    public func run(_ statements: String, arguments: [String] = []) async throws -> String {
        try await client(statements, database: name, arguments: arguments)
    }

    /// Runs statements that the database must refuse.
    ///
    /// - Returns: What it complained of.
    /// - Throws: `NeverHappened` when it took them.
    public func runFailing(_ statements: String) async throws -> String {
        do {
            try await run(statements)
        } catch let failure as CommandFailure {
            return failure.output
        }
        throw NeverHappened(description: "the database took what it must refuse: \(statements.prefix(200))")
    }

    /// Runs statements through the plain client without being in any database.
    @discardableResult
    func admin(_ statements: String) async throws -> String { try await client(statements, database: nil) }

    /// Lends the name of a control database that is not there yet, and drops it with those of its tenants afterwards.
    public static func leaseControl<Result: Sendable>(
        _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let control = TestDatabase(name: uniqueName(), socketPath: try await PrivateServer.shared.socketPath)
        do {
            let result = try await body(control)
            try await control.dropWithTenants()
            return result
        } catch {
            try? await control.dropWithTenants()
            throw error
        }
    }

    /// A database that is there, or will be made.
    public init(name: String, socketPath: String) {
        self.name = name
        self.socketPath = socketPath
    }

    /// Drops this control database and those of its tenants, which have its name as their prefix.
    func dropWithTenants() async throws {
        // Shielded: a test that was cancelled leaves no database either.
        try await Task {
            let names = try await admin(
                "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '\(name)' "
                    + "OR SCHEMA_NAME LIKE '\(name.replacing("_", with: "\\_"))\\_%'")
            for name in names.split(separator: "\n") { try await dropDatabase(String(name)) }
        }.value
    }

    /// A name that no other test of any process uses on the same server.
    static func uniqueName() -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        return "test_\(getpid())_\(number)"
    }

    private static let counter = Atomic<Int>(0)

    /// Drops the database with its tables. Its folder may stay: MariaDB 10.11, when several make triggers at once, in
    /// whichever databases, may leave the backup of a table's file of triggers in it (`Plan.TRG-`), and cannot remove it then
    /// (1010), however often it is told to. It goes with the server.
    public func drop() async throws {
        // Shielded: a test that was cancelled leaves no database either.
        try await Task { try await dropDatabase(name) }.value
    }

    private func dropDatabase(_ name: String) async throws {
        do {
            try await client("DROP DATABASE IF EXISTS `\(name)`", database: nil)
        } catch let failure as CommandFailure where failure.output.contains("ERROR 1010") {}
    }

    @discardableResult
    private func client(_ statements: String, database: String?, arguments: [String] = []) async throws -> String {
        try await Command.run(
            "mariadb",
            [
                "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(socketPath)", "--user=\(user)",
                "--default-character-set=utf8mb4", "--batch", "--skip-column-names",
            ] + arguments + (database.map { [$0] } ?? []), input: statements)
    }
}
