import NIOHTTP1
import SubTrackAPI

/// What may not be in the head of a request of HTTP/1, because a proxy in front could read it otherwise: where a body ends, and
/// which host is meant (RFC 9112 §6, §11.2). The parser refuses the rest: fields over several lines, bare line feeds, spaces
/// before a colon, two lengths.
enum HeadFault {
    /// The problem of a head and the status of its answer; nil when the head is sound.
    static func find(in head: HTTPRequestHead) -> (problem: Problem, status: HTTPResponseStatus?)? {
        if let fault = coding(of: head) { return fault }
        if let fault = host(of: head) { return (fault, nil) }
        return nil
    }

    private static func coding(of head: HTTPRequestHead) -> (problem: Problem, status: HTTPResponseStatus?)? {
        let lines = head.headers["transfer-encoding"]
        guard !lines.isEmpty else { return nil }
        guard head.version == .http1_1 else {
            return (.init(.inputInvalid, "HTTP/1.0 has no Transfer-Encoding; send Content-Length."), nil)
        }
        guard !head.headers.contains(name: ServerResponse.Name.contentLength) else {
            return (.init(.inputInvalid, "A request has Content-Length or Transfer-Encoding, not both."), nil)
        }
        let codings = lines.flatMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0).trimmingSpaces().lowercased()
            }
        }
        if codings == ["chunked"] { return nil }
        guard codings.last == "chunked", codings.count(where: { $0 == "chunked" }) == 1, !codings.contains("") else {
            return (.init(.inputInvalid, "Transfer-Encoding must be \"chunked\" and nothing else."), nil)
        }
        return (.init(.inputInvalid, "Transfer-Encoding: the only coding known here is \"chunked\"."), .notImplemented)
    }

    private static func host(of head: HTTPRequestHead) -> Problem? {
        let hosts = head.headers["host"]
        if hosts.count > 1 || (hosts.isEmpty && head.version != .http1_0) {
            return Problem(.inputInvalid, "A request names its host once, in the header Host.")
        }
        let host = hosts.first.map { $0.trimmingSpaces() }
        if let host, !isAuthority(host) {
            return Problem(.inputInvalid, "The header Host is no host with or without port.")
        }
        guard head.method != .CONNECT else { return nil }
        guard let named = RequestTarget.origin(of: head.uri).authority else { return nil }
        guard isAuthority(String(named)), !named.isEmpty else {
            return Problem(.inputInvalid, "The request's target names no host that can be read.")
        }
        if let host, host.lowercased() != named.lowercased() {
            return Problem(.inputInvalid, "The request's target and the header Host name different hosts.")
        }
        return nil
    }

    /// Whether a text is a host with or without port (RFC 3986 §3.2), without a user; an empty one is allowed (RFC 9112 §3.2).
    static func isAuthority(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
    }
}
