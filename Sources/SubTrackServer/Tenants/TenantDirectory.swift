import Logging
import MariaDB
import SubTrackAPI
import Synchronization

/// Finds tenants by slug and host, as the control database has them.
///
/// The control database is read by one request at a time, whatever their number: so there is one ``Tenant`` for each.
final class TenantDirectory: Sendable {
    /// What one reading said. It is never changed.
    private final class Snapshot: Sendable {
        let bySlug: [String: Tenant]
        let slugByHost: [String: String]
        /// Tenants that cannot even be tried: the URL or the password of their server cannot be used.
        let unusable: Set<String>

        init(bySlug: [String: Tenant], slugByHost: [String: String], unusable: Set<String>) {
            self.unusable = unusable
            self.bySlug = bySlug
            self.slugByHost = slugByHost
        }
    }

    private struct State {
        var snapshot: Snapshot?
        var readAt = ContinuousClock.now
        /// The reading that is under way, if one is.
        var reading: Task<Snapshot, any Error>?
    }

    private enum Step {
        case use(Snapshot)
        case await(Task<Snapshot, any Error>)
    }

    private let client: MariaDBClient
    private let servers: DatabaseServers
    private let controlDatabase: String
    private let logger: Logger
    private let limits: UserLimits
    private let commits: CommitSignal
    private let lists: RememberedLists
    private let maximumAge: Duration
    private let state = Mutex(State())

    /// A directory on a control database.
    /// - Parameters:
    ///   - client: reaches the control database.
    ///   - servers: the servers that tenants are on; nil: that of the control database alone.
    ///   - limits: how much a user may have.
    ///   - commits: is told of what this process commits.
    ///   - lists: remembers what was answered.
    ///   - maximumAge: how long a reading is used: a new tenant is seen within this time.
    init(
        client: MariaDBClient, servers: DatabaseServers? = nil, controlDatabase: String, logger: Logger,
        limits: UserLimits = UserLimits(),
        commits: CommitSignal = CommitSignal(), lists: RememberedLists = RememberedLists(bytes: 0),
        maximumAge: Duration = .seconds(5)
    ) {
        self.limits = limits
        self.commits = commits
        self.lists = lists
        self.client = client
        self.servers = servers ?? DatabaseServers(main: client)
        self.controlDatabase = controlDatabase
        self.logger = logger
        self.maximumAge = maximumAge
    }

    /// The tenant of a request.
    /// - Parameters:
    ///   - slug: the tenant that the path names, if it does.
    ///   - host: the request's authority, with or without port.
    /// - Throws: `tenant_unknown`, `tenant_suspended`, or `unavailable` for one whose server the operator has not told of.
    func tenant(slug: String?, host: String?) async throws -> Tenant {
        let current = try await current()
        let name: String
        if let slug {
            name = slug
        } else if current.slugByHost.isEmpty {
            name = "default"
        } else {
            let host = host.map { $0.prefix { $0 != ":" }.lowercased() } ?? ""
            name = current.slugByHost[host] ?? "default"
        }
        guard let found = current.bySlug[name] else {
            guard current.unusable.contains(name) else {
                throw Problem(.tenantUnknown, "There is no such tenant here.")
            }
            throw Problem(.unavailable, "The data of this tenant cannot be reached at the moment; try again later.")
        }
        guard !found.isSuspended else { throw Problem(.tenantSuspended, "The operator has suspended this tenant.") }
        return found
    }

    /// All tenants that are not suspended, by slug.
    func all() async throws -> [Tenant] {
        try await current().bySlug.values.filter { !$0.isSuspended }.sorted { $0.slug < $1.slug }
    }

    /// What is known, at most ``maximumAge`` old; while it is read anew by another request, at most twice as old.
    private func current() async throws -> Snapshot {
        let now = ContinuousClock.now
        let step: Step = state.withLock { state in
            if let snapshot = state.snapshot {
                let age = now - state.readAt
                if age < maximumAge || (state.reading != nil && age < maximumAge * 2) { return .use(snapshot) }
            }
            if let reading = state.reading { return .await(reading) }
            let known = state.snapshot
            // Not the request's own task: that it is cancelled must not fail those who wait for the same reading.
            let reading = Task(executorPreference: client.configuration.loops.here.loop.taskExecutor) {
                try await self.refresh(known)
            }
            state.reading = reading
            return .await(reading)
        }
        switch step {
        case .use(let snapshot): return snapshot
        case .await(let reading): return try await reading.value
        }
    }

    /// Reads the control database and notes what it says.
    private func refresh(_ known: Snapshot?) async throws -> Snapshot {
        do {
            let snapshot = try await read(known)
            note(snapshot)
            return snapshot
        } catch {
            // While the control database is away, what was known goes on; the tenant's own database will say more.
            note(known)
            guard let known else { throw error }
            logger.warning("The control database cannot be read", metadata: ["error": "\(error)"])
            return known
        }
    }

    private func note(_ snapshot: Snapshot?) {
        state.withLock { $0 = State(snapshot: snapshot) }
    }

    private func read(_ known: Snapshot?) async throws -> Snapshot {
        let (tenants, hosts) = try await client.withConnection(controlDatabase) { connection in
            (
                try await TenantQueries.all(on: connection),
                try await TenantQueries.hosts(on: connection)
            )
        }
        var bySlug: [String: Tenant] = [:]
        var unusable: Set<String> = []
        var counts: [String?: Int] = [:]
        for row in tenants {
            counts[row.server, default: 0] += 1
            // The same tenant keeps what is remembered of it.
            if let old = known?.bySlug[row.slug], old.database == row.database, old.server == row.server,
                old.isSuspended == row.isSuspended
            {
                bySlug[row.slug] = old
                old.epoch.note(row.epoch)
            } else {
                do {
                    bySlug[row.slug] = Tenant(
                        slug: row.slug, database: row.database, server: row.server, isSuspended: row.isSuspended,
                        epoch: TenantEpoch(
                            slug: row.slug, controlDatabase: controlDatabase, client: client, value: row.epoch),
                        client: try servers.client(of: row.server), limits: limits, commits: commits, lists: lists,
                        logger: logger)
                } catch {
                    // It cannot even be tried; the others can.
                    unusable.insert(row.slug)
                    if known?.unusable.contains(row.slug) != true {
                        logger.error(
                            "A tenant cannot be reached", metadata: ["tenant": "\(row.slug)", "error": "\(error)"])
                    }
                    continue
                }
            }
            bySlug[row.slug]?.opening.note(isClosed: row.isClosed, oldestService: row.oldestService)
        }
        for (slug, old) in known?.bySlug ?? [:] where bySlug[slug] !== old { old.opening.end() }
        servers.share(tenants: counts)
        var slugByHost: [String: String] = [:]
        for (host, slug) in hosts { slugByHost[host] = slug }
        return Snapshot(bySlug: bySlug, slugByHost: slugByHost, unusable: unusable)
    }
}
