import MariaDB
import SubTrackAPI

/// What the control database has of tenants.
enum TenantQueries {
    /// A tenant's row.
    struct Row: Sendable {
        let slug: String
        let database: String
        /// The server that the database is on; nil: the control database's.
        let server: String?
        let isSuspended: Bool
        let isClosed: Bool
        /// The oldest version of the service that the database accepts.
        let oldestService: String?
        let epoch: [UInt8]
        let createdAt: String
        /// Whether its database was complete once. Where it is missing now, it was dropped or lost.
        let isMade: Bool
        /// The areas that the operator switched on or off, by name.
        var areas: [String: Bool]

        fileprivate init(_ row: Columns) {
            let (area, isOn): (String?, Bool?)
            (slug, database, server, isSuspended, isClosed, oldestService, epoch, createdAt, isMade, area, isOn) = row
            areas = [:]
            if let area, let isOn { areas[area] = isOn }
        }
    }

    fileprivate typealias Columns = (
        String, String, String?, Bool, Bool, String?, [UInt8], String, Bool, String?, Bool?
    )

    /// A row for each decision about an area; one for a tenant without any. In the order of the key, so that the tables need no
    /// temporary one.
    private static let select: SQL =
        """
        SELECT Tenant.Slug, Database_name, Server_url, Suspended_at IS NOT NULL, Closed_at IS NOT NULL, Oldest_service,
            Epoch, DATE_FORMAT(Created_at, '%Y-%m-%dT%H:%i:%sZ'), Made_at IS NOT NULL, Area, Is_on
        FROM Tenant FORCE INDEX (PRIMARY)
            LEFT JOIN Tenant_area FORCE INDEX (PRIMARY) ON Tenant_area.Slug = Tenant.Slug
        """

    private static func tenants(_ rows: Rows) throws -> [Row] {
        try rows.decode(Columns.self).map(Row.init).reduce(into: []) { tenants, row in
            guard tenants.last?.slug == row.slug else { return tenants.append(row) }
            tenants[tenants.count - 1].areas.merge(row.areas) { $1 }
        }
    }

    /// All tenants, by slug.
    static func all(on connection: Connection) async throws -> [Row] {
        try tenants(try await connection.query("\(select) ORDER BY Tenant.Slug"))
    }

    /// One tenant; nil when there is none.
    static func find(_ slug: String, on connection: Connection) async throws -> Row? {
        try tenants(try await connection.query("\(select) WHERE Tenant.Slug = \(slug)")).first
    }

    /// Notes the operator's decisions about areas of a tenant, in the caller's transaction.
    static func set(areas: [String: Bool], of slug: String, on connection: Connection) async throws {
        for (area, isOn) in areas.sorted(by: { $0.key < $1.key }) {
            _ = try await connection.execute(
                """
                INSERT INTO Tenant_area (Slug, Area, Is_on) VALUES (\(slug), \(area), \(isOn))
                ON DUPLICATE KEY UPDATE Is_on = VALUES(Is_on)
                """)
        }
    }

    /// Whether a tenant has a database of that name.
    static func isUsed(database: String, on connection: Connection) async throws -> Bool {
        try await connection.query("SELECT COUNT(*) FROM Tenant WHERE Database_name = \(database)")
            .decode(Int64.self).first ?? 0 > 0
    }

