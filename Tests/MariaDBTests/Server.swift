import EmbeddedMariaDB
import Logging
import MariaDB
import SubTrackTestSupport
import Synchronization

/// How these tests come by a server: a private MariaDB of their own, and a fresh database for each test.
enum Server {
    /// Lends a client on an empty database of its own.
    static func withClient<Result: Sendable>(
        _ configure: (inout MariaDBConfiguration) -> Void = { _ in },
        _ body: (MariaDBClient) async throws -> Result
    ) async throws -> Result {
        try await TestDatabase.lease { database in
            try await database.withClient(
                configure: {
                    // The machine that runs the tests may be busy: how long one waits is tested where it is meant.
                    $0.leaseTimeout = .seconds(60)
                    configure(&$0)
                }, body)
        }
    }

    /// A client's configuration for a server of a test's own. The machine may be busy: how long one waits for a
    /// connection is tested where it is meant.
    static func configuration(_ path: String, user: String, database: String? = nil) -> MariaDBConfiguration {
        var configuration = MariaDBConfiguration(endpoint: .unix(path: path), user: user, database: database)
        configuration.leaseTimeout = .seconds(60)
        configuration.connectTimeout = .seconds(30)
        return configuration
    }

    /// Lends a client that was made for `configuration`, and closes it.
    static func withClient<Result: Sendable>(
        of configuration: MariaDBConfiguration, _ body: (MariaDBClient) async throws -> Result
    ) async throws -> Result {
        let client = MariaDBClient(
            configuration: configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
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

/// Runs `body` and gives the error that it throws, if it throws one of the client's.
func mariaDBError<Result>(_ body: () async throws -> Result) async -> MariaDBError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? MariaDBError
    }
}

/// Counts what several tasks do.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    /// Counts one more; returns how many that makes.
    @discardableResult
    func add() -> Int { number.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// What several tasks have seen, each thing once.
final class Collected<Element: Hashable & Sendable>: Sendable {
    private let elements = Mutex<Set<Element>>([])

    var count: Int { elements.withLock { $0.count } }

    func insert(_ element: Element) { elements.withLock { _ = $0.insert(element) } }
}
