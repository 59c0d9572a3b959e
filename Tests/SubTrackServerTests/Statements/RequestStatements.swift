import MariaDB
import Synchronization

/// The statements that a service sent for requests, in their order.
final class RequestStatements: Sendable {
    /// Words of statements that the service sends beside requests, whenever it likes: of sessions, tenants and jobs.
    private static let besides = [
        "Session ", "session ", "Tenant", "Lease", "SUM(Ver)", "Mail", "FROM Erasure ", "Deleted_at <", "Created_at <",
        "Device d",
    ]
    private let noted = Mutex<[SQL]>([])

    /// Notes a statement, unless it is none of a request.
    func note(_ sql: SQL) {
        guard !Self.besides.contains(where: { sql.text.contains($0) }) else { return }
        noted.withLock { $0.append(sql) }
    }

    /// The statements since this was last called.
    func take() -> [SQL] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }
}
