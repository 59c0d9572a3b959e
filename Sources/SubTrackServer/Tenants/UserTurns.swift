import DequeModule
import Synchronization

/// Turns of one user's requests, in one tenant and on this replica.
///
/// Each request that is under way holds a connection to the database. A user with a hundred open requests would so take all
/// connections from everybody else. Therefore some of a user have a connection at a time, and others wait here. Writes of one
/// user come one after the other by the lock of the user's scope: two run, one with the lock and the next one.
final class UserTurns: Sendable {
    /// How many writes of a user run at the same time.
    static let writes = 2
    /// How many reads of a user run at the same time.
    static let reads = 4
    /// How many more wait. Beyond, a request is refused at once.
    static let maximumWaiting = 256

    private struct Line {
        var running = 0
        var waiting: Deque<(id: UInt64, continuation: CheckedContinuation<Bool, Never>)> = []
    }

    private struct State {
        /// Of users whose requests run; the others have none.
        var lines: [UserID: Line] = [:]
        var lastID: UInt64 = 0
    }

    private let atOnce: Int
    private let longestWait: Duration
    private let state = Mutex(State())

    /// Turns of reads.
    static func ofReads() -> UserTurns { UserTurns(atOnce: reads, longestWait: .seconds(5)) }

    /// Nobody has a turn yet.
    /// - Parameter longestWait: for writes as long as one waits for the lock in the database.
    init(atOnce: Int = writes, longestWait: Duration = .seconds(2)) {
        self.atOnce = atOnce
        self.longestWait = longestWait
    }

    /// How many requests of a user run, and how many wait.
    func count(of user: UserID) -> (running: Int, waiting: Int) {
        state.withLock { state in
            let line = state.lines[user]
            return (line?.running ?? 0, line?.waiting.count ?? 0)
        }
    }

    /// Runs a request in its turn.
    /// - Throws: ``TurnMissed`` when the turn did not come in time; `CancellationError`; what `body` throws.
    func run<Result>(_ user: UserID, _ body: () async throws -> Result) async throws -> Result {
        if !takeAtOnce(user) { try await wait(user) }
        defer { end(user) }
        return try await body()
    }

    private func takeAtOnce(_ user: UserID) -> Bool {
        state.withLock { state in
            guard state.lines[user, default: Line()].running < atOnce else { return false }
            state.lines[user, default: Line()].running += 1
            return true
        }
    }

    private func wait(_ user: UserID) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let timer = Task { [longestWait] in
            try await Task.sleep(for: longestWait)
            self.leave(user, id)
        }
        defer { timer.cancel() }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    var line = state.lines[user] ?? Line()
                    defer { state.lines[user] = line }
                    if line.running < atOnce {
                        line.running += 1
                        return true
                    }
                    guard line.waiting.count < Self.maximumWaiting else { return false }
                    line.waiting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(user, id)
        }
        guard isAdmitted else {
            try Task.checkCancellation()
            throw TurnMissed()
        }
    }

    /// Gives a place in the line up.
    private func leave(_ user: UserID, _ id: UInt64) {
        let waiter = state.withLock { state in
            guard let index = state.lines[user]?.waiting.firstIndex(where: { $0.id == id }) else {
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.lines[user]?.waiting.remove(at: index).continuation
        }
        waiter?.resume(returning: false)
    }

    /// Gives the turn to the next one.
    private func end(_ user: UserID) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard var line = state.lines[user] else { return nil }
            if let next = line.waiting.popFirst() {
                state.lines[user] = line
                return next.continuation
            }
            line.running -= 1
            state.lines[user] = line.running > 0 ? line : nil
            return nil
        }
        next?.resume(returning: true)
    }
}

/// Other requests of the same user ran for longer than this one could wait.
struct TurnMissed: Error {}