    /// Adds a tenant whose database is complete, in the caller's transaction.
    static func insert(
        _ slug: String, database: String, server: String?, epoch: [UInt8], areas: [String: Bool],
        on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Tenant (Slug, Database_name, Server_url, Epoch, Created_at, Made_at)
            VALUES (\(slug), \(database), \(server), \(epoch), UTC_TIMESTAMP(), UTC_TIMESTAMP())
            """)
        try await set(areas: areas, of: slug, on: connection)
    }

    /// All host names, and whose they are.
    static func hosts(on connection: Connection) async throws -> [(host: String, slug: String)] {
        try await connection.query("SELECT Host, Slug FROM Tenant_host").decode((String, String).self)
            .map { (host: $0.0, slug: $0.1) }
    }

    /// Whose host name it is; nil when it is nobody's.
    static func owner(ofHost host: String, on connection: Connection) async throws -> String? {
        try await connection.query("SELECT Slug FROM Tenant_host WHERE Host = \(host)").decode(String.self).first
    }

    /// All host names that are or were a tenant's, as they are at one moment: a name that changes hands is in one of the two.
    static func allHosts(
        on connection: Connection
    ) async throws -> (slugs: [String: String], former: Set<String>) {
        let rows = try await connection.query(
            "SELECT Host, Slug FROM Tenant_host UNION ALL SELECT Host, NULL FROM Former_host"
        ).decode((String, String?).self)
        return rows.reduce(into: ([:], [])) { found, row in
            if let slug = row.1 { found.slugs[row.0] = slug } else { found.former.insert(row.0) }
        }
    }

    /// Hosts that belonged to a tenant and are nobody's now.
    static func formerHosts(on connection: Connection) async throws -> [String] {
        try await connection.query("SELECT Host FROM Former_host").decode(String.self)
    }

    /// Gives a tenant a host name that nobody has.
    /// - Throws: a duplicate where somebody has it.
    static func insert(host: String, of slug: String, on connection: Connection) async throws {
        _ = try await connection.execute(
            "INSERT INTO Tenant_host (Host, Slug) VALUES (\(host), \(slug))")
        _ = try await connection.execute("DELETE FROM Former_host WHERE Host = \(host)")
    }

    /// Notes hosts that belonged to a tenant elsewhere, unless a tenant has them here.
    static func insert(formerHost host: String, of slug: String, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Former_host (Host, Slug, Removed_at)
            SELECT \(host), \(slug), UTC_TIMESTAMP() FROM (SELECT COUNT(*) AS n FROM Tenant_host WHERE Host = \(host)) t
            WHERE t.n = 0
            ON DUPLICATE KEY UPDATE Slug = VALUES(Slug)
            """)
    }

    /// Takes a host name from a tenant. It answers 404 until a tenant has it again.
    static func delete(host: String, of slug: String, on connection: Connection) async throws {
        try await noteFormer("Host = \(host) AND Slug = \(slug)", on: connection)
        _ = try await connection.execute("DELETE FROM Tenant_host WHERE Host = \(host) AND Slug = \(slug)")
    }

    /// Suspends a tenant, or lets it go on.
    static func setSuspended(_ isSuspended: Bool, _ slug: String, on connection: Connection) async throws {
        let at: SQL = isSuspended ? "COALESCE(Suspended_at, UTC_TIMESTAMP())" : "NULL"
        _ = try await connection.execute("UPDATE Tenant SET Suspended_at = \(at) WHERE Slug = \(slug)")
    }

    /// Closes a tenant for work on its data, or opens it.
    static func setClosed(_ isClosed: Bool, _ slug: String, on connection: Connection) async throws {
        let at: SQL = isClosed ? "COALESCE(Closed_at, UTC_TIMESTAMP())" : "NULL"
        _ = try await connection.execute("UPDATE Tenant SET Closed_at = \(at) WHERE Slug = \(slug)")
    }

    /// Notes which versions of the service a tenant's database accepts.
    static func setOldestService(_ version: ServiceVersion?, _ slug: String, on connection: Connection) async throws {
        let text = version?.description
        _ = try await connection.execute("UPDATE Tenant SET Oldest_service = \(text) WHERE Slug = \(slug)")
    }

    /// Notes that a tenant's database is complete.
    static func setMade(_ slug: String, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Tenant SET Made_at = COALESCE(Made_at, UTC_TIMESTAMP()) WHERE Slug = \(slug)")
    }

    /// Puts a tenant on another database, which is complete, and opens it.
    /// - Parameter epoch: a new epoch, where the data are not those that were there; nil: they are the same.
    static func place(
        _ slug: String, database: String, server: String?, epoch: [UInt8]?, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            UPDATE Tenant SET Database_name = \(database), Server_url = \(server), Closed_at = NULL,
                Epoch = COALESCE(\(epoch), Epoch), Made_at = COALESCE(Made_at, UTC_TIMESTAMP())
            WHERE Slug = \(slug)
            """)
        guard epoch != nil else { return }
        _ = try await connection.execute("DELETE FROM Tenant_counter WHERE Slug = \(slug)")
    }

    private static func noteFormer(_ condition: SQL, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Former_host (Host, Slug, Removed_at)
            SELECT Host, Slug, UTC_TIMESTAMP() FROM Tenant_host WHERE \(condition)
            ON DUPLICATE KEY UPDATE Slug = VALUES(Slug), Removed_at = VALUES(Removed_at)
            """)
    }

    /// Removes all that the control database has of a tenant. Its hosts answer 404 until a tenant has them again.
    static func delete(_ slug: String, on connection: Connection) async throws {
        try await noteFormer("Slug = \(slug)", on: connection)
        _ = try await connection.execute("DELETE FROM Tenant_counter WHERE Slug = \(slug)")
        _ = try await connection.execute("DELETE FROM Tenant_host WHERE Slug = \(slug)")
        _ = try await connection.execute("DELETE FROM Tenant_area WHERE Slug = \(slug)")
        _ = try await connection.execute("DELETE FROM Tenant WHERE Slug = \(slug)")
    }
}
