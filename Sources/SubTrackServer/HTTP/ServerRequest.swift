import NIOCore
import NIOHTTP1
import SubTrackAPI

/// An HTTP request with its whole body, whichever version of HTTP it came by.
struct ServerRequest: Sendable {
    let method: HTTPMethod
    /// The request target (RFC 9112 §3.2), in origin form where it names a path.
    let target: String
    /// The host that was asked, with or without port.
    let authority: String?
    let headers: HTTPHeaders
    /// At most ``maximumBody`` bytes.
    let body: ByteBuffer
    /// The id that the answer carries.
    let id: String
    /// The other end of the connection: the client, or a proxy in front of the service.
    let peer: SocketAddress?
    /// Whether the connection itself is encrypted.
    let isTLS: Bool

    /// The largest body that is read, in bytes.
    static let maximumBody = 1 << 20

    /// The problem of a larger one.
    /// - Parameter length: its size in bytes where that is known.
    static func tooLarge(length: Int?) -> Problem {
        Problem(.tooLarge, "The body may have \(maximumBody) bytes\(length.map { ", has \($0)" } ?? "").")
    }

    /// The problem of a body for which there is no memory at the moment.
    static let crowded = Problem(
        .unavailable, "There are too many large requests under way; try again in a moment.")
}

/// An HTTP response, whichever version of HTTP it goes by.
struct ServerResponse: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    /// Nil where there is none, which is not the same as an empty one.
    var body: ByteBuffer?
    /// The body in place of ``body``, where it is sent in parts.
    var spooled: SpooledAnswer?

    /// The length of the body in bytes.
    var length: Int { spooled?.length ?? body?.readableBytes ?? 0 }

    /// The names that every answer may have.
    enum Name {
        static let requestID = "x-request-id"
        static let contentLength = "content-length"
    }

    /// How many bytes of a spooled body are sent at a time.
    static let partSize = 64 << 10
}
