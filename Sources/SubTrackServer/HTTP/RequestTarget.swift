/// The path and query of a request (RFC 9112 §3.2.1), decoded.
struct RequestTarget: Sendable, Equatable {
    /// The tenant that the path names: `/t/{slug}/…`.
    var slug: String?
    /// The decoded segments after the tenant's.
    var segments: [String]
    /// The query's names and values, in order.
    var query: [JSONValue.Member]

    /// How many parts a query may have.
    static let maximumParts = 64

    /// How many segments a path may have.
    static let maximumSegments = 16

    /// Why a target is not accepted.
    enum Failure: Error, Equatable {
        /// The path cannot be decoded: there is nothing at it.
        case path
        /// The query cannot be decoded, or a name is there twice.
        case query(String)
    }

    /// Reads a target in origin form: `/t/acme/v1/plans?country=US`.
    init(_ target: String) throws(Failure) {
        // By bytes: what separates is ASCII, and to look for characters would take several times as long.
        let bytes = target.utf8
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let path = bytes[..<(mark ?? bytes.endIndex)]
        guard path.first == UInt8(ascii: "/") else { throw .path }
        var segments: [String] = []
        segments.reserveCapacity(4)
        let parts = path.dropFirst().split(
            separator: UInt8(ascii: "/"), maxSplits: Self.maximumSegments, omittingEmptySubsequences: false)
        // No route has as many.
        guard parts.count <= Self.maximumSegments else { throw .path }
        for part in parts {
            guard let text = Self.decode(part, plusIsSpace: false), !text.utf8.contains(0),
                !ClientText.hasTooManyMarks(text)
            else { throw .path }
            segments.append(text)
        }
        if segments.first == "t", segments.count > 2 {
            slug = segments[1]
            segments.removeFirst(2)
        }
        self.segments = segments
        query = []
        guard let mark else { return }
        for pair in bytes[bytes.index(after: mark)...].split(separator: UInt8(ascii: "&")) {
            let sign = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(pair[..<(sign ?? pair.endIndex)], plusIsSpace: true),
                let value = Self.decode(
                    sign.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...], plusIsSpace: true)
            else { throw .query("The query is not percent-encoded UTF-8.") }
            guard !ClientText.hasTooManyMarks(name), !ClientText.hasTooManyMarks(value) else {
                throw .query("A text of the query \(ClientText.tooManyMarks).")
            }
            guard !query.contains(where: { $0.name == name }) else {
                throw .query("\"\(name.excerpt(40))\" is there twice.")
            }
            guard query.count < Self.maximumParts else { throw .query("The query has too many parts.") }
            query.append(.init(name: name, value: .text(value)))
        }
    }

    /// A target in origin form: that of an absolute one (RFC 9112 §3.2.2) without its scheme and host.
    static func origin(of target: String) -> (path: Substring, authority: Substring?) {
        guard !target.utf8.starts(with: "/".utf8) else { return (target[...], nil) }
        // By bytes, as above.
        for scheme in ["http://", "https://"] {
            guard target.utf8.count >= scheme.utf8.count,
                zip(target.utf8, scheme.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
            else { continue }
            let rest = target.utf8.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let path = Substring(rest[end...])
            return (path.utf8.first == UInt8(ascii: "/") ? path : "/" + path, Substring(rest[..<end]))
        }
        return (target[...], nil)
    }

    /// Undoes percent-encoding (RFC 3986 §2.1); nil when it is malformed or the result is not UTF-8.
    private static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") || $0 >= 0x80 }) else {
            return String(Substring(text))
        }
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
