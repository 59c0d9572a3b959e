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
        fileprivate(set) var homes: [ConnectionID] = []
        fileprivate(set) var patientUntil = Moment(nanoseconds: .min)

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

    struct Connection: Sendable {
        var state: State
        var born: Moment
        /// When it is too old.
        var expires: Moment
        var database: String?
        var known: KnownDatabases
        var isSuspect = false
    }

    private(set) var configuration: Configuration
    private(set) var connections: [ConnectionID: Connection] = [:]
    /// The idle ones, the one that rested longest first.
    private var idle: [ConnectionID] = []
    private var demand = PoolDemand()
    /// Nobody who waits has to be answered before this. Found anew by ``tick(now:)`` when it
    /// has passed: to look at all who wait at each lease would make a long queue longer.
    private var earliestDeadline = Moment.never
    /// Nobody's patience ends before this, likewise.
    private var earliestImpatience = Moment.never
    /// Leases, since the last growth, that got a connection which did not know their statements.
    private var strangers = 0
    private var presence = DatabasePresence()
    /// What ``homes(of:)`` found since a connection came or went.
    private var knownHomes: [String: [ConnectionID]] = [:]
    private var nextID = 0
    private var backoff: Duration = .zero
    private var noConnectBefore = Moment(nanoseconds: .min)
    private(set) var isShuttingDown = false

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

    // MARK: Events

    /// Somebody wants a connection.
    mutating func lease(_ request: Request, now: Moment) -> [Action] {
        guard !isShuttingDown else { return [.fail(request.id, .shutDown)] }
        presence.saw(request.database, now: now)
        var request = request
        if let database = request.database, isPatient(now: now), !request.isRepeated,
            request.deadline > now + configuration.patience * 2
        {
            request.homes = homes(of: database)
            request.patientUntil = patienceEnd(now: now)
        }
        earliestDeadline = waitingCount == 0 ? request.deadline : min(earliestDeadline, request.deadline)
        if waitingCount == 0 { earliestImpatience = .never }
        if request.patientUntil > now { earliestImpatience = min(earliestImpatience, request.patientUntil) }
        demand.wait(request)
        return serve(now: now)
    }

    /// A lease without waiting, for the common case; nil when it has to wait its turn.
    ///
    /// The second part of the result is a connection to be made beside it: where many databases take turns, more
    /// connections let each find the one that knows its statements.
    mutating func leaseNow(_ id: RequestID, database: String?, lane: Int? = nil, now: Moment) -> (
        Lend, connect: ConnectionID?
    )? {
        // Others who wait while something is idle do not want it, unless their patience is over.
        guard !isShuttingDown, !idle.isEmpty, waitingCount == 0 || earliestImpatience > now,
            !demand.isWaiting(for: database)
        else { return nil }
        presence.saw(database, now: now)
        guard mayLease(database, now: now),
            let connection = takeIdle(for: database, lane: lane, orStranger: !isPatient(now: now))
        else { return nil }
        if let database, connections[connection]?.known.contains(database) == false { strangers += 1 }
        let lend = lend(connection, to: id, database: database, now: now)
        var extra: ConnectionID?
        if strangers >= configuration.strangersPerConnection, size < configuration.maximumConnections,
            connectingCount == 0, now >= noConnectBefore
        {
            strangers = 0
            extra = open(now: now)
        }
        return (lend, extra)
    }

    /// A borrower gives its connection back.
    mutating func release(_ id: ConnectionID, _ fate: Fate, now: Moment) -> [Action] {
        guard var connection = connections[id], case .leased(let borrower) = connection.state else { return [] }
        demand.count(borrower, -1)
        switch fate {
        case .healthy(let database)
        where !isShuttingDown && connection.expires > now && size <= configuration.maximumConnections:
            connection.state = .idle(since: now)
            connection.database = database
            connection.isSuspect = false
            connections[id] = connection
            idle.append(id)
            return waitingCount == 0 ? [] : serve(now: now)
        case .healthy, .retire:
            forget(id)
            return [.close(id)] + serve(now: now)
        case .broken:
            distrustIdle()
            forget(id)
            return [.close(id)] + serve(now: now)
        case .moved:
            forget(id)
            for id in connections.keys { connections[id]?.expires = now }
            return [.close(id)] + tick(now: now)
        }
    }

    /// A connection was made.
    mutating func connected(_ id: ConnectionID, lifetime: Duration, now: Moment) -> [Action] {
        guard var connection = connections[id], connection.state == .connecting else { return [.close(id)] }
        backoff = .zero
        noConnectBefore = Moment(nanoseconds: .min)
        if isShuttingDown {
            forget(id)
            return [.close(id)]
        }
        // There may be fewer than when it was begun: somebody else has its place.
        if size > configuration.maximumConnections {
            forget(id)
            return [.close(id)] + serve(now: now)
        }
        connection.state = .idle(since: now)
        connection.born = now
        // Made while the server was found to have moved: it may still be the old one.
        connection.expires = connection.expires == .never ? now + lifetime : now
        connections[id] = connection
        idle.append(id)
        return serve(now: now)
    }

    /// A connection could not be made. `isRefused`: and will not be when asked again.
    mutating func connectFailed(_ id: ConnectionID, isRefused: Bool, now: Moment) -> [Action] {
        guard connections[id]?.state == .connecting else { return [] }
        forget(id)
        backoff = min(configuration.longestBackoff, max(configuration.firstBackoff, backoff * 2))
        noConnectBefore = now + backoff
        guard isRefused, leasedCount == 0, idle.isEmpty else { return serve(now: now) }
        return demand.removeAll().map { .fail($0.id, .refused) }
    }

    /// The server closed an idle connection.
    mutating func died(_ id: ConnectionID, now: Moment) -> [Action] {
        guard let position = idle.firstIndex(of: id) else { return [] }
        idle.remove(at: position)
        forget(id)
        distrustIdle()
        return [.close(id)] + serve(now: now)
    }

    /// A waiting borrower gives up.
    mutating func cancel(_ id: RequestID, of database: String?) -> Bool {
        demand.remove(id, of: database)
    }

    /// There may be another number of connections from now on. What is too much is closed: now if it is idle, else when
    /// it comes back.
    mutating func resize(to maximum: Int, now: Moment) -> [Action] {
        configuration.maximumConnections = max(0, maximum)
        var actions: [Action] = []
        while size > configuration.maximumConnections, let oldest = idle.first {
            idle.removeFirst()
            forget(oldest)
            actions.append(.close(oldest))
        }
        return actions + serve(now: now)
    }

    /// Time has passed: those who waited too long, connections that are too old or idle too long.
    mutating func tick(now: Moment) -> [Action] {
        var actions: [Action] = []
        if earliestDeadline <= now {
            actions += demand.removeExpired(now: now).map { .fail($0.id, .timeout) }
            earliestDeadline = demand.earliestDeadline
        }
        if earliestImpatience <= now { earliestImpatience = demand.earliestImpatience(after: now) }
        for id in idle {
            guard let connection = connections[id], case .idle(let since) = connection.state else { continue }
            let isSurplus = idle.count > configuration.minimumIdle && now - since >= configuration.idleTimeout
            guard connection.expires <= now || isSurplus else { continue }
            idle.removeAll { $0 == id }
            forget(id)
            actions.append(.close(id))
        }
        while !isShuttingDown, size < min(configuration.minimumIdle, configuration.maximumConnections),
            now >= noConnectBefore
        {
            actions.append(.connect(open(now: now)))
        }
        return actions + serve(now: now)
    }

    /// No more leases. Idle connections are closed now, leased ones when they come back.
    mutating func shutDown() -> [Action] {
        isShuttingDown = true
        var actions: [Action] = demand.removeAll().map { .fail($0.id, .shutDown) }
        for id in idle {
            forget(id)
            actions.append(.close(id))
        }
        idle.removeAll()
        return actions
    }

    // MARK: Rules

    /// Hands out what there is, in order, and opens what is missing.
    private mutating func serve(now: Moment) -> [Action] {
        var actions: [Action] = []
        presence.forget(olderThan: configuration.presence, now: now)
        var withStrangers = true
        while !idle.isEmpty,
            let (database, request) = demand.next(
                limit: limit, evenPart: evenPart, withStrangers: withStrangers, if: { wantsIdle($0, now: now) })
        {
            if let connection = takeIdle(for: database, lane: request.lane) {
                demand.takeFirst(of: database)
                actions.append(.lend(lend(connection, to: request.id, database: database, now: now)))
            } else {
                // None of the idle ones is without a database; anybody else can have any.
                withStrangers = false
            }
        }
        // Who wants no database cannot use a connection that is on one: make room for a new connection.
        if size >= configuration.maximumConnections, connectingCount == 0, let oldest = idle.first,
            demand.isStrangerWaiting, demand.held(by: nil) < limit
        {
            idle.removeFirst()
            forget(oldest)
            actions.append(.close(oldest))
        }
        while wantsConnection, now >= noConnectBefore { actions.append(.connect(open(now: now))) }
        return actions
    }

    /// Whether somebody waits for whom a connection is neither there nor on its way.
    private var wantsConnection: Bool {
        !isShuttingDown && size < configuration.maximumConnections
            && connectingCount < demand.eligibleCount(limit: limit)
    }

    private mutating func mayLease(_ database: String?, now: Moment) -> Bool {
        presence.forget(olderThan: configuration.presence, now: now)
        return demand.held(by: database) < limit
    }

    /// What each of the databases in use would hold if they held the same.
    private var evenPart: Int {
        let databases = max(1, demand.databaseCount)
        return (configuration.maximumConnections + databases - 1) / databases
    }

    /// How many connections one database may hold.
    private var limit: Int {
        let all = configuration.maximumConnections
        guard presence.isContended, all > 1 else { return all }
        let share = max(1, Int((Double(all) * configuration.databaseShare).rounded()))
        // One is left for whoever was there lately and comes again.
        return min(all - 1, max(share, all - (demand.databaseCount - 1)))
    }

    /// Whether leases wait for connections that suit their databases: there may be no more, and several databases are in use.
    private mutating func isPatient(now: Moment) -> Bool {
        guard configuration.patience > .zero, size >= configuration.maximumConnections else { return false }
        presence.forget(olderThan: configuration.presence, now: now)
        return presence.isContended
    }

    /// When the patience of whoever begins to wait now is over, on a grid: of thousands that wait many end at the same moment,
    /// and one look at all of them is enough.
    private func patienceEnd(now: Moment) -> Moment {
        let grid = max(1, (Moment(nanoseconds: 0) + configuration.patience).nanoseconds / 4)
        let end = (now + configuration.patience).nanoseconds
        return Moment(nanoseconds: end) + .nanoseconds((grid - end % grid) % grid)
    }

    /// Whether a request waits for one of the connections that are idle.
    private func wantsIdle(_ request: Request, now: Moment) -> Bool {
        request.patientUntil <= now
            || idle.contains { request.homes.contains($0) }
            || idle.contains { connections[$0]?.known.contains(request.database) == true }
    }

    /// How well a connection suits a lease: best one of the few that its database prefers, of the own thread; else one that has its
    /// statements, of the own thread if there is one; else one of the few of another thread.
    private struct Suitability: Comparable {
        var isHome = false
        var isKnown = false
        var isHere = false
        var weight: UInt64 = 0

        static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

        private var rank: (Int, Int, Int, Int, UInt64) {
            (isHome && isHere ? 1 : 0, isKnown ? 1 : 0, isHere && isKnown ? 1 : 0, isHome ? 1 : 0, weight)
        }
    }

    /// The idle connection that suits a database best, no longer idle. Of those that were on it last, one of the same thread
    /// goes before others.
    /// - Parameter orStranger: whether one that has none of its statements, and is not to have them, will do.
    private mutating func takeIdle(
        for database: String?, lane: Int?, orStranger: Bool = true
    ) -> ConnectionID? {
        guard !idle.isEmpty else { return nil }
        var position: Int?
        for index in idle.indices.reversed() where connections[idle[index]]?.database == database {
            if let lane, configuration.lanes > 1, idle[index] % configuration.lanes != lane {
                position = position ?? index
            } else {
                position = index
                break
            }
        }
        if position == nil, let database {
            let preference = DatabasePreference(database)
            let homes = homes(of: database)
            var best = Suitability()
            for (index, connection) in idle.enumerated() {
                let isHome = homes.contains(connection)
                let isKnown = connections[connection]?.known.contains(database) == true
                guard orStranger || isHome || isKnown else { continue }
                let suitability = Suitability(
                    isHome: isHome, isKnown: isKnown,
                    isHere: lane.map { connection % max(1, configuration.lanes) == $0 } ?? true,
                    weight: preference.weight(of: connection))
                if position == nil || suitability > best { (best, position) = (suitability, index) }
            }
        }
        return position.map { idle.remove(at: $0) }
    }

    /// The connections that a database prefers. They stay the same as long as the connections do.
    private mutating func homes(of database: String) -> [ConnectionID] {
        if let known = knownHomes[database] { return known }
        // As many as are in use at a time, about; all are found again.
        if knownHomes.count >= 4096 { knownHomes.removeAll(keepingCapacity: true) }
        let homes = DatabasePreference(database).favourites(
            configuration.homes, of: connections.keys, lanes: configuration.lanes)
        knownHomes[database] = homes
        return homes
    }

    private mutating func lend(_ id: ConnectionID, to request: RequestID, database: String?, now: Moment) -> Lend {
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

    private mutating func open(now: Moment) -> ConnectionID {
        nextID += 1
        knownHomes.removeAll(keepingCapacity: true)
        connections[nextID] = Connection(
            state: .connecting, born: now, expires: .never, database: nil,
            known: KnownDatabases(capacity: configuration.knownDatabases))
        return nextID
    }

    private mutating func forget(_ id: ConnectionID) {
        connections[id] = nil
        knownHomes.removeAll(keepingCapacity: true)
    }

    private mutating func distrustIdle() {
        for id in idle { connections[id]?.isSuspect = true }
    }
}
