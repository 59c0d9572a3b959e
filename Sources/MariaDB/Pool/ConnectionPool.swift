import Logging
import Synchronization

/// Carries out what the state machine says: connects, closes, resumes who waited, sets the alarm.
final class ConnectionPool: Sendable {
    typealias ConnectionID = PoolStateMachine.ConnectionID
    typealias RequestID = PoolStateMachine.RequestID

    /// A connection that a borrower holds until it gives it back.
    struct Lent: Sendable {
        let id: ConnectionID
        let session: Session
        let check: Bool
    }

    fileprivate struct State {
        var machine: PoolStateMachine
        var sessions: [ConnectionID: Session] = [:]
        var waiting: [RequestID: PendingValue<Lent>] = [:]
        var nextRequest: RequestID = 0
        var alarm = Moment.never
        var lastFailure: MariaDBError?
        /// Since when the server cannot be reached: a connection was refused while there was no other.
        var awaySince: Moment?
        /// The reason for which connections fail, until one can be made again.
        var fault = LastingFault()
        /// Resumed when the last session is closed.
        var onEmpty: [CheckedContinuation<Void, Never>] = []
        var closing = 0
    }

    /// What is left to do when the lock is free again.
    fileprivate struct Effects {
        var resumed: [(PendingValue<Lent>, Result<Lent, any Error>)] = []
        var connects: [ConnectionID] = []
        var closes: [Session] = []
        var alarm: Moment?
        var empty: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let configuration: MariaDBConfiguration
    private let logger: Logger
    private let metrics: ClientMetrics

    init(_ configuration: MariaDBConfiguration, logger: Logger, metrics: ClientMetrics) {
        self.configuration = configuration
        self.logger = logger
        self.metrics = metrics
        var machine = PoolStateMachine.Configuration()
        machine.maximumConnections = max(1, configuration.maximumConnections)
        machine.minimumIdle = configuration.minimumIdleConnections
        machine.databaseShare = configuration.databaseShare
        machine.idleTimeout = configuration.idleTimeout
        machine.maximumLifetime = configuration.maximumLifetime
        machine.checkAfter = configuration.checkAfter
        // Most requests of a database are of some few statements.
        machine.knownDatabases = max(1, configuration.statementCacheSize / 6)
        machine.patience = .milliseconds(10)
        machine.lanes = configuration.loops.lanes.count
        state = Mutex(State(machine: PoolStateMachine(machine)))
    }

    /// Borrows a connection, waiting for one until `deadline`.
    ///
    /// - Parameter isolation: the caller's, on whose thread it waits.
    /// - Throws: ``MariaDBError`` of kind `.poolTimeout`, `.refused` or `.shutDown`; `CancellationError`.
    func lease(
        _ database: String?, deadline: Moment, isRepeated: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Lent {
        let now = Moment.now
        let lane = configuration.loops.current
        let (fast, extra, id): (Lent?, ConnectionID?, RequestID) = state.withLock { state in
            state.nextRequest += 1
            let id = state.nextRequest
            guard !isRepeated, let (lend, extra) = state.machine.leaseNow(id, database: database, lane: lane, now: now)
            else {
                return (nil, nil, id)
            }
            return (state.lent(lend), extra, id)
        }
        if let extra { Task { await connect(extra) } }
        if let fast { return fast }
        let request = PoolStateMachine.Request(
            id: id, database: database, lane: lane, enqueued: now, deadline: deadline, isRepeated: isRepeated)
        let pending = PendingValue<Lent>(on: configuration.loops.loop(of: lane ?? 0))
        return try await withTaskCancellationHandler {
            // A closure that does not name it runs on the concurrent pool.
            _ = isolation
            change { state in
                // Cancelled before it was in the queue: the handler below found nothing.
                guard !Task.isCancelled else {
                    pending.resume(with: .failure(CancellationError()))
                    return []
                }
                state.waiting[request.id] = pending
                return state.machine.lease(request, now: now)
            }
            return try await pending.value()
        } onCancel: {
            let waiting = state.withLock { state in
                state.machine.cancel(request.id, of: database) ? state.waiting.removeValue(forKey: request.id) : nil
            }
            waiting?.resume(with: .failure(CancellationError()))
        }
    }

    /// Gives a connection back.
    func release(_ lent: Lent, _ fate: PoolStateMachine.Fate) {
        change { $0.machine.release(lent.id, fate, now: .now) }
    }

    /// From now on there may be another number of connections.
    func resize(to maximum: Int) {
        change { $0.machine.resize(to: maximum, now: .now) }
    }

    /// Closes what is too old, and answers who waited too long.
    func tick() {
        change { $0.machine.tick(now: .now) }
    }

    /// Closes all connections, those lent when they come back, and waits for that until `deadline`; then ends them.
    func shutDown(deadline: Moment) async {
        change { $0.machine.shutDown() }
        configuration.loops.loop(of: 0).call(at: deadline) { [weak self] in self?.closeAll() }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.isEmpty { return true }
                state.onEmpty.append(continuation)
                return false
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// How many connections there may be.
    var maximumConnections: Int { state.withLock { $0.machine.configuration.maximumConnections } }

    /// Whether the server cannot be reached, as the last attempt found.
    var isAway: Bool { state.withLock { $0.awaySince != nil } }

    /// Counts of the present.
    var statistics: PoolStatistics {
        state.withLock { state in
            PoolStatistics(
                size: state.machine.size, idle: state.machine.idleCount, leased: state.machine.leasedCount,
                connecting: state.machine.connectingCount, waiting: state.machine.waitingCount)
        }
    }

    /// The server closed a connection that nobody uses.
    private func died(_ id: ConnectionID) {
        change { $0.machine.died(id, now: .now) }
    }

    private func closeAll() {
        for session in state.withLock({ Array($0.sessions.values) }) { Task { await session.close() } }
    }

    /// Changes the state under the lock and carries out, without it, what follows from that.
    private func change(_ body: (inout sending State) -> [PoolStateMachine.Action]) {
        let effects = state.withLock { state in
            let actions = body(&state)
            return state.take(actions, configuration.endpoint)
        }
        for (continuation, result) in effects.resumed { continuation.resume(with: result) }
        for id in effects.connects { Task { await connect(id) } }
        for session in effects.closes { close(session) }
        for continuation in effects.empty { continuation.resume() }
        if let alarm = effects.alarm {
            configuration.loops.loop(of: 0).call(at: alarm) { [weak self] in
                // An earlier one has taken its place, or it was for somebody who waits no longer.
                let isCurrent = self?.state.withLock { state in
                    guard state.alarm == alarm else { return false }
                    state.alarm = .never
                    return true
                }
                if isCurrent == true { self?.tick() }
            }
        }
    }

    private func close(_ session: Session) {
        Task {
            await session.close()
            let empty = state.withLock { state in
                state.closing -= 1
                return state.takeWaitingForEnd()
            }
            for continuation in empty { continuation.resume() }
        }
    }

    private func connect(_ id: ConnectionID) async {
        do {
            let connected = try await Handshake.connect(configuration)
            let session = Session(connected, configuration: configuration, loop: configuration.loops.loop(of: id))
            await session.start { [weak self] in self?.died(id) }
            logger.debug("connected", metadata: ["connection": "\(session.connectionID)"])
            // Up to a tenth less, so that what was opened together is not renewed together.
            let lifetime = configuration.maximumLifetime * Double.random(in: 0.9...1)
            var awaySince: Moment?
            change { state in
                awaySince = state.awaySince.take()
                state.sessions[id] = session
                state.lastFailure = nil
                _ = state.fault.end(at: .now)
                return state.machine.connected(id, lifetime: lifetime, now: .now)
            }
            // A fault that another one logs ends there as well.
            if let awaySince, configuration.reportsFailures {
                let seconds = ((Moment.now - awaySince) / .milliseconds(1)).rounded() / 1000
                logger.notice(
                    "The database can be reached again",
                    metadata: ["database": "\(configuration.endpoint)", "away": "\(seconds) s"])
            }
        } catch {
            var failure =
                error as? MariaDBError ?? MariaDBError(kind: .connection, message: "could not connect")
            failure.isReported = configuration.reportsFailures
            metrics.count(failure)
            let reported = failure
            if configuration.reportsFailures,
                state.withLock({ $0.fault.isToBeSaid("\(reported)", at: .now) })
            {
                logger.warning(
                    "no connection", metadata: ["database": "\(configuration.endpoint)", "error": "\(reported)"])
            }
            change { [failure] state in
                state.lastFailure = failure
                if state.sessions.isEmpty, state.awaySince == nil { state.awaySince = .now }
                return state.machine.connectFailed(id, isRefused: failure.kind == .refused, now: .now)
            }
        }
    }
}

extension ConnectionPool.State {
    /// Whether nothing is open, opening or closing.
    fileprivate var isEmpty: Bool { machine.size == 0 && closing == 0 }

    fileprivate func lent(_ lend: PoolStateMachine.Lend) -> ConnectionPool.Lent? {
        sessions[lend.connection].map {
            ConnectionPool.Lent(id: lend.connection, session: $0, check: lend.check)
        }
    }

    fileprivate mutating func takeWaitingForEnd() -> [CheckedContinuation<Void, Never>] {
        guard isEmpty else { return [] }
        defer { onEmpty.removeAll() }
        return onEmpty
    }

    fileprivate mutating func take(
        _ actions: [PoolStateMachine.Action], _ endpoint: MariaDBConfiguration.Endpoint
    ) -> ConnectionPool.Effects {
        var effects = ConnectionPool.Effects()
        for action in actions {
            switch action {
            case .lend(let lend):
                guard let continuation = waiting.removeValue(forKey: lend.request), let lent = lent(lend) else {
                    continue
                }
                effects.resumed.append((continuation, .success(lent)))
            case .connect(let id):
                effects.connects.append(id)
            case .close(let id):
                guard let session = sessions.removeValue(forKey: id) else { continue }
                closing += 1
                effects.closes.append(session)
            case .fail(let request, let failure):
                guard let continuation = waiting.removeValue(forKey: request) else { continue }
                effects.resumed.append((continuation, .failure(error(for: failure, endpoint))))
            }
        }
        let deadline = machine.nextDeadline
        if deadline < alarm {
            alarm = deadline
            effects.alarm = deadline
        }
        effects.empty = takeWaitingForEnd()
        return effects
    }

    private func error(
        for failure: PoolStateMachine.Failure, _ endpoint: MariaDBConfiguration.Endpoint
    ) -> MariaDBError {
        switch failure {
        case .shutDown: return MariaDBError(kind: .shutDown, message: "the client was shut down")
        case .refused:
            return lastFailure ?? MariaDBError(kind: .refused, message: "\(endpoint) refuses connections")
        case .timeout:
            // With nothing connected the reason is the server's; otherwise all connections are in use.
            guard let lastFailure, machine.leasedCount == 0 else {
                return MariaDBError(kind: .poolTimeout, message: "no connection to \(endpoint) became free in time")
            }
            return lastFailure
        }
    }
}

/// How many connections there are, and what they do.
public struct PoolStatistics: Sendable, Hashable {
    /// All of them: idle, leased and connecting.
    public let size: Int
    /// Free to be lent.
    public let idle: Int
    /// With a borrower.
    public let leased: Int
    /// Not yet usable.
    public let connecting: Int
    /// Borrowers that wait.
    public let waiting: Int
}
