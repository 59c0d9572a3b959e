import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Passwords
import SubTrackAPI

/// Who may open a WebSocket at `GET /v1/live`, and how a connection becomes one (RFC 6455 §4.2).
struct LiveUpgrade: Sendable {
    let dispatcher: SocketDispatcher
    let quota: ConnectionQuota

    /// Finds out whom a WebSocket would speak for.
    /// - Parameters:
    ///   - target: the request's, as it stands in its first line.
    ///   - authority: the request's Host.
    ///   - authorization: the header; a browser, which cannot send it, is not let in: its page has no token.
    ///   - address: where the connection comes from.
    /// - Throws: the problem that the request is answered with.
    func identity(
        target: String, authority: String?, authorization: String?, address: SocketAddress?
    ) async throws -> LiveConnection.Identity {
        guard let target = try? RequestTarget(target) else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        if let stray = target.query.first {
            throw Problem.input(stray.name, .unknown, "there is no such parameter")
        }
        let tenant = try await dispatcher.dispatcher.tenant(slug: target.slug, host: authority)
        guard let text = try BearerToken.text(of: authorization) else {
            throw Problem(
                .tokenMissing, "Send the header \"Authorization: Bearer <token>\" with the request to upgrade.")
        }
        guard let token = Token(text) else { throw SessionStore.malformed }
        let hash = try token.hash
        let session = try await tenant.sessions.session(hash: hash)
        guard quota.hasRoom(for: address) else {
            throw Problem(.unavailable, "There are too many open sockets; try again later.")
        }
        return LiveConnection.Identity(
            slug: tenant.slug, token: hash, watch: .init(tenant: tenant.slug, user: session.user))
    }

    /// Why a request for the live path that came by HTTP is no WebSocket.
    /// - Parameter isUpgrade: whether it asks for one.
    static func refusal(isUpgrade: Bool) -> Problem {
        isUpgrade
            ? Problem(.inputInvalid, "A WebSocket is opened by the first request of a connection; open another one.")
            : Problem(.upgradeRequired, "This path takes WebSockets alone: send Upgrade: websocket (RFC 6455).")
    }

    /// Adds the handlers of a connection that begins with a request for the live path.
    func addHandlers(to channel: any Channel) throws {
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(LiveUpgradeHandler(live: self, encoder: encoder, decoder: decoder))
    }
}
