import SubTrackAPI

/// Up to which versions the sockets of a tenant's users know that something has changed.
struct ToldVersions: Sendable {
    private struct Told {
        /// Nil: the user's rows have changed since it was looked which they are.
        var scopes: [SyncScope]?
        var versions: [SyncScope: Int64] = [:]
    }

    /// Something new for a user's sockets.
    struct News: Sendable, Equatable {
        let scope: SyncScope
        let version: Int64
    }

    private var users: [UserID: Told] = [:]

    /// Whether nothing is known of anybody.
    var isEmpty: Bool { users.isEmpty }

    /// Whether it is known how far a user's sockets are.
    func knows(_ user: UserID) -> Bool { users[user] != nil }

    /// Forgets all users but these.
    mutating func keep(_ watching: Set<UserID>) { users = users.filter { watching.contains($0.key) } }

    /// The scopes that a user sees; nil when they are not known, or have changed.
    func scopes(of user: UserID) -> [SyncScope]? { users[user]?.scopes }

    /// Notes which scopes a user sees.
    mutating func learn(_ user: UserID, _ scopes: [SyncScope]) { users[user, default: .init()].scopes = scopes }

    /// Notes that a user's first socket will pull changes up to these versions by itself.
    mutating func begin(_ user: UserID, _ scopes: [SyncScope], _ versions: [SyncScope: Int64]) {
        guard users[user] == nil else { return }
        users[user] = Told(scopes: scopes, versions: versions)
    }

    /// The scopes that are new to a user, which are noted as told. A version below the told one is news too: a backup
    /// was restored.
    mutating func news(for user: UserID, _ versions: [SyncScope: Int64]) -> [News] {
        guard let scopes = users[user]?.scopes else { return [] }
        var news: [News] = []
        for scope in scopes {
            guard let version = versions[scope], version != users[user]?.versions[scope] else { continue }
            users[user]?.versions[scope] = version
            news.append(News(scope: scope, version: version))
            // The user's visible scopes may have changed with it.
            if scope.isUser { users[user]?.scopes = nil }
        }
        return news
    }
}
