/// Who holds which connection, who waits, and what is to be done next: a value without clock, lock or I/O.
///
/// Each event goes in with the time at which it happened; out come actions for the shell to carry out. Rules:
/// - The database that holds the fewest connections comes first; of those who want the same, who came first.
/// - While others are in use, a database leaves one connection for each of them, as long as it keeps its share
///   (``Configuration/databaseShare``), so that the others never wait for it alone. Alone it may have all.
/// - A lease gets an idle connection that served its database last, of its own thread if there is one; else one of the few
///   that the database prefers to all others (``DatabasePreference``), of its own thread, so that many databases' prepared statements
///   need not be on every connection; else one that served it a while ago and has them all the same (``KnownDatabases``); else one
///   of the few of another thread; else a new one;
///   else, when it has waited for one of these for a moment (``Configuration/patience``), any that is idle. Where more databases
///   than connections are busy at once, whoever took what is idle would have to prepare its statements there, which takes longer,
///   keeps more connections busy, and pushes out the statements of others.
/// - A lease without a database gets a connection that never had one: there is no way back to none.
/// - A connection that rested, or that was idle when another was found dead, is checked before it is used.
struct PoolStateMachine: Sendable {
    struct Configuration: Sendable {
        var maximumConnections = 16
        var minimumIdle = 0
        var databaseShare = 0.75
        var idleTimeout: Duration = .seconds(60)
        var maximumLifetime: Duration = .seconds(1_800)
        var checkAfter: Duration = .seconds(10)
        var firstBackoff: Duration = .milliseconds(50)
        var longestBackoff: Duration = .seconds(1)
        /// How many connections a database has of which it takes one before all others, as long as one of them is idle; of as
        /// many threads as there can be.
        var homes = 2
        /// For how long a lease waits for a connection that has its statements while others are idle, once there may be no more.
        var patience: Duration = .zero
        /// Of how many databases a connection has the statements, about.
        var knownDatabases = 50
        /// How many leases that got a connection without their statements are worth one more connection.
        var strangersPerConnection = 64
        /// For how long a database counts as in use after it was last asked for.
        var presence: Duration = .seconds(10)
        /// Over how many threads the connections are spread, in turn by their ids.
        var lanes = 1
    }

    typealias ConnectionID = Int
    typealias RequestID = UInt64

    struct Request: Sendable, Equatable {
        var id: RequestID
        var database: String?
        /// The thread that wants it; nil: none of those that connections have.
        var lane: Int?
        var enqueued: Moment
        var deadline: Moment
        /// Set when it got a connection that turned out to be dead: it keeps its place at the head.
        var isRepeated = false
        /// The connections that its database prefers, and until when it waits for one of them.
        var homes: [ConnectionID] = []
        var patientUntil = Moment(nanoseconds: .min)

        init(
            id: RequestID, database: String?, lane: Int? = nil, enqueued: Moment, deadline: Moment,
            isRepeated: Bool = false
        ) {
            self.id = id
            self.database = database
            self.lane = lane
            self.enqueued = enqueued
            self.deadline = deadline
            self.isRepeated = isRepeated
        }
    }

    /// A connection for a borrower.
    struct Lend: Sendable, Equatable {
        var connection: ConnectionID
        var request: RequestID
        /// Ask first whether it is alive.
        var check: Bool
    }

    enum Failure: Sendable, Equatable {
        case timeout
        case shutDown
        /// The server refuses us: waiting does not help.
        case refused
    }

    enum Action: Sendable, Equatable {
        case lend(Lend)
        case connect(ConnectionID)
        case close(ConnectionID)
        case fail(RequestID, Failure)
    }

    /// In what state a connection comes back.
    enum Fate: Sendable, Equatable {
        /// Clean, on this database.
        case healthy(database: String?)
        /// It died: the idle ones are suspect.
        case broken
        /// It cannot be made clean, but this says nothing of the others.
        case retire
        /// Its server became read-only: the primary is elsewhere now, and all connections are to be made anew.
        case moved
    }

    enum State: Sendable, Equatable {
        case connecting
        case idle(since: Moment)
        case leased(database: String?)
    }

    struct PooledConnection: Sendable {
        var state: State
        var born: Moment
        /// When it is too old.
        var expires: Moment
        var database: String?
        var known: KnownDatabases
        var isSuspect = false
    }

    // These members are not private, because the events and the rules stand in files of their own. The pool calls events alone, and
    // reads counts.
    var configuration: Configuration
    var connections: [ConnectionID: PooledConnection] = [:]
    /// The idle ones, the one that rested longest first.
    var idle: [ConnectionID] = []
    var demand = PoolDemand()
    /// Nobody who waits has to be answered before this. Found anew by ``tick(now:)`` when it
    /// has passed: to look at all who wait at each lease would make a long queue longer.
    var earliestDeadline = Moment.never
    /// Nobody's patience ends before this, likewise.
    var earliestImpatience = Moment.never
    /// Leases, since the last growth, that got a connection which did not know their statements.
    var strangers = 0
    var presence = DatabasePresence()
    /// What ``homes(of:)`` found since a connection came or went.
    var knownHomes: [String: [ConnectionID]] = [:]
    private var nextID = 0
    var backoff: Duration = .zero
    var noConnectBefore = Moment(nanoseconds: .min)
    var isShuttingDown = false

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    // MARK: Counts

    var size: Int { connections.count }
    var idleCount: Int { idle.count }
    var leasedCount: Int { demand.heldCount }
    var connectingCount: Int { size - idleCount - leasedCount }
    var waitingCount: Int { demand.waitingCount }
    func leasedCount(of database: String?) -> Int { demand.held(by: database) }

    /// When ``tick(now:)`` may have something to do for those who wait; `.never` while nobody does.
    var nextDeadline: Moment {
        guard waitingCount > 0 else { return .never }
        // Impatience is of use only to whom something can be given.
        let next = idle.isEmpty ? earliestDeadline : min(earliestDeadline, earliestImpatience)
        guard wantsConnection else { return next }
        return min(next, max(noConnectBefore, Moment(nanoseconds: 0)))
    }

    // MARK: Connections

    /// Lends an idle connection, which is no longer among the idle ones.
    mutating func lend(_ id: ConnectionID, to request: RequestID, database: String?, now: Moment) -> Lend {
        var lend = Lend(connection: id, request: request, check: false)
        guard var connection = connections[id] else { return lend }
        if case .idle(let since) = connection.state {
            lend.check = connection.isSuspect || now - since >= configuration.checkAfter
        }
        connection.state = .leased(database: database)
        connections[id] = connection
        // In place: what is known is a dictionary, and not to be copied for each lease.
        if let database { connections[id]?.known.note(database) }
        demand.count(database, +1)
        return lend
    }

    /// Begins a connection.
    /// - Returns: its id, for an action that makes it.
    mutating func open(now: Moment) -> ConnectionID {
        nextID += 1
        knownHomes.removeAll(keepingCapacity: true)
        connections[nextID] = PooledConnection(
            state: .connecting, born: now, expires: .never, database: nil,
            known: KnownDatabases(capacity: configuration.knownDatabases))
        return nextID
    }

    /// Forgets a connection. The caller takes it from the idle ones.
    mutating func forget(_ id: ConnectionID) {
        connections[id] = nil
        knownHomes.removeAll(keepingCapacity: true)
    }

    /// Has all idle connections checked before they are used.
    mutating func distrustIdle() {
        for id in idle { connections[id]?.isSuspect = true }
    }
}
