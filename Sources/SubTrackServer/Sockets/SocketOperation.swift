import MariaDB
import Passwords
import SubTrackAPI

/// Something that only a socket can be asked, for it is about the socket itself.
struct SocketOperation: Sendable {
    /// The method's name.
    let name: String
    /// The kinds of sockets that know it.
    let kinds: Set<LiveConnection.Kind>
    /// Reads its input, does it, and gives its output as JSON.
    let perform: @Sendable (_ input: OperationInput, _ call: SocketCall) async throws -> [UInt8]?

    /// An operation on a socket.
    /// - Parameters:
    ///   - input: what its params are decoded as; a field that the type does not have is refused.
    ///   - handler: what it does; it throws a ``SubTrackAPI/Problem`` for what the caller did wrong.
    init<Input: Decodable & Sendable, Output: Encodable & Sendable>(
        _ name: String, kinds: Set<LiveConnection.Kind>, input: Input.Type,
        handler: @escaping @Sendable (Input, SocketCall) async throws -> Output
    ) {
        self.name = name
        self.kinds = kinds
        perform = { input, call in
            let output = try await handler(try await input.decode(as: Input.self), call)
            return Output.self == Empty.self ? nil : try OutputEncoder.encode(output)
        }
    }
}

/// The circumstances of one call of a ``SocketOperation``.
struct SocketCall: Sendable {
    /// The socket that it came by. No other request of it runs meanwhile.
    let connection: LiveConnection
    /// All sockets.
    let connections: LiveConnections
    /// Finds tenants.
    let dispatcher: OperationDispatcher
    /// Tells sockets of changes.
    let changes: ChangeWatch
    /// What the clock showed when the call came in.
    let now: Instant
}

extension SocketOperation {
    /// All operations on sockets.
    static let all: [SocketOperation] = [open, watch]

    /// `session.open {tenant?, token?}`: whom the socket speaks for from now on.
    ///
    /// It may come again, for who registers a device or signs in on a socket goes on with the new token. What was
    /// watched is not watched any more. Where it is refused, all stays as it was.
    private static let open = SocketOperation("session.open", kinds: [.plain], input: OpenSession.self) { input, call in
        let tenant = try await call.dispatcher.tenant(slug: input.tenant, host: nil)
        let token = try input.token.map { (text) throws -> TokenHash in
            guard let token = Token(text) else { throw SessionStore.malformed }
            return try token.hash
        }
        var session: Session?
        if let token {
            do {
                session = try await tenant.lookUp(token, from: call.connection.origin) {
                    try await tenant.sessions.session(hash: token)
                }
            } catch let error as MariaDBError {
                throw await call.dispatcher.error(error, in: tenant)
            }
        }
        call.connections.setWatch(nil, of: call.connection)
        let user = session?.user
        call.connection.update { identity in
            identity.slug = tenant.slug
            identity.token = token
            identity.user = user
        }
        return OpenSession.Output(tenant: tenant.slug, user: session.map { $0.user.uuid.uuidString.lowercased() })
    }

    /// `changes.watch`: from now on the socket is told of changes in what its user sees.
    ///
    /// A WebSocket is told unasked; there it changes nothing.
    private static let watch = SocketOperation("changes.watch", kinds: [.plain, .webSocket], input: Empty.self) {
        _, call in
        let identity = call.connection.identity
        let tenant = try await call.dispatcher.tenant(slug: identity.slug, host: nil)
        guard let token = identity.token else {
            throw Problem(.tokenMissing, "Open the session first: session.open with a token.")
        }
        do {
            let session = try await tenant.lookUp(token, from: call.connection.origin) {
                try await tenant.sessions.session(hash: token)
            }
            try await call.changes.begin(session.user, in: tenant)
            call.connections.setWatch(.init(tenant: tenant.slug, user: session.user), of: call.connection)
            return Empty()
        } catch let error as MariaDBError {
            throw await call.dispatcher.error(error, in: tenant)
        }
    }
}

/// The input of `session.open`.
private struct OpenSession: Codable, Sendable {
    /// The tenant's slug; `default` unless given.
    var tenant: String?
    /// A bearer token; without one the public operations are open.
    var token: String?

    struct Output: Encodable, Sendable {
        let tenant: String
        /// The user's id; nil without a token.
        let user: String?
    }
}
