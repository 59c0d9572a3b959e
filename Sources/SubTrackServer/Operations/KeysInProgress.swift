import Synchronization

/// The writes with an idempotency key that have their user's scope at the moment, in this process.
///
/// A write that waits for the scope in vain learns from it whether the same write is under way, or another. Writes of
/// other replicas are not known here. The answer is then that of any other lock, which asks for the same: to try again.
final class KeysInProgress: Sendable {
    /// A user's write with a key.
    struct Write: Hashable, Sendable {
        let user: UserID
        let key: IdempotencyKey
    }

    /// Two of the same key overlap for a moment, when one has committed and is not counted out yet.
    private let counts = Mutex<[Write: Int]>([:])

    /// Counts a write that has got its scope.
    func begin(_ write: Write) { counts.withLock { $0[write, default: 0] += 1 } }

    /// Counts it out.
    func end(_ write: Write) {
        counts.withLock { counts in
            guard let count = counts[write], count > 1 else {
                counts[write] = nil
                return
            }
            counts[write] = count - 1
        }
    }

    /// Whether a write with this key has its user's scope.
    func contains(_ write: Write) -> Bool { counts.withLock { $0[write] != nil } }
}

extension KeysInProgress: TenantPart {
    convenience init(of tenant: Tenant) { self.init() }
}

extension Tenant {
    /// The keyed writes of this process that have their user's scope at the moment.
    var keysInProgress: KeysInProgress { part() }
}
