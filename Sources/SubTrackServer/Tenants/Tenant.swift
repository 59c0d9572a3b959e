import Logging
import MariaDB
import Passwords
import SubTrackAPI
import Synchronization

/// One customer of the deployment: a database of its own, and what the service remembers of it.
final class Tenant: Sendable {
    /// The name in paths and in the database's name.
    let slug: String
    /// The tenant's database.
    let database: String
    /// The server that its database is on, as the control database has it; nil: the control database's own.
    let server: String?
    /// Whether the operator has suspended it.
    let isSuspended: Bool
    /// Whether its database can be used.
    let opening: TenantOpening
    /// The client through which its database is reached.
    let client: MariaDBClient
    /// Where its counters stand.
    let counters: ScopeCounters
    /// The epoch of its data.
    let epoch: TenantEpoch
    /// The key of its cursors.
    let cursorKey: CursorKey
    /// How much a user may have.
    let limits: UserLimits
    /// The areas that are on.
    let areas: TenantAreas
    /// Whose write has a connection to the database.
    let turns: UserTurns
    /// Whose write in a shared scope has a connection to the database: its members' writes would hold one each, while they
    /// wait for its lock.
    let sharedTurns: RequestTurns<ScopeID>
    /// Whose read runs.
    let reads: UserTurns
    /// Of which network a request uses the database.
    let networks: NetworkTurns
    private let parts = TenantParts()
    /// Is told of commits.
    let commits: CommitSignal
    private let isRoot = Atomic(false)

    /// A tenant. Nothing is asked of its database before somebody uses it.
    init(
        slug: String, database: String, server: String? = nil, isSuspended: Bool, epoch: TenantEpoch,
        client: MariaDBClient, limits: UserLimits = UserLimits(), waits: RequestWaits = RequestWaits(),
        areas: TenantAreas = TenantAreas(.none, on: []),
        commits: CommitSignal = CommitSignal(),
        logger: Logger = Logger(label: "tenant", factory: { _ in SwiftLogNoOpLogHandler() }),
        onFound: @escaping @Sendable () -> Void = {}
    ) {
        self.server = server
        let opening = TenantOpening(
            slug: slug, database: database, server: server, areas: areas, client: client, logger: logger,
            onFound: onFound)
        self.areas = areas
        self.opening = opening
        // A backup may be older than its tables are to be.
        epoch.onChange { opening.lookAgain() }
        self.commits = commits
        self.epoch = epoch
        cursorKey = CursorKey(client: client, database: database)
        self.limits = limits
        turns = UserTurns(atOnce: { UserTurns.writes }, longestWait: waits.write)
        sharedTurns = RequestTurns(atOnce: { UserTurns.writes }, longestWait: waits.write)
        reads = UserTurns(atOnce: { UserTurns.reads }, longestWait: waits.read)
        networks = NetworkTurns(longestWait: waits.network) { client.maximumConnections }
        self.slug = slug
        self.database = database
        self.isSuspended = isSuspended
        self.client = client
        counters = ScopeCounters(client: client, database: database)
    }

    /// What an area keeps for this tenant.
    func part<Part: TenantPart>(_: Part.Type = Part.self) -> Part { parts.part(of: self) }

    /// Notes whether the public URL leads to this tenant by its host alone.
    func noteRoot(_ isRoot: Bool) { self.isRoot.store(isRoot, ordering: .relaxed) }

    /// The path of this tenant behind the public URL, for links: `/t/acme`, or nothing where the host is enough.
    var publicPath: String { isRoot.load(ordering: .relaxed) ? "" : "/t/\(slug)" }

    /// Reads from the tenant's database.
    func read<Result>(_ body: (Connection) async throws -> Result) async throws -> Result {
        try await networks.run { try await client.withConnection(database, body) }
    }
}
