import Logging
import MariaDB

extension TestDatabase {
    /// How the client under test reaches this database.
    public var configuration: MariaDBConfiguration {
        MariaDBConfiguration(endpoint: .unix(path: socketPath), user: user, database: name)
    }

    /// Lends a client on this database and closes its connections afterwards.
    ///
    /// - Parameters:
    ///   - configure: Changes the client's configuration, which has the defaults.
    ///   - logger: Where the client logs; nil: nowhere.
    ///   - body: Gets the client.
    public func withClient<Result: Sendable>(
        configure: (inout MariaDBConfiguration) -> Void = { _ in }, logger: Logger? = nil,
        _ body: (MariaDBClient) async throws -> Result
    ) async throws -> Result {
        var configuration = configuration
        configure(&configuration)
        let client = MariaDBClient(
            configuration: configuration, logger: logger ?? Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        do {
            let result = try await body(client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
