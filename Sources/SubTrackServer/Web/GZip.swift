import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compression of whole files (RFC 1952), by the compressor that NIO has for answers, on a channel without a socket.
enum GZip {
    /// Returns the bytes compressed; nil where that makes them no smaller.
    static func compressed(_ bytes: ByteBuffer) throws -> ByteBuffer? {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HTTPResponseCompressor())
        var asks = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        asks.headers.add(name: "accept-encoding", value: "gzip")
        try channel.writeInbound(HTTPServerRequestPart.head(asks))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: [:])
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        var compressed = ByteBuffer()
        var isCompressed = false
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            switch part {
            case .head(let head): isCompressed = head.headers.first(name: "content-encoding") == "gzip"
            case .body(.byteBuffer(var piece)): compressed.writeBuffer(&piece)
            default: break
            }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return isCompressed && compressed.readableBytes < bytes.readableBytes ? compressed : nil
    }
}
