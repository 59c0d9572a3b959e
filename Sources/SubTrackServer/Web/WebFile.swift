import NIOCore
import NIOHTTP1
import Passwords
import Synchronization

/// A file of the web app as it is sent: its bytes, compressed and not, with the headers of each answer.
///
/// An answer copies references, so that a file costs hardly more than `/healthz`. A file is compressed when it is first asked for,
/// so that a service with many files starts at once.
struct WebFile: Sendable {
    /// How long a browser may use its copy.
    enum Caching: String {
        /// Asks each time whether it is still the same.
        case asks = "no-cache"
        /// A day.
        case day = "public, max-age=86400"
        /// For ever: the path changes with the content.
        case immutable = "public, max-age=31536000, immutable"
    }

    /// The bytes as they are in the folder.
    let plain: ByteBuffer
    /// The same, compressed; nil for a file that is compressed already.
    private let compressed: Compressed?
    private let tags: (plain: EntityTag, gzip: EntityTag)
    private let headers:
        (plain: HTTPHeaders, gzip: HTTPHeaders, plainUnchanged: HTTPHeaders, gzipUnchanged: HTTPHeaders)

    /// A file.
    /// - Parameters:
    ///   - bytes: its content.
    ///   - path: its name, whose ending gives its type.
    ///   - extra: headers beside those of every file.
    init(_ bytes: [UInt8], path: String, caching: Caching, extra: HTTPHeaders = [:]) throws {
        plain = ByteBuffer(bytes: bytes)
        compressed = WebSourceType.isCompressible(path) ? Compressed(of: plain) : nil
        let digest = try Digest.sha256(bytes).prefix(12).hexadecimal
        // Two representations are two strong tags (RFC 9110 §8.8.3.3).
        tags = (EntityTag(quoted: "\"\(digest)\""), EntityTag(quoted: "\"\(digest)-g\""))
        var common = WebHeaders.page
        common.add(name: "cache-control", value: caching.rawValue)
        if compressed != nil { common.add(name: "vary", value: "Accept-Encoding") }
        common.add(contentsOf: extra)
        func headers(_ tag: EntityTag, isCompressed: Bool, isWhole: Bool) -> HTTPHeaders {
            var headers = common
            headers.add(name: "etag", value: tag.quoted)
            guard isWhole else { return headers }
            headers.add(name: "content-type", value: WebSourceType.of(path))
            if isCompressed { headers.add(name: "content-encoding", value: "gzip") }
            return headers
        }
        self.headers = (
            headers(tags.plain, isCompressed: false, isWhole: true),
            headers(tags.gzip, isCompressed: true, isWhole: true),
            headers(tags.plain, isCompressed: false, isWhole: false),
            headers(tags.gzip, isCompressed: true, isWhole: false)
        )
    }

    /// The answer to a request for the file.
    func response(to request: ServerRequest) -> ServerResponse {
        let sent = compressed.flatMap { AcceptedCoding.gzip(in: request.headers) ? $0.bytes : nil }
        let condition = request.headers.first(name: "if-none-match").map { EntityTagCondition(header: $0) }
        if let condition, condition.matches(tags.plain) || condition.matches(tags.gzip) {
            return ServerResponse(
                status: .notModified, headers: sent == nil ? headers.plainUnchanged : headers.gzipUnchanged)
        }
        return ServerResponse(
            status: .ok, headers: sent == nil ? headers.plain : headers.gzip, body: sent ?? plain)
    }
}

/// A file's bytes in gzip, made once.
private final class Compressed: Sendable {
    private let plain: ByteBuffer
    /// Nil before anybody asked; nil within it where compression gains nothing or cannot be done.
    private let made = Mutex<ByteBuffer??>(nil)

    init(of plain: ByteBuffer) { self.plain = plain }

    var bytes: ByteBuffer? {
        made.withLock { made in
            if let made { return made }
            let bytes = try? GZip.compressed(plain)
            made = .some(bytes)
            return bytes
        }
    }
}

/// The media types of files, by the endings of their names.
enum WebSourceType {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "txt": "text/plain; charset=utf-8",
    ]

    private static func ending(_ path: String) -> String { path.split(separator: ".").last.map(String.init) ?? "" }

    static func of(_ path: String) -> String { types[ending(path)] ?? "application/octet-stream" }

    /// Whether a file is worth compressing: pictures are compressed already.
    static func isCompressible(_ path: String) -> Bool { !["png", "ico"].contains(ending(path)) }
}

/// The codings that a client takes (`Accept-Encoding`, RFC 9110 §12.5.3).
enum AcceptedCoding {
    /// Whether a client takes gzip: named, or covered by `*`, with a weight above zero.
    static func gzip(in headers: HTTPHeaders) -> Bool {
        var star = false
        for value in headers[canonicalForm: "accept-encoding"] {
            let parts = value.split(separator: ";", omittingEmptySubsequences: false)
            let name = parts.first.map { String($0).trimmingSpaces() } ?? ""
            let isRefused = parts.dropFirst().contains { part in
                let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces().lowercased() }
                return pair.count == 2 && pair[0] == "q" && Double(pair[1]) ?? 0 <= 0
            }
            if Substring(name).isASCIIWord("gzip") || Substring(name).isASCIIWord("x-gzip") { return !isRefused }
            if name == "*" { star = !isRefused }
        }
        return star
    }
}

extension Sequence<UInt8> {
    /// Two small digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
