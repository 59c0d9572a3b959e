import Foundation
import Logging
import MariaDB
import Passwords
import SubTrackSQL
import Synchronization

/// Brings the control database and all tenants' to the state that this service needs.
public struct Preparation: Sendable {
    let access: DatabaseAccess
    let logger: Logger
    /// How long it takes until all running services have read what the control database says of a tenant, and have
    /// answered what they had begun: they read it every five seconds, and go on with it for five more while they read.
    var settle: Duration
    /// Whether triggers and views are compared with what was applied, and those that are missing or were changed by hand are
    /// made again. It takes some milliseconds for each tenant, which services that start leave out.
    public var mendsDefinitions = false
    /// Whether the service's own client of a server cannot reach it, and has logged that. nil: the server of the control database.
    /// Then this logs nothing of it. Nobody else logs for an operator's command.
    var isLogged: @Sendable (_ server: String?) async -> Bool = { _ in false }
    /// Whether the service looks at tenants whose database is gone, and logs them. Then this logs nothing of them.
    var leavesGone = false
    /// Is asked before each statement, so that a test can stop at any of them.
    var beforeStatement: @Sendable (String) async throws -> Void = { _ in }
    /// The faults of tenants that the log has said. The service tries again every half minute, which it need not say each time.
    private let faults = TenantFaults()

