import HTTPTypes
import Hummingbird
import NIOCore

/// An operation's answer as an HTTP response.
enum HTTPReply {
    /// How long an answer that is the same for everybody may be kept, in seconds.
    static let sharedMaxAge = 60

    /// The response to a call that went well.
    /// - Parameter status: the operation's status of success.
    static func response(_ reply: EncodedReply, status: Int) -> Response {
        var headers = HTTPFields()
        headers[.cacheControl] = reply.isShared ? "public, max-age=\(sharedMaxAge)" : "no-store"
        // The same path answers otherwise to somebody else.
        if reply.isShared { headers[.vary] = "Authorization" }
        if let tag = reply.tag { headers[.eTag] = tag.quoted }
        if reply.isUnchanged { return Response(status: .notModified, headers: headers) }
        guard let body = reply.body else { return Response(status: .init(code: status), headers: headers) }
        headers[.contentType] = "application/json"
        return Response(
            status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
