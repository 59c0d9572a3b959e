import SubTrackAPI

/// The token of a store: it is given to the service and the user of that store, and to nobody else.
struct SessionTokens: TokenStore {
    /// Where the line is kept.
    let kept: any TokenStore
    /// The service of the store.
    let server: String
    let store: Store

    /// The token for the store's service and user.
    /// - Throws: ``KitError/otherServer(_:)`` where it is another service's.
    func token() throws -> String? {
        guard let text = try kept.token() else { return nil }
        guard let bound = BoundToken(text) else {
            // One that an app put there by itself.
            return text.contains(" ") ? nil : text
        }
        guard bound.server == server else { throw KitError.otherServer(bound.server) }
        // A process ended between a sign-in's rows and its token: this is the former user's.
        if let user = try store.state(.user), user != bound.user { return nil }
        return bound.token
    }

    /// Keeps a token of the store's user, or none.
    func set(_ token: String?) throws { try set(token, user: store.state(.user)) }

    /// Keeps a token of a user.
    func set(_ token: String?, user: String?) throws {
        guard let token, let user else { return try kept.set(token) }
        try kept.set(BoundToken(server: server, user: user, token: token).text)
    }

    /// The user whom the kept token is for, where it says so.
    var user: String? {
        get throws { try kept.token().flatMap { BoundToken($0)?.user } }
    }
}
