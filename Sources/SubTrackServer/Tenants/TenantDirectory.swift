import Logging
import MariaDB
import SubTrackAPI
import Synchronization

/// Finds tenants by slug and host, as the control database has them.
///
/// The control database is read by one request at a time, whatever their number: so there is one ``Tenant`` for each.
/// A request for a tenant that the last reading lacks waits for a new one. Readings for unknown names begin at least
/// ``pause`` apart: a flood of made-up names costs the control database a few statements a second.
final class TenantDirectory: Sendable {
    /// What one reading said. It is never changed.
    private final class Snapshot: Sendable {
        let bySlug: [String: Tenant]
        let hosts: HostTable
        /// Tenants that cannot even be tried: the URL or the password of their server cannot be used.
        let unusable: Set<String>
        /// The state of each tenant in the control database.
        let statuses: [String: TenantSummary.Status]

        init(
            bySlug: [String: Tenant], hosts: HostTable, unusable: Set<String>,
            statuses: [String: TenantSummary.Status]
        ) {
            self.unusable = unusable
            self.bySlug = bySlug
            self.hosts = hosts
            self.statuses = statuses
        }

        /// The states of all tenants, with what this replica knows of their databases.
        var states: [TenantGauges.State] {
            statuses.map { slug, status in TenantGauges.State(status, bySlug[slug]?.opening) }
        }

        /// Whether a tenant has that name.
        func knows(_ slug: String) -> Bool { bySlug[slug] != nil || unusable.contains(slug) }
    }

    private struct State {
        var snapshot: Snapshot?
        var readAt = ContinuousClock.now
        /// When the last reading began, also one that failed.
        var begunAt: ContinuousClock.Instant?
        /// Whether the last reading failed, so that the snapshot is older than it.
        var hasFailed = false
        /// The reading that is under way, if one is.
        var reading: Task<Snapshot, any Error>?
        /// Hosts that a reading was made for and that are no tenant's.
        var strangers: Set<String> = []
    }

    private enum Step {
        case use(Snapshot)
        case await(Task<Snapshot, any Error>)
        case sleep(Duration)
    }

    /// The least time between two readings that unknown names cause.
    static let pause = Duration.milliseconds(250)
    /// How many hosts of nobody are remembered. Beyond them the set begins anew.
    private static let rememberedStrangers = 1_000

    private let client: MariaDBClient
    private let servers: DatabaseServers
    private let controlDatabase: String
    private let logger: Logger
    private let limits: UserLimits
    private let waits: RequestWaits
    private let areas: AreaList
    private let commits: CommitSignal
    private let maximumAge: Duration
    private let defaultTenant: String?
    private let publicHost: String
    private let gauges = TenantGauges()
    private let state = Mutex(State())
    /// The reason for which the control database cannot be read.
    private let fault = Mutex(LastingFault())

    /// A directory on a control database.
    /// - Parameters:
    ///   - client: reaches the control database.
    ///   - servers: the servers that tenants are on; nil: that of the control database alone.
    ///   - limits: how much a user may have.
    ///   - waits: how long a request waits for things that others hold.
    ///   - areas: the areas of the service.
    ///   - commits: is told of what this process commits.
    ///   - maximumAge: how long a reading is used: a new tenant is seen within this time.
    ///   - defaultTenant: the tenant of hosts of nobody; nil: `default` while no tenant has a host, then none.
    ///   - publicHost: the host of links in mails; nil: one of nobody.
    init(
        client: MariaDBClient, servers: DatabaseServers? = nil, controlDatabase: String, logger: Logger,
        limits: UserLimits = UserLimits(), waits: RequestWaits = RequestWaits(), areas: AreaList = .none,
        commits: CommitSignal = CommitSignal(),
        maximumAge: Duration = .seconds(5), defaultTenant: String? = nil, publicHost: String? = nil
    ) {
        self.limits = limits
        self.waits = waits
        self.areas = areas
        self.commits = commits
        self.client = client
        self.servers = servers ?? DatabaseServers(main: client)
        self.controlDatabase = controlDatabase
        self.logger = logger
        self.maximumAge = maximumAge
        self.defaultTenant = defaultTenant
        self.publicHost = publicHost.map(HostTable.host(of:)) ?? ""
    }

    /// The tenant of a request.
    /// - Parameters:
    ///   - slug: the tenant that the path names, if it does.
    ///   - host: the request's authority, with or without port; nil: the request names none, as on a plain socket.
    /// - Throws: `tenant_unknown`, `tenant_suspended`, or `unavailable` for one whose server the operator has not told of.
    func tenant(slug: String?, host: String?) async throws -> Tenant {
        var current = try await current()
        let name: String?
        if let slug {
            name = slug
            if !current.knows(slug), (try? TenantName.checked(slug: slug)) != nil {
                current = try await fresh()
            }
        } else if let host, !current.hosts.isTrivial {
            let host = HostTable.host(of: host)
            if !current.hosts.knows(host), isNewStranger(host) {
                current = try await fresh()
                noteIfStranger(host, current)
            }
            name = current.hosts.slug(of: host)
        } else {
            name = current.hosts.withoutHost
        }
        guard let name, let found = current.bySlug[name] else {
            let isUnusable = name.map { current.unusable.contains($0) } ?? false
            guard isUnusable || state.withLock({ $0.hasFailed }) else {
                throw Problem(
                    .tenantUnknown, name == nil ? "No tenant has this host." : "There is no such tenant here.")
            }
            throw Problem(.unavailable, "The data of this tenant cannot be reached at the moment; try again later.")
        }
        guard !found.isSuspended else { throw Problem(.tenantSuspended, "The operator has suspended this tenant.") }
        return found
    }

