import EmbeddedMariaDB
import Foundation

/// The two kinds of server that the schema runs on.
public enum TestServer: String, Sendable, CaseIterable {
    case mariaDB
    case mySQL

    /// Lends a fresh, empty database on the server of this kind that the tests of this process share, and drops it
    /// afterwards, whatever the test did.
    ///
    /// - Parameters:
    ///   - prepare: Fills the database before the test gets it.
    ///   - body: The test.
    /// - Throws: What `prepare` or `body` throws, or that the database could not be made.
    public func lease<Result: Sendable>(
        prepare: (TestDatabase) async throws -> Void = { _ in }, _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let socketPath =
            switch self {
            case .mariaDB: try await PrivateServer.shared.socketPath
            case .mySQL: try await MySQLServer.socketPath
            }
        let database = TestDatabase(name: TestDatabase.uniqueName(), socketPath: socketPath)
        try await client(database, "CREATE DATABASE `\(database.name)`")
        do {
            try await prepare(database)
            let result = try await body(database)
            try await drop(database)
            return result
        } catch {
            // Shielded: a test that was cancelled leaves no database either.
            _ = await Task { try? await drop(database) }.value
            throw error
        }
    }

    private func drop(_ database: TestDatabase) async throws {
        do {
            try await client(database, "DROP DATABASE IF EXISTS `\(database.name)`")
        } catch let failure as CommandFailure where failure.output.contains("ERROR 1010") {
            // MariaDB 10.11: when triggers are made in two databases at once, a backup (Plan.TRG-) may be left behind, and
            // DROP DATABASE does not remove it nor the folder. Everything else is gone, and the server goes as well.
        }
    }

    private func client(_ database: TestDatabase, _ statement: String) async throws {
        try await Command.run(
            "mariadb",
            [
                "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(database.socketPath)",
                "--user=\(database.user)", "--batch",
            ],
            input: statement)
    }
}
