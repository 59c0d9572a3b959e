import Metrics
import SubTrackAPI
import Synchronization

/// All open sockets of this process, and who is told of what.
///
/// What is told is bounded by the socket: of one that takes nothing at the moment the newest version of each scope is kept.
final class LiveConnections: Sendable {
    private struct Table {
        var connections: [UInt64: LiveConnection] = [:]
        var counts: [LiveConnection.Kind: Int] = [:]
        /// Those that watch, by tenant and user.
        var watching: [String: [UserID: [UInt64: LiveConnection]]] = [:]
        var isClosing = false
    }

    private let table = Mutex(Table())
    private let gauges = [
        LiveConnection.Kind.plain: Gauge(label: "live_connections", dimensions: [("kind", "plain")]),
        .webSocket: Gauge(label: "live_connections", dimensions: [("kind", "websocket")]),
    ]

    init() {}

    /// The number of open sockets.
    var count: Int { table.withLock { $0.connections.count } }

    /// Notes a socket that was opened, and begins to tell it of changes if its identity says so.
    func add(_ connection: LiveConnection) {
        let (count, isClosing) = table.withLock { table in
            table.connections[connection.id] = connection
            table.counts[connection.kind, default: 0] += 1
            if let watch = connection.identity.watch { Self.add(connection, watch, to: &table) }
            return (table.counts[connection.kind] ?? 0, table.isClosing)
        }
        gauges[connection.kind]?.record(count)
        if isClosing { connection.post(.close(.serverClosing)) }
    }

    /// Forgets a socket that was closed.
    func remove(_ connection: LiveConnection) {
        let count = table.withLock { table in
            guard table.connections.removeValue(forKey: connection.id) != nil else {
                return table.counts[connection.kind] ?? 0
            }
            table.counts[connection.kind, default: 0] -= 1
            if let watch = connection.identity.watch { Self.remove(connection, watch, from: &table) }
            return table.counts[connection.kind] ?? 0
        }
        gauges[connection.kind]?.record(count)
    }

    /// Changes whose changes a socket is told of.
    /// - Parameter watch: a tenant's user; nil: nobody's.
    func setWatch(_ watch: LiveConnection.Watch?, of connection: LiveConnection) {
        table.withLock { table in
            let old = connection.update { identity in
                defer { identity.watch = watch }
                return identity.watch
            }
            // A socket that is closed already is not to come back.
            guard table.connections[connection.id] != nil else { return }
            if let old { Self.remove(connection, old, from: &table) }
            if let watch { Self.add(connection, watch, to: &table) }
        }
    }

    /// The tenants, by slug, of whom somebody is told of changes, and who they are.
    var watchers: [String: [UserID]] { table.withLock { $0.watching.mapValues { Array($0.keys) } } }

    /// Those among some users of a tenant of whom a socket watches.
    func watching(of users: Set<UserID>, tenant: String) -> [UserID] {
        table.withLock { table in
            guard let watching = table.watching[tenant] else { return [] }
            return users.filter { watching[$0] != nil }
        }
    }

    /// Tells all sockets of a user that watch in which scopes something has changed.
    func poke(_ pokes: [Poke], tenant: String, user: UserID) {
        let connections = table.withLock { table in table.watching[tenant]?[user].map { Array($0.values) } ?? [] }
        for connection in connections { connection.poke(pokes) }
    }

    /// All open sockets.
    var all: [LiveConnection] { table.withLock { Array($0.connections.values) } }

    /// Says to all sockets that the service ends, and to each that comes later.
    func close() {
        let connections = table.withLock { table in
            table.isClosing = true
            return Array(table.connections.values)
        }
        for connection in connections { connection.post(.close(.serverClosing)) }
    }

    private static func add(_ connection: LiveConnection, _ watch: LiveConnection.Watch, to table: inout Table) {
        table.watching[watch.tenant, default: [:]][watch.user, default: [:]][connection.id] = connection
    }

    private static func remove(_ connection: LiveConnection, _ watch: LiveConnection.Watch, from table: inout Table) {
        table.watching[watch.tenant]?[watch.user]?[connection.id] = nil
        if table.watching[watch.tenant]?[watch.user]?.isEmpty == true {
            table.watching[watch.tenant]?[watch.user] = nil
        }
        if table.watching[watch.tenant]?.isEmpty == true { table.watching[watch.tenant] = nil }
    }
}
