import SubTrackAPI

/// Up to which versions the sockets of a tenant's users know that something has changed.
struct ToldVersions: Sendable {
    private struct Told {
        /// The scopes that the user saw when they were read last.
        var scopes: [SyncScope]
        /// Whether the user's own rows have changed since then, and with them perhaps the scopes.
        var isStale = false
        var versions: [SyncScope: Int64] = [:]
    }

    /// Something new for a user's sockets.
    struct News: Sendable, Equatable {
        let scope: SyncScope
        let version: Int64
    }

    private var users: [UserID: Told] = [:]
    /// The users who see a shared scope.
    private var members: [ScopeID: Set<UserID>] = [:]

    /// Whether nothing is known of anybody.
    var isEmpty: Bool { users.isEmpty }

    /// Whether it is known how far a user's sockets are.
    func knows(_ user: UserID) -> Bool { users[user] != nil }

    /// Whether a user's scopes have to be read: they are not known, or may have changed.
    func isUnsure(of user: UserID) -> Bool { users[user]?.isStale != false }

    /// Forgets all users but these.
    mutating func keep(_ watching: Set<UserID>) {
        for (user, told) in users where !watching.contains(user) {
            setMember(user, of: told.scopes, false)
            users[user] = nil
        }
    }

    /// The scopes that a user sees; nil when they are not known.
    func scopes(of user: UserID) -> [SyncScope]? { users[user]?.scopes }

    /// The users who see one of some scopes that a write has changed: their own, or shared ones.
    func users(of scopes: Set<ScopeID>) -> Set<UserID> {
        var found: Set<UserID> = []
        for scope in scopes {
            let user = UserID(uuid: scope.uuid)
            if knows(user) { found.insert(user) }
            found.formUnion(members[scope] ?? [])
        }
        return found
    }

    /// Notes which scopes a user sees.
    mutating func learn(_ user: UserID, _ scopes: [SyncScope]) {
        var told = users[user] ?? Told(scopes: [])
        setMember(user, of: told.scopes, false)
        told.scopes = scopes
        told.isStale = false
        // Of a scope that the user has left nothing is remembered: a later one is told anew.
        let seen = Set(scopes)
        told.versions = told.versions.filter { seen.contains($0.key) }
        users[user] = told
        setMember(user, of: scopes, true)
    }

    /// Notes that a user's first socket will pull changes up to these versions by itself.
    mutating func begin(_ user: UserID, _ scopes: [SyncScope], _ versions: [SyncScope: Int64]) {
        guard users[user] == nil else { return }
        learn(user, scopes)
        users[user]?.versions = versions
    }

    /// The scopes that are new to a user, which are noted as told. A version below the told one is news too: a backup
    /// was restored. Where the user's own rows have changed, the others are told once the user's scopes were read again:
    /// a former member hears of no later change.
    mutating func news(for user: UserID, _ versions: [SyncScope: Int64]) -> [News] {
        guard let scopes = users[user]?.scopes else { return [] }
        var news: [News] = []
        // The user's own comes first.
        for scope in scopes {
            guard let version = versions[scope], version != users[user]?.versions[scope] else { continue }
            users[user]?.versions[scope] = version
            news.append(News(scope: scope, version: version))
            guard !scope.isUser else {
                users[user]?.isStale = true
                break
            }
        }
        return news
    }

    private mutating func setMember(_ user: UserID, of scopes: [SyncScope], _ isMember: Bool) {
        for scope in scopes where scope.kind.isShared {
            if isMember {
                members[scope.id, default: []].insert(user)
            } else {
                members[scope.id]?.remove(user)
                if members[scope.id]?.isEmpty == true { members[scope.id] = nil }
            }
        }
    }
}
