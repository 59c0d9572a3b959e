import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// What several of an operator's commands do.
extension TenantAdministration {
    func onControl<Result>(_ body: (Connection) async throws -> Result) async throws -> Result {
        try await clients.client(of: nil).withConnection(control, body)
    }

    func find(_ slug: String) async throws -> TenantQueries.Row {
        let slug = try TenantName.checked(slug: slug)
        guard let row = try await onControl({ try await TenantQueries.find(slug, on: $0) }) else {
            throw Refusal("there is no tenant \(slug); subtrackd tenant list tells which there are")
        }
        return row
    }

    /// Runs a body while nobody else does something of the kind with the same tenant.
    func working<Result: Sendable>(
        on slug: String, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        let lease = try Lease(client: try clients.client(of: nil), database: control, name: "tenant-\(slug)")
        guard let result = try await lease.holdIfFree(body) else {
            throw Refusal("somebody else is working on \(slug) at the moment; try again in \(Lease.seconds) seconds")
        }
        return result
    }

    /// Runs a body while a tenant is closed and nobody can write to its data; opens it again if the body fails.
    ///
    /// First all services are given time to hear of it and to be done with what they had begun. Then the database itself
    /// refuses writes (``TenantFence``), also those of services that cannot read the control database. After the body it
    /// goes on to: it is not the tenant's any more.
    /// - Parameter mustBeThere: whether it fails where the database cannot be told so.
    func whileClosed<Result>(
        _ row: TenantQueries.Row, mustBeThere: Bool = true, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            try await onControl { try await TenantQueries.setClosed(true, row.slug, on: $0) }
            try await Task.sleep(for: settle)
            do {
                try await clients.client(of: row.server).withConnection(row.database) {
                    try await TenantFence.raise(on: $0)
                }
            } catch let error as MariaDBError where !mustBeThere && Self.isAway(error) {
                logger.warning(
                    "The tenant's former database cannot be reached.",
                    metadata: ["tenant": "\(row.slug)", "database": "\(row.database)", "error": "\(error)"])
            } catch let error as MariaDBError where error.code == MariaDBError.lockWaitTimeout {
                throw Refusal(
                    "somebody has a transaction open in \(row.database) for longer than "
                        + "\(MigrationQueries.lockWait.components.seconds) seconds; nothing was changed, try again")
            }
            return try await body()
        } catch {
            // Shielded: whoever presses Ctrl-C leaves no tenant closed.
            _ = await Task { try? await reopen(row) }.value
            throw error
        }
    }

    /// Lets a tenant go on that was closed, as it was before.
    func reopen(_ row: TenantQueries.Row) async throws {
        do {
            try await clients.client(of: row.server).withConnection(row.database) {
                try await TenantFence.lower(on: $0)
            }
        } catch let error as MariaDBError where Self.isAway(error) {
            // Nobody writes there anyway.
        }
        try await onControl { try await TenantQueries.setClosed(false, row.slug, on: $0) }
    }

    /// Whether an error says that nobody can write to a database at the moment: its server is away, or it is gone.
    private static func isAway(_ error: MariaDBError) -> Bool {
        error.kind == .refused || error.kind == .connection || error.code == MariaDBError.unknownDatabase
    }

    /// What is left of a tenant's database; nil where it is as a tenant's is.
    func rest(of row: TenantQueries.Row) async throws -> DatabaseGone.Rest? {
        try await DatabaseGone.rest(of: row.database, client: try clients.client(of: row.server))
    }

    /// Whether nothing of a tenant's database is left: it is missing, or has no tables.
    func isLost(_ row: TenantQueries.Row) async throws -> Bool {
        switch try await rest(of: row) {
        case nil: return false
        case .nothing: return true
        case .withoutNotes:
            return try await clients.client(of: row.server).withConnection(row.database) {
                try await !TenantCountQueries.isInUse(on: $0)
            }
        }
    }

    /// Removes a database that this run has made, whatever happens meanwhile, unless it is a tenant's by now: the answer to
    /// the change that gave it away may have been lost.
    func remove(_ database: Identifier, client: MariaDBClient) async {
        _ = await Task {
            let isUsed = try await onControl { try await TenantQueries.isUsed(database: database.name, on: $0) }
            guard !isUsed else { return }
            try await client.withConnection(nil) { try await DatabaseRemoval.drop(database, on: $0) }
        }.result
    }

    /// Gives a host name to a tenant, in a transaction.
    /// - Throws: ``Refusal`` when it is another's.
    func give(_ host: String, to slug: String, on connection: Connection) async throws {
        do {
            try await TenantQueries.insert(host: host, of: slug, on: connection)
        } catch let error as MariaDBError where error.isDuplicate {
            let owner = try await TenantQueries.owner(ofHost: host, on: connection)
            guard owner != slug else { return }
            throw Refusal("\(host) is the host of \(owner ?? "another tenant")")
        }
    }

    /// The form in which a server's URL stands in tenants' rows: the same server always has the same text.
    func canonical(_ server: String?) throws -> String? {
        guard let server else { return nil }
        let url = try DatabaseURL(server: server, controlDatabase: control)
        return url.endpoint == access.url.endpoint ? nil : url.serverText
    }

    func refuseIfThere(_ slug: String, hosts: [String]) async throws {
        try await onControl { connection in
            guard try await TenantQueries.find(slug, on: connection) == nil else {
                throw Refusal("there is a tenant \(slug) already")
            }
            for host in hosts {
                if let owner = try await TenantQueries.owner(ofHost: host, on: connection) {
                    throw Refusal("\(host) is the host of \(owner)")
                }
            }
        }
    }

    /// Refuses a database that is there and was not left by a command that was cut off.
    func refuseIfSomebodys(_ database: Identifier, client: MariaDBClient) async throws {
        let isThere = try await client.withConnection(nil) { try await MigrationQueries.exists(database, on: $0) }
        guard isThere else { return }
        let mine = try await installation()
        let (isControl, owner, isUsed) = try await client.withConnection(database.name) { connection in
            (
                try await !TenantCountQueries.tables(["Tenant"], on: connection).isEmpty,
                try await Installation.find(on: connection), try await TenantCountQueries.isInUse(on: connection)
            )
        }
        guard !isControl else { throw ControlDatabaseTaken(name: database.name) }
        if let owner, owner != mine {
            throw Refusal(
                "there is a database \(database) of another installation (control database \(owner.control)); nothing was "
                    + "changed. Choose another name for the tenant")
        }
        guard !isUsed else {
            throw Refusal(
                "there is a database \(database) with data in it, and no tenant has it: export, rename or drop it first"
            )
        }
    }

    func add(
        _ slug: String, database: String, server: String?, hosts: [String], areas decisions: [String: Bool],
        isSuspended: Bool = false
    ) async throws {
        let epoch = try SecureRandom.bytes(16)
        let client = try clients.client(of: server)
        let oldest = try await client.withConnection(database) { try await MigrationQueries.oldestService(on: $0) }
        try await clients.client(of: nil).withTransaction(control) { connection in
            try await TenantQueries.insert(
                slug, database: database, server: server, epoch: epoch, areas: decisions, on: connection)
            try await TenantQueries.setOldestService(oldest, slug, on: connection)
            if isSuspended { try await TenantQueries.setSuspended(true, slug, on: connection) }
            for host in hosts { try await give(host, to: slug, on: connection) }
        }
    }

    func place(_ slug: String, database: String, server: String?, epoch: [UInt8]?) async throws {
        try await clients.client(of: nil).withTransaction(control) { connection in
            try await TenantQueries.place(slug, database: database, server: server, epoch: epoch, on: connection)
        }
    }

    /// A database's name for a tenant that no database has, `subtrackit_acme` or `subtrackit_acme_2`: no slug has a `_`.
    func freeName(for slug: String, client: MariaDBClient) async throws -> Identifier {
        let name = access.url.tenantDatabase(slug)
        for number in 1..<1_000 {
            let database = try Identifier(number == 1 ? name : "\(name)_\(number)")
            let isUsed = try await onControl { try await TenantQueries.isUsed(database: database.name, on: $0) }
            let isThere = try await client.withConnection(nil) { try await MigrationQueries.exists(database, on: $0) }
            if !isUsed, !isThere { return database }
        }
        throw Refusal("there are too many databases \(name)_…: drop those that are no longer used")
    }

    func export(_ row: TenantQueries.Row, to path: String) async throws -> Int {
        try await DatabaseGone.check(row, client: try clients.client(of: row.server))
        // It has people's data and the hashes of their passwords: for the operator alone.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Refusal("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let rows = try await TenantExport.write(
                tenant: row.slug, isSuspended: row.isSuspended, database: row.database, areas: row.areas,
                client: try clients.client(of: row.server), now: WallClock.system.now(),
                to: { try file.write(contentsOf: $0) })
            try file.synchronize()
            try file.close()
            return rows
        } catch {
            // A part of an export is none.
            unlink(path)
            throw error
        }
    }
}

