import Logging
import MariaDB
import Synchronization

/// The clients of all servers that tenants are on, one for each, and the connections that they share.
///
/// The cap of connections is the whole service's. Each server has a part of it by the number of its tenants, and one
/// connection at least.
final class DatabaseServers: Sendable {
    /// The client of the control database's server.
    let main: MariaDBClient
    private let connections: Int
    private let open: @Sendable (String) throws -> MariaDBClient
    private let others = Mutex<[String: MariaDBClient]>([:])
    private let opened: AsyncStream<MariaDBClient>
    private let opening: AsyncStream<MariaDBClient>.Continuation

    /// The servers of a deployment.
    /// - Parameter open: makes the client of another server; it connects to nothing yet.
    init(
        main: MariaDBClient,
        open: @escaping @Sendable (String) throws -> MariaDBClient = {
            throw SettingsError("there is no other server than the control database's: \($0)")
        }
    ) {
        self.main = main
        self.open = open
        connections = main.configuration.maximumConnections
        (opened, opening) = AsyncStream.makeStream(of: MariaDBClient.self)
    }

    /// The client of a server, made when it is first asked for.
    /// - Parameter server: as a tenant's row has it; nil: that of the control database.
    /// - Throws: ``SettingsError``.
    func client(of server: String?) throws -> MariaDBClient {
        guard let server else { return main }
        return try others.withLock { others in
            if let known = others[server] { return known }
            let client = try open(server)
            others[server] = client
            opening.yield(client)
            return client
        }
    }

    /// Gives each server its part of the connections.
    /// - Parameter tenants: how many tenants each has.
    func share(tenants: [String?: Int]) {
        let clients = others.withLock { $0 }
        guard !clients.isEmpty else { return }
        let total = max(1, tenants.values.reduce(0, +))
        var left = connections
        for (server, client) in clients.sorted(by: { $0.key < $1.key }) {
            let part = max(1, min(left - 1, connections * (tenants[server] ?? 0) / total))
            left -= part
            client.setMaximumConnections(part)
        }
        main.setMaximumConnections(max(1, left))
    }

    /// Looks after all connections until the task is cancelled, and closes them then.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.main.run() }
            for await client in opened { group.addTask { await client.run() } }
            opening.finish()
        }
    }
}
