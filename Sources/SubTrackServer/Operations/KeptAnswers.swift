import Synchronization

/// The answers that this process has stored for each user since its last check of their bounds. A check at each write
/// would cost as much as the write.
final class KeptAnswers: Sendable {
    /// After how many answers, or bytes of them, a user's are counted.
    static let (countBetween, bytesBetween) = (100, 1 << 20)
    /// How many users are remembered. Beyond, all are forgotten and looked at again.
    private static let maximumUsers = 10_000

    private let since = Mutex<[UserID: (count: Int, bytes: Int)]>([:])

    /// Notes that an answer is kept.
    /// - Returns: whether the user's are to be counted now: after so many, and the first time.
    func note(_ user: UserID, bytes: Int) -> Bool {
        since.withLock { since in
            guard let known = since[user], known.count + 1 < Self.countBetween, known.bytes + bytes < Self.bytesBetween
            else {
                if since.count >= Self.maximumUsers { since = [:] }
                since[user] = (0, 0)
                return true
            }
            since[user] = (known.count + 1, known.bytes + bytes)
            return false
        }
    }
}

extension KeptAnswers: TenantPart {
    convenience init(of tenant: Tenant) { self.init() }
}

extension Tenant {
    /// The amount that was stored lately for writes with a key.
    var keptAnswers: KeptAnswers { part() }
}
