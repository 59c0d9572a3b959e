import Foundation
import Logging
import MariaDB
import Passwords
import SubTrackAPI

/// What an operator does with tenants. Databases are made and changed by the migrator's account.
public struct TenantAdministration: Sendable {
    let access: DatabaseAccess
    let logger: Logger
    let clients: MigratorClients
    var control: String { access.url.controlDatabase }
    /// How long it takes until all running services know what the control database says, and are done with what they had
    /// begun.
    var settle: Duration
    /// Is asked before each statement of a migration, so that a test can stop at any of them.
    var beforeStatement: @Sendable (String) async throws -> Void = { _ in }

    /// The tenants of a deployment whose control database is prepared.
    public init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
        clients = MigratorClients(access: access, logger: logger)
        settle = Preparation(access: access, logger: logger).settle
    }

    /// Closes all connections.
    public func shutdown() async { await clients.shutdown() }

    /// Why something cannot be done with a tenant.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

    // MARK: Names

    /// Looks whether a file is there that may be an export.
    /// - Throws: ``TenantFileFault``.
    public static func checkExport(_ path: String) throws { _ = try LineReader(path: path) }

    /// Gives host names to a tenant and takes some away.
    public func setHosts(_ slug: String, adding: [String], removing: [String]) async throws {
        _ = try await find(slug)
        let (adding, removing) = (
            try adding.map(TenantName.checked(host:)), try removing.map(TenantName.checked(host:))
        )
        // All of it or nothing.
        try await clients.client(of: nil).withTransaction(control) { connection in
            for host in removing { try await TenantQueries.delete(host: host, of: slug, on: connection) }
            for host in adding { try await give(host, to: slug, on: connection) }
        }
    }

    /// A client of a server to which a tenant is to come, where nobody else's databases are in its way.
    /// - Throws: ``ServerUnusable``; ``OnServer``; ``Refusal``. Nothing was written there.
    private func usableClient(of server: String?) async throws -> MariaDBClient {
        try await OnServer.naming(server) {
            try await refuseOthersPrefix(on: server)
            let client = try clients.client(of: server)
            try await ServerUnusable.check(client)
            return client
        }
    }

    /// Looks whether the migrator may make a database on a server and change it.
    /// - Throws: ``OnServer`` before anything is written there.
    private func checkRights(_ database: Identifier, on server: String?, _ client: MariaDBClient) async throws {
        try await OnServer.naming(server) {
            try await client.withConnection(nil) { try await RightsCheck.check([database.name], on: $0) }
        }
    }

    // MARK: Life

    /// Makes a tenant: a database of its own, and then the row by which services find it, within seconds.
    /// - Parameters:
    ///   - hosts: host names by which it is addressed as well.
    ///   - server: where its database is made, `mysql://user@host:3306`; nil: beside the control database.
    ///   - areas: the areas that it has beside those of every tenant; nil: those that the service gives.
    ///   - hasDemoCatalogue: whether it gets the demo catalogue.
    public func create(
        _ slug: String, hosts: [String] = [], server: String? = nil, areas wanted: [String]? = nil,
        hasDemoCatalogue: Bool = false
    ) async throws {
        let decisions = try wanted.map(areas.decisions(having:)) ?? [:]
        let slug = try TenantName.checked(slug: slug)
        let hosts = try hosts.map(TenantName.checked(host:))
        let server = try canonical(server)
        try await working(on: slug) {
            try await refuseIfThere(slug, hosts: hosts)
            let database = try Identifier(access.url.tenantDatabase(slug))
            let client = try await usableClient(of: server)
            try await refuseIfSomebodys(database, client: client)
            let migrator = Migrator(client: client, logger: logger)
            _ = try await OnServer.naming(server) {
                try await migrator.migrate(database, to: areas.plan(for: areas.on(decisions)))
            }
            if hasDemoCatalogue {
                _ = try await migrator.load(MigrationPlan.demo, into: database)
            } else {
                try await migrator.skip(MigrationPlan.demo, in: database)
            }
            try await noteAsOwn(database, client: client)
            try await client.withConnection(database.name) { try await CursorKey.ensure(on: $0) }
            try await add(slug, database: database.name, server: server, hosts: hosts, areas: decisions)
        }
    }

    /// Suspends a tenant, whose people then get 403, or lets it go on. One that a command left closed which was killed is
    /// opened as well, and migrated, for migrations leave out what is closed.
    public func setSuspended(_ isSuspended: Bool, _ slug: String) async throws {
        let row = try await find(slug)
        try await onControl { try await TenantQueries.setSuspended(isSuspended, slug, on: $0) }
        guard row.isClosed, !isSuspended else { return }
        try await working(on: slug) {
            // Looked at again: whoever worked on it may have put it elsewhere.
            let row = try await find(slug)
            guard row.isClosed else { return }
            try await reopen(row)
            _ = try await Preparation(access: access, logger: logger).migrate(row, clients)
        }
    }

    /// Brings a tenant's database, which was restored by other means, to what this service needs, and has a new epoch begin:
    /// all clients ask for everything anew, and services look at the database again. Triggers and views that are
    /// missing, as where a dump was loaded in part, or were changed by hand are made again.
    /// - Returns: the files that were applied.
    @discardableResult
    public func restored(_ slug: String) async throws -> [String] {
        try await working(on: slug) {
            let row = try await find(slug)
            try await refuseIfAnothers(row)
            var preparation = Preparation(access: access, logger: logger)
            preparation.mendsDefinitions = true
            let applied = try await preparation.migrate(row, clients)
            // A dump of another installation's: the data are this one's from now on.
            try await noteAsOwn(try Identifier(row.database), client: try clients.client(of: row.server))
            try await beginAnew(row.database, areas: row.areas, client: try clients.client(of: row.server))
            let epoch = TenantEpoch(
                slug: slug, controlDatabase: control, client: try clients.client(of: nil), value: row.epoch)
            try await epoch.renew(insteadOf: nil)
            return applied
        }
    }

    /// Has areas begin anew in a database that was put back.
    private func beginAnew(_ database: String, areas decisions: [String: Bool], client: MariaDBClient) async throws {
        let statements = areas.areas(in: areas.on(decisions)).flatMap(\.restored.statements)
        guard !statements.isEmpty else { return }
        try await client.withConnection(database) { connection in
            for statement in statements { _ = try await connection.execute(SQL(unsafeText: statement)) }
        }
    }

    /// Removes a tenant: closes it, waits until nobody works on it, writes an export, and removes database and rows.
    /// - Returns: how many rows the export has; nil where no export was written, for nothing was left of the database.
    @discardableResult
    public func drop(_ slug: String, exportingTo path: String) async throws -> Int? {
        try await working(on: slug) {
            let row = try await find(slug)
            let isLost = try await isLost(row)
            let rows = try await whileClosed(row, mustBeThere: !isLost) {
                let rows = try await isLost ? nil : export(row, to: path)
                try await onControl { try await TenantQueries.delete(slug, on: $0) }
                return rows
            }
            let database = try Identifier(row.database)
            // Shielded: no row leads to it any more.
            try await Task {
                try await clients.client(of: row.server).withConnection(nil) {
                    try await DatabaseRemoval.drop(database, on: $0)
                }
            }.value
            return rows
        }
    }

    // MARK: Files

    /// The outcome of an import.
    public struct Imported: Sendable {
        /// The number of rows that were read.
        public let rows: Int
        /// The database that is no longer used, if there is one.
        public let unused: String?
        /// Whether the tenant is suspended afterwards.
        public let isSuspended: Bool
    }

    /// Writes all that a tenant has into a file, as it is at one moment, while it goes on.
    /// - Returns: how many rows it has.
    public func export(_ slug: String, to path: String) async throws -> Int {
        try await export(try await find(slug), to: path)
    }

    /// Makes a tenant of an export, or puts an export in place of what a tenant has.
    ///
    /// The rows are read into a database of their own first: the tenant goes on meanwhile. Then it is closed for some seconds,
    /// until all services know, so that nobody is told that something was kept which was not; and has the others after
    /// that, in a new epoch.
    /// - Parameters:
    ///   - isReplacing: whether a tenant that is there gets these data.
    ///   - server: where; nil: where the tenant is, else beside the control database.
    ///   - isActive: whether a tenant that is made is active although the exported one was suspended.
    public func `import`(
        _ slug: String, from path: String, isReplacing: Bool, hosts: [String] = [], server: String? = nil,
        isActive: Bool = false
    ) async throws -> Imported {
        let slug = try TenantName.checked(slug: slug)
        let hosts = try hosts.map(TenantName.checked(host:))
        return try await working(on: slug) {
            var lines = try LineReader(path: path)
            let old = try await onControl { try await TenantQueries.find(slug, on: $0) }
            if isReplacing, old == nil { throw Refusal("there is no tenant \(slug)") }
            if !isReplacing { try await refuseIfThere(slug, hosts: hosts) }
            let server = try canonical(server) ?? old?.server
            let client = try await usableClient(of: server)
            let database = try await freeName(for: slug, client: client)
            try await checkRights(database, on: server, client)
            let loaded = try await TenantImport.load(
                &lines, of: slug, into: database, areas: areas, decisions: old?.areas, client: client, logger: logger)
            do {
                try await noteAsOwn(database, client: client)
                try await beginAnew(database.name, areas: loaded.decisions, client: client)
                guard let old else {
                    let isSuspended = loaded.isSuspended && !isActive
                    try await add(
                        slug, database: database.name, server: server, hosts: hosts, areas: loaded.decisions,
                        isSuspended: isSuspended)
                    return Imported(rows: loaded.rows, unused: nil, isSuspended: isSuspended)
                }
                let epoch = try SecureRandom.bytes(16)
                // What is lost already, and is to come back by this, cannot be fenced.
                try await whileClosed(old, mustBeThere: false) {
                    try await place(slug, database: database.name, server: server, epoch: epoch)
                }
                // A database that is gone is not left behind. Of a server that is away nothing is known.
                let unused = (try? await rest(of: old)) == .nothing ? nil : old.database
                return Imported(rows: loaded.rows, unused: unused, isSuspended: old.isSuspended)
            } catch {
                await remove(database, client: client)
                throw error
            }
        }
    }

    /// Takes a tenant's data to another server. The tenant answers 503 meanwhile; nothing is lost, and no client notices
    /// more than that. The database that is left behind is no longer used.
    /// - Parameter server: `mysql://user@host:3306`; nil: beside the control database.
    /// - Returns: how many rows were taken along, and the database that is no longer used.
    public func move(_ slug: String, to server: String?) async throws -> (rows: Int, unused: String) {
        let server = try canonical(server)
        return try await working(on: slug) {
            let row = try await find(slug)
            guard row.server != server else { throw Refusal("\(slug) is there already") }
            try await DatabaseGone.check(row, client: try clients.client(of: row.server))
            let client = try await usableClient(of: server)
            let database = try await freeName(for: slug, client: client)
            try await checkRights(database, on: server, client)
            let folder = FileManager.default.temporaryDirectory.appending(path: "subtrackit-move-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let rows = try await whileClosed(row) {
                _ = try await export(row, to: folder.path)
                var lines = try LineReader(path: folder.path)
                let rows = try await TenantImport.load(
                    &lines, of: slug, into: database, areas: areas, decisions: row.areas, client: client,
                    logger: logger
                ).rows
                do {
                    try await noteAsOwn(database, client: client)
                    try await place(slug, database: database.name, server: server, epoch: nil)
                } catch {
                    await remove(database, client: client)
                    throw error
                }
                return rows
            }
            return (rows, row.database)
        }
    }
}
