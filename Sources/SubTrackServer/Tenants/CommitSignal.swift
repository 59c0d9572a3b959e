import Synchronization

/// Tells that this process has changed rows of users, soon after the commit. What piles up meanwhile is told at once.
final class CommitSignal: Sendable {
    /// Wakes whoever waits for ``take()``.
    let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let changed = Mutex<[String: Set<UserID>]>([:])
    /// Whether anybody wants to know.
    private let isHeard = Atomic(false)

    init() { (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Begins or ends to note commits. While nobody listens, nothing is kept.
    func hear(_ isHeard: Bool) {
        self.isHeard.store(isHeard, ordering: .relaxed)
        if !isHeard { changed.withLock { $0 = [:] } }
    }

    /// Notes a commit.
    /// - Parameter tenant: the tenant's slug.
    func note(tenant: String, user: UserID) {
        guard isHeard.load(ordering: .relaxed) else { return }
        _ = changed.withLock { $0[tenant, default: []].insert(user) }
        waker.yield()
    }

    /// Wakes without a commit.
    func wake() { waker.yield() }

    /// The users whose rows have changed since this was asked last, by tenant.
    func take() -> [String: Set<UserID>] {
        changed.withLock { changed in
            defer { changed = [:] }
            return changed
        }
    }
}
