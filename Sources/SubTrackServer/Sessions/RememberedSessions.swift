import Passwords
import SubTrackAPI

/// Cache of the sessions of tokens.
///
/// All entries of a user are found without reading those of others. A user's change drops them at once, with any number
/// of other entries.
struct RememberedSessions {
    /// An answer and its age.
    struct Entry {
        let session: Session
        let readAt: ContinuousClock.Instant
    }

    private(set) var entries: [TokenHash: Entry] = [:]
    private var hashes: [UserID: Set<TokenHash>] = [:]

    /// The entry of a token; nil when there is none. Setting nil removes it.
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

    /// Removes entries from before a moment, and all entries where that leaves more than so many.
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
    /// - Returns: the entry before.
    fileprivate mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        guard let value else { return removeValue(forKey: key) }
        return updateValue(value, forKey: key)
    }
}
