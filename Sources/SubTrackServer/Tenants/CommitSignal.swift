import Synchronization

/// Tells that this process has changed rows of users, soon after the commit. What piles up meanwhile is told at once.
final class CommitSignal: Sendable {
    /// Wakes whoever waits for ``take()``.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let changed = Mutex<[String: Set<UserID>]>([:])

    init() { (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Notes a commit.
    /// - Parameter tenant: the tenant's slug.
    func note(tenant: String, user: UserID) {
        _ = changed.withLock { $0[tenant, default: []].insert(user) }
        wake.yield()
    }

    /// The users whose rows have changed since this was asked last, by tenant.
    func take() -> [String: Set<UserID>] {
        changed.withLock { changed in
            defer { changed = [:] }
            return changed
        }
    }
}
