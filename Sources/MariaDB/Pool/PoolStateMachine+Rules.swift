extension PoolStateMachine {
    /// Hands out what there is, in order, and opens what is missing.
    mutating func serve(now: Moment) -> [Action] {
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
        // A waiter without a database cannot use a connection that is on one: make room for a new connection.
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
    var wantsConnection: Bool {
        !isShuttingDown && size < configuration.maximumConnections
            && connectingCount < demand.eligibleCount(limit: limit)
    }

    mutating func mayLease(_ database: String?, now: Moment) -> Bool {
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
        // One is left for a database that was used lately and is asked for again.
        return min(all - 1, max(share, all - (demand.databaseCount - 1)))
    }

    /// Whether leases wait for connections that suit their databases: there may be no more, and several databases are in use.
    mutating func isPatient(now: Moment) -> Bool {
        guard configuration.patience > .zero, size >= configuration.maximumConnections else { return false }
        presence.forget(olderThan: configuration.presence, now: now)
        return presence.isContended
    }

    /// The end of the patience of a waiter that begins now, on a grid: of thousands that wait many end at the same moment,
    /// and one look at all of them is enough.
    func patienceEnd(now: Moment) -> Moment {
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
    mutating func takeIdle(
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
    mutating func homes(of database: String) -> [ConnectionID] {
        if let known = knownHomes[database] { return known }
        // As many as are in use at a time, about; all are found again.
        if knownHomes.count >= 4096 { knownHomes.removeAll(keepingCapacity: true) }
        let homes = DatabasePreference(database).favourites(
            configuration.homes, of: connections.keys, lanes: configuration.lanes)
        knownHomes[database] = homes
        return homes
    }
}
