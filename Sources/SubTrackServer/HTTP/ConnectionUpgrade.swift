import NIOCore
import NIOHTTP1

/// A way for an HTTP connection to become a WebSocket.
protocol ConnectionUpgrade: Sendable {
    /// Adds the handlers of a connection that begins with a request for the live path.
    /// - Parameters:
    ///   - lease: the connection's place among those of HTTP.
    ///   - isTLS: whether the connection is encrypted.
    func addHandlers(to channel: any Channel, lease: ConnectionLease?, isTLS: Bool) throws

    /// Makes the handler that takes a connection over from HTTP after other requests.
    /// - Parameters:
    ///   - encoder: the connection's encoder of answers.
    ///   - decoder: the connection's decoder of requests.
    func handler(
        encoder: HTTPResponseEncoder, decoder: ByteToMessageHandler<HTTPRequestDecoder>, lease: ConnectionLease?,
        isTLS: Bool
    ) -> any ChannelHandler
}

/// Requests that ask for a WebSocket (RFC 6455 §4.2.1).
enum UpgradeRequest {
    /// Whether a request asks for a WebSocket where there is one.
    static func isAsked(for request: HTTPRequestHead) -> Bool {
        request.method == .GET && request.version == .http1_1
            && wantsWebSocket(request.headers)
            && FirstLineHandler.kind(of: ByteBuffer(string: "GET \(request.uri) ").readableBytesView) == .live
    }

    /// Whether the headers ask for a WebSocket: a proxy that does not speak it takes `Connection` away (RFC 6455 §4.2.1).
    static func wantsWebSocket(_ headers: HTTPHeaders) -> Bool {
        headers[canonicalForm: "upgrade"].contains { $0.isASCIIWord("websocket") }
            && headers[canonicalForm: "connection"].contains { $0.isASCIIWord("upgrade") }
    }
}
