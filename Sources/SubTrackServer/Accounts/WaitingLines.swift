import SubTrackAPI
import Synchronization

/// Lines of the budgets that all callers of a tenant share. A caller without a token waits a few seconds for one before
/// it is refused.
final class WaitingLines: Sendable {
    private struct Waiter {
        let line: String
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// By the budget's name; as many as there are tenants, at the most twice.
        var lines: [String: WaitingLine] = [:]
        var waiters: [UInt64: Waiter] = [:]
        /// Those whose task was cancelled before they waited.
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
        var isServing = false
    }

    /// How often it is looked whether tokens have come.
    private static let interval = Duration.milliseconds(100)

    private let bounds: WaitingLine.Bounds
    private let longestWait: Duration
    private let clock: WallClock
    private let state = Mutex(State())

    /// Lines that nobody waits in.
    init(_ bounds: WaitingLine.Bounds, longestWait: Duration, clock: WallClock) {
        self.bounds = bounds
        self.longestWait = longestWait
        self.clock = clock
    }

    /// How many callers wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Takes a token of a budget, after a wait where there is none.
    /// - Throws: `rate_limited` when there was none in time, or no place to wait; `CancellationError`.
    func take(_ name: String, _ rate: RateLimiter.Rate, _ what: String, from networks: ClientNetworks) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let seconds = Mutex(max(1, Int(longestWait.components.seconds)))
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let now = clock.now()
                let (answer, displaced, starts) = state.withLock { state -> (Bool?, Waiter?, Bool) in
                    if state.cancelled.remove(id) != nil { return (false, nil, false) }
                    var line = state.lines[name] ?? WaitingLine(rate, bounds)
                    defer { state.lines[name] = line }
                    let (admission, displaced) = line.enter(id, from: networks, at: now)
                    let loser = displaced.flatMap { state.waiters.removeValue(forKey: $0) }
                    switch admission {
                    case .admitted: return (true, loser, false)
                    case .refused(let wait):
                        seconds.withLock { $0 = wait }
                        return (false, loser, false)
                    case .waits:
                        state.waiters[id] = Waiter(
                            line: name, deadline: .now + longestWait, continuation: continuation)
                        defer { state.isServing = true }
                        return (nil, loser, !state.isServing)
                    }
                }
                displaced?.continuation.resume(returning: false)
                if let answer { continuation.resume(returning: answer) }
                if starts { Task { await serve() } }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let waiter = state.waiters.removeValue(forKey: id) else {
                    state.cancelled.insert(id)
                    return nil
                }
                state.lines[waiter.line]?.leave(id)
                return waiter
            }
            waiter?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        if Task.isCancelled { throw CancellationError() }
        guard isAdmitted else {
            let wait = seconds.withLock { $0 }
            throw Problem.rateLimited("Too many \(what); try again in \(wait) s.", retryAfter: wait)
        }
    }

    /// Gives tokens out as they come, until nobody waits.
    private func serve() async {
        while true {
            let now = clock.now()
            let ended = state.withLock { state -> [(CheckedContinuation<Bool, Never>, Bool)] in
                var ended: [(CheckedContinuation<Bool, Never>, Bool)] = []
                for name in Set(state.waiters.values.map(\.line)) {
                    for id in state.lines[name]?.admit(at: now) ?? [] {
                        guard let waiter = state.waiters.removeValue(forKey: id) else { continue }
                        ended.append((waiter.continuation, true))
                    }
                }
                for (id, waiter) in state.waiters where waiter.deadline <= .now {
                    state.lines[waiter.line]?.leave(id)
                    state.waiters[id] = nil
                    ended.append((waiter.continuation, false))
                }
                if state.waiters.isEmpty { state.isServing = false }
                return ended
            }
            for (continuation, isAdmitted) in ended { continuation.resume(returning: isAdmitted) }
            guard state.withLock({ $0.isServing }) else { return }
            try? await Task.sleep(for: Self.interval)
        }
    }
}
