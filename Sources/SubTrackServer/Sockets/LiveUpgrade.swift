import Logging
import MariaDB
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Passwords
import SubTrackAPI

/// Who may open a WebSocket at `GET /v1/live`, and how a connection becomes one (RFC 6455 §4.2).
struct LiveUpgrade: ConnectionUpgrade {
    let dispatcher: SocketDispatcher
    let quota: ConnectionQuota
    let proxies: TrustedProxies

    /// Whom a WebSocket would speak for, and where it comes from.
    struct Caller: Sendable {
        let identity: LiveConnection.Identity
        let origin: CallOrigin
    }

    /// Why a WebSocket is refused to a browser whose cookie is to go.
    struct CookieOver: Error {
        let problem: Problem
        /// The value of `Set-Cookie` that removes the cookie.
        let clearing: String
    }

    /// Finds out whom a WebSocket would speak for.
    ///
    /// A browser's page cannot send the header `Authorization`: it is let in by its cookie, where the page is one of ours.
    /// - Parameters:
    ///   - request: what asks for the WebSocket.
    ///   - address: where the connection comes from.
    ///   - isTLS: whether the connection is encrypted.
    /// - Throws: the problem that the request is answered with; ``CookieOver``.
    func caller(of request: HTTPRequestHead, at address: SocketAddress?, isTLS: Bool) async throws -> Caller {
        guard !request.headers.contains(where: { ClientText.hasTooManyMarks($0.value) }) else {
            throw Problem(.inputInvalid, "A header \(ClientText.tooManyMarks).")
        }
        guard let target = try? RequestTarget(request.uri) else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        if let stray = target.query.first {
            throw Problem.input(stray.name.excerpt(InputDecoder.shownName), .unknown, "there is no such parameter")
        }
        let tenant = try await dispatcher.dispatcher.tenant(
            slug: target.slug,
            host: proxies.host(request.headers.first(name: "host"), peer: address, headers: request.headers) ?? "")
        let web = try WebSession(
            request.headers, tenant: tenant.slug,
            origin: WebOrigin(
                isTLS: isTLS, authority: request.headers.first(name: "host"), peer: address, headers: request.headers,
                proxies: proxies),
            isChange: true, canDeliver: false)
        guard let text = web.token else {
            throw Problem(
                .tokenMissing, "Send the header \"Authorization: Bearer <token>\" with the request to upgrade.")
        }
        guard let token = Token(text) else { throw SessionStore.malformed }
        let hash = try token.hash
        let origin = self.origin(of: request, at: address)
        let session: Session
        do {
            session = try await tenant.lookUp(hash, from: origin) { try await tenant.sessions.session(hash: hash) }
        } catch let problem as Problem {
            // A script does not see why its WebSocket is refused. With the cookie of a deleted user its next request learns that; without
            // it the page would take its user for signed out, and keep what is to be forgotten.
            guard problem.code == .tokenEnded, await web.isOver(by: problem, in: tenant) else { throw problem }
            throw CookieOver(problem: problem, clearing: web.place.clearing)
        } catch let error as MariaDBError {
            throw await dispatcher.dispatcher.error(error, in: tenant)
        }
        guard quota.hasRoom(for: origin) else {
            throw Problem(.unavailable, "There are too many open sockets; try again later.")
        }
        try await dispatcher.changes.begin(session.user, in: tenant)
        return Caller(
            identity: .init(
                slug: tenant.slug, token: hash, user: session.user,
                watch: .init(tenant: tenant.slug, user: session.user)),
            origin: origin)
    }

    /// The caller's network, as requests by HTTP are counted.
    private func origin(of request: HTTPRequestHead, at address: SocketAddress?) -> CallOrigin {
        guard let peer = address?.ipAddress else { return .local }
        return CallOrigin(
            address: proxies.client(peer: peer, headers: request.headers),
            languages: request.headers.first(name: "accept-language"))
    }

    /// Why a request for the live path that came by HTTP is no WebSocket.
    /// - Parameter isUpgrade: whether it asks for one.
    static func refusal(isUpgrade: Bool) -> Problem {
        isUpgrade
            ? Problem(.inputInvalid, "A WebSocket is opened by GET /v1/live of HTTP/1.1, spelt like that.")
            : Problem(.upgradeRequired, "This path takes WebSockets alone: send Upgrade: websocket (RFC 6455).")
    }

    func addHandlers(to channel: any Channel, lease: ConnectionLease?, isTLS: Bool) throws {
        let encoder = HTTPResponseEncoder()
        // While it is found out who asks, nothing is read from the decoder: what comes meanwhile it keeps, up to this.
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes), maximumBufferSize: HTTPConnections.maximumUnparsed
        )
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(handler(encoder: encoder, decoder: decoder, lease: lease, isTLS: isTLS))
    }

    func handler(
        encoder: HTTPResponseEncoder, decoder: ByteToMessageHandler<HTTPRequestDecoder>, lease: ConnectionLease?,
        isTLS: Bool
    ) -> any ChannelHandler {
        LiveUpgradeHandler(live: self, encoder: encoder, decoder: decoder, lease: lease, isTLS: isTLS)
    }
}
