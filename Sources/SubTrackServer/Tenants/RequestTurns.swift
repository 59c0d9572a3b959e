import DequeModule
import Synchronization

/// Turns of the requests of one user or network, in one tenant and on this replica.
///
/// Each request that is under way holds a connection to the database. A user with a hundred open requests would so take all
/// connections from everybody else. Therefore some have a connection at a time, and others wait here. Writes of one user come
/// one after the other by the lock of the user's scope. One runs: a second one would hold a connection, and a turn of its
/// network, while it waits for that lock.
final class RequestTurns<Key: Hashable & Sendable>: Sendable {
    /// How many more wait. One more request is refused at once.
    static var maximumWaiting: Int { 256 }

    private struct Line {
        var running = 0
        var waiting: Deque<(id: UInt64, continuation: CheckedContinuation<Bool, Never>)> = []

        /// Whether one more may run. Nobody passes those that wait.
        func hasTurn(within limit: Int) -> Bool { running < limit && waiting.isEmpty }
    }

    private struct State {
        /// The lines of users or networks with a request that runs; others have none.
        var lines: [Key: Line] = [:]
        var lastID: UInt64 = 0
    }

    private let atOnce: @Sendable () -> Int
    private let longestWait: Duration
    private let state = Mutex(State())

    /// Nobody has a turn yet.
    /// - Parameters:
    ///   - atOnce: gives how many requests of one user or network run at the same time; one does in any case. The number may
    ///     change: no running request is ended by that.
    ///   - longestWait: how long a request waits for its turn.
    init(atOnce: @escaping @Sendable () -> Int, longestWait: Duration) {
        self.atOnce = atOnce
        self.longestWait = longestWait
    }

    private var limit: Int { max(1, atOnce()) }

    /// How many requests run, and how many wait.
    func count(of key: Key) -> (running: Int, waiting: Int) {
        state.withLock { state in
            let line = state.lines[key]
            return (line?.running ?? 0, line?.waiting.count ?? 0)
        }
    }

    /// Runs a request in its turn.
    /// - Throws: ``TurnMissed`` when the turn did not come in time; `CancellationError`; the errors of `body`.
    func run<Result>(_ key: Key, _ body: () async throws -> Result) async throws -> Result {
        if !takeAtOnce(key) { try await wait(key) }
        defer { end(key) }
        return try await body()
    }

    private func takeAtOnce(_ key: Key) -> Bool {
        let limit = limit
        return state.withLock { state in
            guard state.lines[key, default: Line()].hasTurn(within: limit) else { return false }
            state.lines[key, default: Line()].running += 1
            return true
        }
    }

    private func wait(_ key: Key) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let timer = Task { [longestWait] in
            try await Task.sleep(for: longestWait)
            self.leave(key, id)
        }
        defer { timer.cancel() }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let limit = limit
                let answer = state.withLock { state -> Bool? in
                    var line = state.lines[key] ?? Line()
                    defer { state.lines[key] = line }
                    if line.hasTurn(within: limit) {
                        line.running += 1
                        return true
                    }
                    // A cancellation that came before this has found nobody in the line.
                    guard line.waiting.count < Self.maximumWaiting, !Task.isCancelled else { return false }
                    line.waiting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(key, id)
        }
        guard isAdmitted else {
            try Task.checkCancellation()
            throw TurnMissed()
        }
    }

    /// Gives a place in the line up.
    private func leave(_ key: Key, _ id: UInt64) {
        let waiter = state.withLock { state in
            guard let index = state.lines[key]?.waiting.firstIndex(where: { $0.id == id }) else {
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.lines[key]?.waiting.remove(at: index).continuation
        }
        waiter?.resume(returning: false)
    }

    /// Gives the turn to the next one, and to more where the limit has grown.
    private func end(_ key: Key) {
        let admitted = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            guard var line = state.lines[key] else { return [] }
            line.running -= 1
            var admitted: [CheckedContinuation<Bool, Never>] = []
            let limit = line.waiting.isEmpty ? 0 : limit
            while line.running < limit, let next = line.waiting.popFirst() {
                line.running += 1
                admitted.append(next.continuation)
            }
            // The limit is one at least: where none runs, none waits.
            state.lines[key] = line.running > 0 ? line : nil
            return admitted
        }
        for waiter in admitted { waiter.resume(returning: true) }
    }
}

/// Turns of users' requests.
typealias UserTurns = RequestTurns<UserID>

extension RequestTurns<UserID> {
    /// How many writes of a user run at the same time.
    static var writes: Int { 1 }
    /// How many reads of a user run at the same time.
    static var reads: Int { 4 }
}

/// Turns of the requests of networks, reads and writes, for all users together. A connection that is closed leaves its request
/// behind: the number of connections does not bound that of requests.
///
/// The holder of a turn waits for a connection and for locks of the database, and for no other turn. Each lock is held by
/// somebody with a connection, so that turns cannot wait for each other in a circle.
struct NetworkTurns: Sendable {
    /// How a task stands to the turns.
    private enum Standing {
        /// A job, or a request that takes its turn itself.
        case apart
        /// A request of these networks, which takes a turn for each use of the database.
        case due(ClientNetworks)
        /// A request that has its turn.
        case held
    }

    @TaskLocal private static var standing = Standing.apart

    private let clients: RequestTurns<ClientNetworks.Network>
    private let regions: RequestTurns<ClientNetworks.Network>

    /// Turns for a pool of connections: half of them are for one network, and three quarters for a larger one.
    /// - Parameters:
    ///   - longestWait: the time after which a request without a turn is refused.
    ///   - connections: gives the size of the pool. It changes with the servers that share the connections, and is 0
    ///     before a server has its part.
    init(longestWait: Duration, connections: @escaping @Sendable () -> Int) {
        clients = .init(atOnce: { connections() / 2 }, longestWait: longestWait)
        regions = .init(atOnce: { connections() * 3 / 4 }, longestWait: longestWait)
    }

    /// Whether the task has a turn.
    static var isHeld: Bool { if case .held = standing { true } else { false } }

    /// Runs a request that takes a turn for each use of the database (``run(_:)``), and none between them: it hashes a
    /// password perhaps, or waits for its user's turn.
    static func taking<Result>(
        for networks: ClientNetworks, _ body: () async throws -> Result
    ) async throws -> Result {
        try await $standing.withValue(.due(networks), operation: body)
    }

    /// Runs a use of the database in the turn of the request that it is part of. Jobs have none.
    /// - Throws: ``TurnMissed``; `CancellationError`; the errors of `body`.
    func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard case .due(let networks) = Self.standing else { return try await body() }
        return try await run(networks, body)
    }

    /// Runs a request in the turn of its networks, unless it has one. This machine has no turns: it is a proxy perhaps, which
    /// speaks for many.
    /// - Throws: ``TurnMissed``; `CancellationError`; the errors of `body`.
    func run<Result>(_ networks: ClientNetworks, _ body: () async throws -> Result) async throws -> Result {
        guard !networks.isThisMachine, !Self.isHeld else { return try await body() }
        return try await clients.run(networks.client) {
            try await regions.run(networks.region) {
                try await Self.$standing.withValue(.held, operation: body)
            }
        }
    }
}

/// Other requests of the same user or network ran for longer than this one could wait.
struct TurnMissed: Error {}