    private func isNewStranger(_ host: String) -> Bool { state.withLock { !$0.strangers.contains(host) } }

    private func noteIfStranger(_ host: String, _ snapshot: Snapshot) {
        guard !snapshot.hosts.knows(host) else { return }
        state.withLock { state in
            if state.strangers.count >= Self.rememberedStrangers { state.strangers.removeAll() }
            state.strangers.insert(host)
        }
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
            return .await(reading(&state))
        }
        switch step {
        case .use(let snapshot): return snapshot
        case .await(let reading): return try await reading.value
        case .sleep: return try await fresh()
        }
    }

    /// What the control database says from now on: the result of a reading that begins after this is called. Where that
    /// reading fails, what was known before.
    private func fresh() async throws -> Snapshot {
        let asked = ContinuousClock.now
        while true {
            let step: Step = state.withLock { state in
                if let snapshot = state.snapshot, let begun = state.begunAt, begun >= asked, state.reading == nil {
                    return .use(snapshot)
                }
                if let reading = state.reading { return .await(reading) }
                let wait = state.begunAt.map { $0 + Self.pause - ContinuousClock.now } ?? .zero
                return wait > .zero ? .sleep(wait) : .await(reading(&state))
            }
            switch step {
            case .use(let snapshot): return snapshot
            // It may have begun before this request came: then the next one says.
            case .await(let reading): _ = try await reading.value
            case .sleep(let duration): try await Task.sleep(for: duration)
            }
        }
    }

    /// The reading that is under way, or a new one.
    private func reading(_ state: inout State) -> Task<Snapshot, any Error> {
        if let reading = state.reading { return reading }
        let known = state.snapshot
        state.begunAt = .now
        // Not the request's own task: that it is cancelled must not fail those who wait for the same reading.
        let reading = Task(executorPreference: client.configuration.loops.here.loop.taskExecutor) {
            try await self.refresh(known)
        }
        state.reading = reading
        return reading
    }

    /// Reads the control database and notes what it says.
    private func refresh(_ known: Snapshot?) async throws -> Snapshot {
        do {
            let snapshot = try await read(known)
            note(snapshot, hasFailed: false)
            if let away = fault.withLock({ $0.end(at: .now) }) {
                logger.notice("The control database can be read again", metadata: ["away": "\(away.secondsText)"])
            }
            return snapshot
        } catch {
            // While the control database is away, what was known goes on; the tenant's own database will say more.
            note(known, hasFailed: true)
            guard let known else { throw error }
            // Of a server that is away the pool of connections says so, and when it is back.
            if (error as? MariaDBError)?.isReported != true,
                fault.withLock({ $0.isToBeSaid("\(error)", at: .now) })
            {
                logger.warning("The control database cannot be read", metadata: ["error": "\(error)"])
            }
            return known
        }
    }

    private func note(_ snapshot: Snapshot?, hasFailed: Bool) {
        state.withLock { state in
            state.snapshot = snapshot
            state.readAt = .now
            state.hasFailed = hasFailed
            state.reading = nil
        }
        recordStates()
    }

    /// Brings the metric of tenants up to date.
    private func recordStates() {
        if let snapshot = state.withLock({ $0.snapshot }) { gauges.record(snapshot.states) }
    }

    private func read(_ known: Snapshot?) async throws -> Snapshot {
        let (tenants, names) = try await client.withConnection(controlDatabase) { connection in
            (
                try await TenantQueries.all(on: connection),
                try await TenantQueries.allHosts(on: connection)
            )
        }
        var bySlug: [String: Tenant] = [:]
        var unusable: Set<String> = []
        var counts: [String?: Int] = [:]
        for row in tenants {
            counts[row.server, default: 0] += 1
            let on = areas.on(row.areas)
            // The same tenant keeps what is remembered of it.
            if let old = known?.bySlug[row.slug], old.database == row.database, old.server == row.server,
                old.isSuspended == row.isSuspended
            {
                bySlug[row.slug] = old
                // Whether its database has the tables of an area that is new is looked at before it is used.
                if !old.areas.note(on).isEmpty { old.opening.lookAgain() }
                old.epoch.note(row.epoch)
            } else {
                do {
                    bySlug[row.slug] = Tenant(
                        slug: row.slug, database: row.database, server: row.server, isSuspended: row.isSuspended,
                        epoch: TenantEpoch(
                            slug: row.slug, controlDatabase: controlDatabase, client: client, value: row.epoch),
                        client: try servers.client(of: row.server), limits: limits, waits: waits,
                        areas: TenantAreas(areas, on: on), commits: commits, logger: logger,
                        onFound: { [weak self] in self?.recordStates() })
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
            bySlug[row.slug]?.opening.note(
                isClosed: row.isClosed, oldestService: row.oldestService, isMade: row.isMade)
        }
        for (slug, old) in known?.bySlug ?? [:] where bySlug[slug] !== old { old.opening.end() }
        servers.share(tenants: counts)
        let hosts = HostTable(slugs: names.slugs, former: names.former, named: defaultTenant)
        let root = hosts.slug(of: publicHost)
        for (slug, tenant) in bySlug { tenant.noteRoot(slug == root) }
        let statuses = Dictionary(tenants.map { ($0.slug, $0.status) }, uniquingKeysWith: { first, _ in first })
        return Snapshot(bySlug: bySlug, hosts: hosts, unusable: unusable, statuses: statuses)
    }
}
