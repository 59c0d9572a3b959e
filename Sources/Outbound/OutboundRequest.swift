/// A request by POST.
public struct OutboundRequest: Sendable, Hashable {
    /// The address.
    public var url: OutboundURL
    /// Names and values of headers, in their order.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// A header.
    public struct Header: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String

        /// A header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// The line of it for libcurl. A line break in it would be a header of its own, or a body.
        /// - Throws: ``OutboundFault/invalid(_:)``.
        func line() throws(OutboundFault) -> String {
            let isName = { (byte: UInt8) in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
            }
            guard !name.isEmpty, name.utf8.allSatisfy(isName) else {
                throw .invalid("a header's name has a character that is no letter, digit or hyphen")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalid("the header \(name) has a control character")
            }
            // libcurl takes a semicolon for a header without a value.
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
    }

    /// A request.
    public init(_ url: OutboundURL, headers: [Header] = [], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The answer to a request, of any status. A redirect is such an answer too: nobody follows it.
public struct OutboundResponse: Sendable, Hashable {
    /// The most bytes of a body that are read.
    public static let bodyLimit = 64 << 10

    /// The status: 200, for example.
    public let status: Int
    /// The beginning of the body, at most ``bodyLimit``.
    public let body: [UInt8]
    /// Whether the body was longer.
    public let isTruncated: Bool
    /// The wait that the server asks for (RFC 9110 §10.2.3); never negative.
    public let retryAfter: Duration?
}
