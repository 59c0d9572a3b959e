import Logging
import MariaDB
import Synchronization

/// The clients of all servers that tenants are on, one for each, and the connections that they share.
///
/// The cap of connections is the whole service's, at every moment. A server gets a larger part once another one has closed
/// the connections that it gives up (``ConnectionShares``).
final class DatabaseServers: Sendable {
    /// The client of the control database's server.
    let main: MariaDBClient
    private let connections: Int
    private let open: @Sendable (String) throws -> MariaDBClient
    private let logger: Logger
    private let state = Mutex(State())
    private let opened: AsyncStream<MariaDBClient>
    private let opening: AsyncStream<MariaDBClient>.Continuation
    /// Tells that not all parts could be given yet.
    private let unsettled: AsyncStream<Void>
    private let unsettle: AsyncStream<Void>.Continuation

    private struct State {
        var others: [String: MariaDBClient] = [:]
        /// The parts that the servers are to have; nil before they were shared.
        var shares: ConnectionShares?
    }

    /// The servers of a deployment.
    /// - Parameter open: makes the client of another server; it connects to nothing yet.
    init(
        main: MariaDBClient, logger: Logger = Logger(label: "servers", factory: { _ in SwiftLogNoOpLogHandler() }),
        open: @escaping @Sendable (String) throws -> MariaDBClient = {
            throw SettingsError("there is no other server than the control database's: \($0)")
        }
    ) {
        self.main = main
        self.open = open
        self.logger = logger
        connections = main.configuration.maximumConnections
        (opened, opening) = AsyncStream.makeStream(of: MariaDBClient.self)
        (unsettled, unsettle) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The client of a server, made when it is first asked for. It has no connection before ``share(tenants:)``.
    /// - Parameter server: as a tenant's row has it; nil: that of the control database.
    /// - Throws: ``SettingsError``.
    func client(of server: String?) throws -> MariaDBClient {
        guard let server else { return main }
        return try state.withLock { state in
            if let known = state.others[server] { return known }
            let client = try open(server)
            client.setMaximumConnections(0)
            state.others[server] = client
            opening.yield(client)
            return client
        }
    }

    /// Gives each server its part of the connections.
    /// - Parameter tenants: how many tenants each has.
    func share(tenants: [String?: Int]) {
        let isSettled = state.withLock { state in
            guard !state.others.isEmpty else { return true }
            let counts = Dictionary(
                uniqueKeysWithValues: state.others.keys.map { ($0, tenants[$0] ?? 0) })
            let shares = ConnectionShares(of: connections, tenants: counts, mainTenants: tenants[nil] ?? 0)
            if shares != state.shares, !shares.without.isEmpty {
                logger.error(
                    "There are more database servers than connections, and some have none (--database-connections)",
                    metadata: ["connections": "\(connections)", "without": "\(shares.without)"])
            }
            state.shares = shares
            return settle(state)
        }
        if !isSettled { unsettle.yield() }
    }

    /// Has each client keep to its part, and gives the connections that are then free to clients that may have more.
    /// - Returns: whether all have their part.
    private func settle(_ state: State) -> Bool {
        guard let shares = state.shares else { return true }
        let parts = [(main, shares.main)] + state.others.map { ($0.value, shares.others[$0.key] ?? 0) }
        for (client, part) in parts where client.maximumConnections > part { client.setMaximumConnections(part) }
        // The client closes connections lent beyond its part when they come back.
        var free = connections - parts.reduce(0) { $0 + max($1.0.maximumConnections, $1.0.statistics.size) }
        var isSettled = true
        for (client, part) in parts where client.maximumConnections < part {
            let given = max(0, min(part - client.maximumConnections, free))
            free -= given
            if given > 0 { client.setMaximumConnections(client.maximumConnections + given) }
            isSettled = isSettled && client.maximumConnections == part
        }
        return isSettled
    }

    /// Looks after all connections until the task is cancelled, and closes them then.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.main.run() }
            group.addTask {
                for await _ in self.unsettled {
                    // A statement takes seconds at the most; then its connection comes back.
                    while !self.state.withLock({ self.settle($0) }) {
                        guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
                    }
                }
            }
            for await client in opened { group.addTask { await client.run() } }
            opening.finish()
        }
    }
}
