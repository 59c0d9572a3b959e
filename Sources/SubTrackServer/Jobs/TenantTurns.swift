import Synchronization

/// Turns of tenants at something that is queued in each of them.
///
/// A tenant has one turn at a time. One that takes long holds up its own tenant alone, as long as there is room for others.
final class TenantTurns: Sendable {
    private struct State {
        /// The tenants that want a turn, the longest waiting first.
        var waiting: [String] = []
        var running: Set<String> = []
    }

    private let interval: Duration
    private let atOnce: Int
    private let state = Mutex(State())
    private let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// No turn yet.
    /// - Parameters:
    ///   - interval: how often each tenant has one, whether it was woken or not.
    ///   - atOnce: the most tenants that have one at the same time.
    init(every interval: Duration, atOnce: Int) {
        self.interval = interval
        self.atOnce = atOnce
    }

    /// Gives a tenant a turn soon.
    func wake(_ slug: String) {
        state.withLock { if !$0.waiting.contains(slug) { $0.waiting.append(slug) } }
        waker.yield()
    }

    /// Gives turns until the task is cancelled.
    /// - Parameters:
    ///   - tenants: gives all tenants.
    ///   - swept: is called with all tenants each time when all get a turn.
    ///   - turn: does some of a tenant's work, and gives whether there may be more.
    func run(
        tenants: @escaping @Sendable () async throws -> [Tenant],
        swept: @escaping @Sendable ([Tenant]) -> Void = { _ in },
        turn: @escaping @Sendable (Tenant) async -> Bool
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    if let all = try? await tenants() {
                        swept(all)
                        for tenant in all { self.wake(tenant.slug) }
                    }
                    try? await Task.sleep(for: self.interval)
                }
            }
            for await _ in wakes {
                // As they are now: one that was suspended meanwhile is not among them.
                guard let all = try? await tenants() else { continue }
                for tenant in take(all) {
                    group.addTask {
                        let hasMore = await turn(tenant)
                        self.end(tenant.slug, hasMore: hasMore)
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Takes the tenants whose turn it is. Those that are gone leave the queue.
    private func take(_ all: [Tenant]) -> [Tenant] {
        let known = Dictionary(all.map { ($0.slug, $0) }) { first, _ in first }
        return state.withLock { state in
            var taken: [Tenant] = []
            state.waiting.removeAll { slug in
                guard let tenant = known[slug] else { return true }
                guard !state.running.contains(slug), state.running.count < atOnce else { return false }
                state.running.insert(slug)
                taken.append(tenant)
                return true
            }
            return taken
        }
    }

    /// Notes the end of a turn. Others wait for the room.
    private func end(_ slug: String, hasMore: Bool) {
        state.withLock { state in
            state.running.remove(slug)
            if hasMore, !state.waiting.contains(slug) { state.waiting.append(slug) }
        }
        waker.yield()
    }
}
