import Synchronization

/// Tells that this process has changed rows of some scopes, soon after the commit. What piles up meanwhile is told at once.
final class CommitSignal: Sendable {
    /// Wakes whoever waits for ``take()``.
    let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let changed = Mutex<[String: Set<ScopeID>]>([:])
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
    func note(tenant: String, _ scopes: Set<ScopeID>) {
        guard isHeard.load(ordering: .relaxed) else { return }
        changed.withLock { $0[tenant, default: []].formUnion(scopes) }
        waker.yield()
    }

    /// Wakes without a commit.
    func wake() { waker.yield() }

    /// The scopes that writes have locked since this was asked last, by tenant.
    func take() -> [String: Set<ScopeID>] {
        changed.withLock { changed in
            defer { changed = [:] }
            return changed
        }
    }
}