/// Counts of a tenant's database.
enum TenantCountQueries {
    /// The tables of the connection's database among some names, in small letters, as a server may keep them.
    static func tables(_ names: [String], on connection: Connection) async throws -> Set<String> {
        Set(try await MigrationQueries.tables(names, on: connection).map { $0.lowercased() })
    }

    /// Whether a database has people in it, or is not a tenant's at all.
    static func isInUse(on connection: Connection) async throws -> Bool {
        let own = try await MigrationQueries.tables(["Migration", "User"], on: connection)
        guard own.contains("Migration") else {
            return try await connection.query(
                "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
            ).decode(Int64.self).first ?? 0 > 0
        }
        guard own.contains("User") else { return false }
        return try await !connection.query("SELECT 1 FROM `User` LIMIT 1").isEmpty
    }

    /// How many there are of what.
    static func counts(on connection: Connection) async throws -> TenantSummary.Counts {
        let row = try await connection.query(
            """
            SELECT (SELECT COUNT(*) FROM `User`), (SELECT COUNT(*) FROM Account),
                (SELECT COUNT(*) FROM Subscription WHERE Deleted_at IS NULL),
                (SELECT COUNT(*) FROM Plan WHERE Owner_ID IS NULL),
                (SELECT CAST(COALESCE(SUM(DATA_LENGTH + INDEX_LENGTH), 0) AS SIGNED) FROM information_schema.TABLES
                 WHERE TABLE_SCHEMA = DATABASE())
            """
        ).decode((Int64, Int64, Int64, Int64, Int64).self).first
        let (users, accounts, subscriptions, plans, bytes) = row ?? (0, 0, 0, 0, 0)
        return .init(users: users, accounts: accounts, subscriptions: subscriptions, plans: plans, bytes: bytes)
    }
}
