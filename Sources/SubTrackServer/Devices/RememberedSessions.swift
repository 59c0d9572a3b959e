import Passwords
import SubTrackAPI

/// Who tokens stand for, as it was looked up a short while ago.
///
/// All of a user's are found without looking at anybody else's: what one user changes is forgotten at once, however many
/// others are remembered.
struct RememberedSessions {
    /// An answer and its age.
    struct Entry {
        let session: Session
        let readAt: ContinuousClock.Instant
    }

    private(set) var entries: [TokenHash: Entry] = [:]
    private var hashes: [UserID: Set<TokenHash>] = [:]

    /// What is remembered of a token; nil when nothing is. Setting nil forgets it.
    subscript(hash: TokenHash) -> Entry? {
        get { entries[hash] }
        set {
            let former = entries.updateValue(newValue, forKey: hash)
            if let former, former.session.user != newValue?.session.user { unlink(hash, from: former.session.user) }
            if let newValue { hashes[newValue.session.user, default: []].insert(hash) }
        }
    }

    /// Forgets all tokens of a user.
    mutating func removeAll(of user: UserID) {
        for hash in hashes.removeValue(forKey: user) ?? [] { entries[hash] = nil }
    }

    /// Forgets what was looked up before a moment, and everything where that leaves more than so many.
    mutating func removeAll(readBefore limit: ContinuousClock.Instant, keepingAtMost maximum: Int) {
        for (hash, entry) in entries where entry.readAt < limit { self[hash] = nil }
        guard entries.count > maximum else { return }
        entries.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
    }

    private mutating func unlink(_ hash: TokenHash, from user: UserID) {
        hashes[user]?.remove(hash)
        if hashes[user]?.isEmpty == true { hashes[user] = nil }
    }
}

extension Dictionary {
    /// Sets or removes a value.
    /// - Returns: what was there before.
    fileprivate mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        guard let value else { return removeValue(forKey: key) }
        return updateValue(value, forKey: key)
    }
}
