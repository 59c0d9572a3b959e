extension PoolStateMachine {
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
}
