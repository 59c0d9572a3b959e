import NIOCore
import NIOHTTP1

/// An operation's answer as an HTTP response.
enum HTTPReply {
    /// How long an answer that is the same for everybody may be kept, in seconds.
    static let sharedMaxAge = 60

    /// The response to a call that went well.
    /// - Parameters:
    ///   - status: the operation's status of success.
    ///   - mediaType: the media type of a text; nil: JSON.
    static func response(_ reply: EncodedReply, status: Int, mediaType: String? = nil) -> ServerResponse {
        var headers = HTTPHeaders()
        headers.reserveCapacity(6)
        headers.add(name: "cache-control", value: reply.isShared ? "public, max-age=\(sharedMaxAge)" : "no-store")
        // The same path answers otherwise to somebody else.
        if reply.isShared { headers.add(name: "vary", value: "Authorization, Cookie") }
        if let tag = reply.tag { headers.add(name: "etag", value: tag.quoted) }
        if reply.isUnchanged { return ServerResponse(status: .notModified, headers: headers) }
        let status = HTTPResponseStatus(statusCode: status)
        if let spooled = reply.spooled {
            headers.add(name: "content-type", value: mediaType.map { "\($0); charset=utf-8" } ?? "application/json")
            return ServerResponse(status: status, headers: headers, spooled: spooled)
        }
        guard let body = reply.body else { return ServerResponse(status: status, headers: headers) }
        headers.add(name: "content-type", value: "application/json")
        return ServerResponse(status: status, headers: headers, body: ByteBuffer(bytes: body))
    }
}
