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
    let turns = UserTurns.ofWrites()
    /// Whose read runs.
    let reads = UserTurns.ofReads()
    /// Of which network a request uses the database.
    let networks: NetworkTurns
    private let parts = TenantParts()
    private let commits: CommitSignal
    private let isRoot = Atomic(false)

    /// A tenant. Nothing is asked of its database before somebody uses it.
    init(
        slug: String, database: String, server: String? = nil, isSuspended: Bool, epoch: TenantEpoch,
        client: MariaDBClient, limits: UserLimits = UserLimits(), areas: TenantAreas = TenantAreas(.none, on: []),
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
        networks = NetworkTurns { client.maximumConnections }
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

    /// Changes the rows of one user, in a transaction that has the user's scope locked before anything is read, so that
    /// changes of one user come one after the other and cannot deadlock.
    /// - Throws: ``ScopeInUse`` when the scope was not had within two seconds; ``TurnMissed`` when the network's turn did not
    ///   come in time; the errors of `body`.
    func write<Result>(scope user: UserID, _ body: (Connection) async throws -> Result) async throws -> Result {
        let result = try await inTurn(of: user) { try await transaction(scope: user, body) }
        commits.note(tenant: slug, user: user)
        return result
    }

    /// Runs a write in its user's turn, and then in its network's. A write that waits in vain for its user's turn waits for
    /// the scope's lock, which others have.
    private func inTurn<Result>(of user: UserID, _ body: () async throws -> Result) async throws -> Result {
        // A renewal within a read has a turn of the network. A write with the user's turn may wait for that one: the renewal
        // waits for the lock in the database instead.
        if NetworkTurns.isHeld { return try await body() }
        var hasTurn = false
        do {
            return try await turns.run(user) {
                hasTurn = true
                return try await networks.run(body)
            }
        } catch is TurnMissed where !hasTurn {
            throw ScopeInUse()
        }
    }

    private func transaction<Result>(
        scope user: UserID, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            do {
                // The lock makes it wait for a deletion of the user that is under way, and read what it has written.
                let erased = try await connection.query(
                    """
                    SELECT e.User_ID IS NOT NULL FROM Scope s LEFT JOIN Erasure e ON e.User_ID = s.Scope_ID
                    WHERE s.Scope_ID = \(user.uuid) FOR UPDATE
                    """
                ).decode(Bool.self)
                guard !erased.contains(true) else { throw Self.userErased }
            } catch let error as MariaDBError where error.code == MariaDBError.lockWaitTimeout {
                // Not tried again, as other waits are: nothing was done yet, and the caller may as well come back.
                throw ScopeInUse()
            }
            return try await body(connection)
        }
    }

    /// The problem of a user whose rows are being removed.
    private static let userErased = Problem(.userDeleted, "This user was deleted.")

    /// Changes the rows of two users, whose scopes are locked in ascending order.
    func write<Result>(
        scopes first: UserID, _ second: UserID, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        let result = try await inTurn(of: first) {
            try await client.withTransaction(database, isolation: .readCommitted) { connection in
                let erased = try await connection.query(
                    """
                    SELECT e.User_ID IS NOT NULL FROM Scope s LEFT JOIN Erasure e ON e.User_ID = s.Scope_ID
                    WHERE s.Scope_ID IN (\(first.uuid), \(second.uuid)) ORDER BY s.Scope_ID FOR UPDATE
                    """
                ).decode(Bool.self)
                guard !erased.contains(true) else { throw Self.userErased }
                return try await body(connection)
            }
        }
        commits.note(tenant: slug, user: first)
        commits.note(tenant: slug, user: second)
        return result
    }
}

/// Another change of the same user, or of an admin in that user's scope, went on for longer than this one could wait.
struct ScopeInUse: Error {}

extension MariaDBError {
    /// A lock was not had in time (`ER_LOCK_WAIT_TIMEOUT`).
    static let lockWaitTimeout: UInt32 = 1205
}