    /// The preparation of what is on a database server.
    public init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
        settle = access.settings.tenantReadingInterval * 2 + .seconds(2)
    }

    /// What was done to a tenant.
    public struct Outcome: Sendable {
        /// The tenant.
        public let slug: String
        /// The files that were applied.
        public let applied: [String]
        /// Why it could not be done, if it could not.
        public let failure: String?
        /// Whether its database is gone.
        var isGone = false
    }

    /// Migrates everything, one replica at a time.
    /// - Parameters:
    ///   - defaultTenant: the tenant to make when there is none yet; nil: none is made.
    ///   - onControl: is called when the control database is ready; tenants come after it.
    /// - Returns: what was done to each tenant; the failure of one does not stop the others.
    /// - Throws: when the control database cannot be reached or migrated.
    @discardableResult
    public func run(
        defaultTenant: DefaultTenant?, onControl: @Sendable () -> Void = {}
    ) async throws -> [Outcome] {
        let clients = MigratorClients(access: access, logger: logger)
        do {
            let outcomes = try await run(defaultTenant: defaultTenant, clients: clients, onControl: onControl)
            await clients.shutdown()
            return outcomes
        } catch {
            await clients.shutdown()
            throw error
        }
    }

    /// Migrates the control database alone.
    public func prepareControl() async throws {
        let clients = MigratorClients(access: access, logger: logger)
        do {
            let client = try clients.client(of: nil)
            try await ServerUnusable.check(client)
            try await migrateControl(client)
            await clients.shutdown()
        } catch {
            await clients.shutdown()
            throw error
        }
    }

    /// A tenant that is made where there is none.
    public struct DefaultTenant: Sendable {
        /// Whether it gets the demo catalogue.
        public let hasDemoCatalogue: Bool

        /// A tenant with or without the demo catalogue.
        public init(hasDemoCatalogue: Bool) { self.hasDemoCatalogue = hasDemoCatalogue }
    }

    private func run(
        defaultTenant: DefaultTenant?, clients: MigratorClients, onControl: @Sendable () -> Void
    ) async throws -> [Outcome] {
        let control = access.url.controlDatabase
        let client = try clients.client(of: nil)
        try await ServerUnusable.check(client)
        try await RightsCheck.checkService(
            [control, access.url.tenantDatabase("default")], access: access, logger: logger)
        try await migrateControl(client)
        onControl()
        let lease = try Lease(client: client, database: control, name: "migrate")
        return try await lease.hold(
            waiting: { logger.notice("Another replica is migrating; waiting for it.") },
            {
                try await self.addDefaultTenant(defaultTenant, client: client)
                return try await self.migrateTenants(clients, demo: defaultTenant?.hasDemoCatalogue ?? false)
            })
    }

    /// Migrates the control database: first what leases need, which can be made by several at once, and then the rest by
    /// one at a time.
    private func migrateControl(_ client: MariaDBClient) async throws {
        let database = try Identifier(access.url.controlDatabase)
        let migrator = Migrator(client: client, logger: logger)
        let isComplete = try await client.withConnection(nil) { connection in
            guard try await MigrationQueries.exists(database, on: connection) else { return false }
            return try await client.withConnection(database.name) { connection in
                let tables = try await TenantCountQueries.tables(["Tenant", "Subscription"], on: connection)
                guard tables != ["subscription"] else { throw TenantsDatabase(name: database.name) }
                guard try await !MigrationQueries.tables(["Migration"], on: connection).isEmpty else { return false }
                try await MigrationQueries.makeTable(on: connection)
                return MigrationPlan.control.isComplete(try await MigrationQueries.applied(on: connection))
            }
        }
        if !isComplete {
            // A tenant's as well: what can be made by half is not begun.
            try await client.withConnection(nil) {
                try await RightsCheck.check([database.name, access.url.tenantDatabase("default")], on: $0)
            }
            try await migrator.migrate(database, to: MigrationPlan.control.beginning)
            let lease = try Lease(client: client, database: database.name, name: "migrate-control")
            try await lease.hold(waiting: {}) { _ = try await migrator.migrate(database, to: .control) }
        }
        let oldest = try await client.withConnection(database.name) { connection in
            _ = try await Installation.ensure(control: database.name, on: connection)
            return try await MigrationQueries.oldestService(on: connection)
        }
        if let oldest, oldest > .current { throw DatabaseTooNew(database: database.name, oldest: oldest) }
    }

    private func addDefaultTenant(_ tenant: DefaultTenant?, client: MariaDBClient) async throws {
        guard tenant != nil else { return }
        let epoch = try SecureRandom.bytes(16)
        let database = access.url.tenantDatabase("default")
        try await client.withConnection(access.url.controlDatabase) { connection in
            _ = try await connection.execute(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at)
                SELECT 'default', \(database), \(epoch), UTC_TIMESTAMP() FROM (SELECT COUNT(*) AS n FROM Tenant) t
                WHERE t.n = 0
                """)
        }
    }

    private func migrateTenants(_ clients: MigratorClients, demo: Bool) async throws -> [Outcome] {
        let control = try clients.client(of: nil)
        let tenants = try await control.withConnection(access.url.controlDatabase) { connection in
            try await TenantQueries.all(on: connection)
        }
        var outcomes: [Outcome] = []
        var unusable: [String: any Error] = [:]
        for server in Set(tenants.compactMap(\.server)) {
            do {
                try await ServerUnusable.check(try clients.client(of: server))
            } catch let error where !(error is CancellationError) {
                unusable[server] = error
            }
        }
        await sayUnusable(unusable, tenants)
        for tenant in tenants {
            if let error = tenant.server.flatMap({ unusable[$0] }) {
                outcomes.append(Outcome(slug: tenant.slug, applied: [], failure: "\(error)"))
                continue
            }
            if tenant.isClosed {
                say("it is closed", of: tenant.slug, level: .warning)
                outcomes.append(Outcome(slug: tenant.slug, applied: [], failure: Self.closed(tenant.slug)))
                continue
            }
            do {
                let applied = try await migrate(tenant, clients, demo: demo && tenant.slug == "default")
                if !applied.isEmpty {
                    logger.notice("Migrated", metadata: ["tenant": "\(tenant.slug)", "files": "\(applied.count)"])
                }
                faults.end(of: tenant.slug)
                outcomes.append(Outcome(slug: tenant.slug, applied: applied, failure: nil))
            } catch let error where tenant.server == nil && Self.isOfServer(error) {
                throw error
            } catch let error where !(error is CancellationError) {
                // Nobody uses a suspended tenant, and so nobody else says it.
                let isLeft = leavesGone && error is DatabaseGone && !tenant.isSuspended
                if !isLeft { say("\(error)", of: tenant.slug) }
                let advice = RightsAdvice.of(error).map { "; \($0)" } ?? ""
                outcomes.append(
                    Outcome(
                        slug: tenant.slug, applied: [], failure: "\(error)\(advice)", isGone: error is DatabaseGone))
            }
        }
        return outcomes
    }

    /// Logs servers that cannot be used, one line for each, at growing intervals.
    private func sayUnusable(_ unusable: [String: any Error], _ tenants: [TenantQueries.Row]) async {
        for server in Set(tenants.compactMap(\.server)) where unusable[server] == nil { faults.end(of: server) }
        for (server, error) in unusable.sorted(by: { $0.key < $1.key }) {
            guard await !isLogged(server), faults.isToBeSaid("\(error)", of: server) else { continue }
            let count = tenants.count { $0.server == server }
            logger.error(
                "Tenants of a server are not migrated",
                metadata: ["server": "\(server)", "tenants": "\(count)", "error": "\(error)"])
        }
    }

    /// Logs why a tenant is not migrated, at growing intervals.
    private func say(_ reason: String, of slug: String, level: Logger.Level = .error) {
        guard faults.isToBeSaid(reason, of: slug) else { return }
        logger.log(level: level, "Not migrated", metadata: ["tenant": "\(slug)", "error": "\(reason)"])
    }

    /// What is said of a tenant that is closed.
    static func closed(_ slug: String) -> String {
        "it is closed for work on its data; when nobody works on it any more: subtrackd tenant resume \(slug)"
    }

    /// Whether what went wrong is the server's, and no other tenant on it would fare better. A lock that was not had, a
    /// deadlock, a statement that took too long, a database that may not be used are one tenant's alone.
    static func isOfServer(_ error: any Error) -> Bool {
        switch error {
        case let failure as MigrationFailure: isOfServer(failure.error)
        case let error as MariaDBError:
            (error.isTransient || error.kind == .refused)
                && ![1205, 1213, 1020, 1969, 3024, 3572, 1044, 1049].contains(error.code)
        default: false
        }
    }

    /// Brings a tenant's database to the version of this service. One that was never complete is made, as after a first start that was
    /// cut off.
    /// - Returns: the files that were applied.
    /// - Throws: ``DatabaseGone`` for one that was complete and is missing; the database's errors.
    func migrate(_ tenant: TenantQueries.Row, _ clients: MigratorClients, demo: Bool = false) async throws -> [String] {
        let (control, controlDatabase) = (try clients.client(of: nil), access.url.controlDatabase)
        let client = try clients.client(of: tenant.server)
        let database = try Identifier(tenant.database)
        let installation = try await control.withConnection(controlDatabase) {
            try await Installation.ensure(control: controlDatabase, on: $0)
        }
        try await DatabaseGone.check(tenant, client: client)
        if try await client.withConnection(nil, { try await MigrationQueries.exists(database, on: $0) }) {
            try await client.withConnection(database.name) { connection in
                let tables = try await TenantCountQueries.tables(["Tenant"], on: connection)
                guard tables.isEmpty else { throw ControlDatabaseTaken(name: database.name) }
            }
        }
        var migrator = Migrator(client: client, logger: logger)
        migrator.mendsDefinitions = mendsDefinitions
        migrator.beforeStatement = beforeStatement
        let settle = settle
        migrator.onRaised = { version in
            try await control.withConnection(controlDatabase) { connection in
                try await TenantQueries.setOldestService(version, tenant.slug, on: connection)
            }
            // Until running services that are too old have read it, and have done what they were at.
            try await Task.sleep(for: settle)
        }
        var applied = try await migrator.migrate(database, to: access.settings.areas.plan(for: tenant))
        if !tenant.isMade {
            try await control.withConnection(controlDatabase) { try await TenantQueries.setMade(tenant.slug, on: $0) }
        }
        if demo { applied += try await migrator.load(MigrationPlan.demo, into: database) }
        let oldest = try await client.withConnection(database.name) { connection in
            try await CursorKey.ensure(on: connection)
            let owner = try await installation.note(isTaking: false, on: connection)
            if owner != installation {
                logger.warning(
                    "The data are noted as another installation's: subtrackd doctor says more",
                    metadata: ["tenant": "\(tenant.slug)", "control": "\(owner.control)"])
            }
            return try await MigrationQueries.oldestService(on: connection)
        }
        if oldest?.description != tenant.oldestService {
            try await control.withConnection(controlDatabase) { connection in
                try await TenantQueries.setOldestService(oldest, tenant.slug, on: connection)
            }
        }
        return applied
    }
}

/// The faults of tenants, as the log has said them.
private final class TenantFaults: Sendable {
    private let faults = Mutex<[String: LastingFault]>([:])

    func isToBeSaid(_ reason: String, of slug: String) -> Bool {
        faults.withLock { $0[slug, default: LastingFault()].isToBeSaid(reason, at: .now) }
    }

    func end(of slug: String) { faults.withLock { $0[slug] = nil } }
}

/// A control database that is a tenant's: `subtrackit_acme`, where another installation is called `subtrackit`.
struct TenantsDatabase: Error, CustomStringConvertible {
    let name: String

    var description: String {
        "the database \(name) is a tenant's of another installation; nothing was changed. Give --database-url another name "
            + "at its end"
    }
}

/// A tenant's database that is a control database: `subtrackit_staging`, where another installation is called so.
struct ControlDatabaseTaken: Error, CustomStringConvertible {
    let name: String

    var description: String {
        "the database \(name) is the control database of another installation; nothing was changed. Choose another name for "
            + "the tenant"
    }
}

/// The clients with which the databases of several servers are changed, made when they are needed.
final class MigratorClients: Sendable {
    private let access: DatabaseAccess
    private let logger: Logger
    private let clients = Mutex<[String?: MariaDBClient]>([:])

    init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
    }

    /// The client of a server; nil: that of the control database.
    /// - Throws: ``SettingsError``.
    func client(of server: String?) throws -> MariaDBClient {
        try clients.withLock { clients in
            if let known = clients[server] { return known }
            let client = try access.migratorClient(logger: logger, server: server)
            clients[server] = client
            return client
        }
    }

    /// Closes their connections.
    func shutdown() async {
        for client in clients.withLock({ Array($0.values) }) { await client.shutdown() }
    }
}
