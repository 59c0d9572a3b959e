/// A bearer token: 256 random bits that stand for a session. Opaque to clients.
///
/// Its text is given out once and never stored; the service stores its `hash`. With 256 random bits a fast hash is
/// enough: there is nothing to guess, so a stolen database opens no session.
public struct Token: Sendable {
    private let bytes: [UInt8]

    /// The prefix of every token. With it scanners find one that was pasted in a wrong place.
    public static let prefix = "sub_"
    private static let byteCount = 32
    /// 32 bytes are 43 characters of base64url.
    private static let characterCount = prefix.utf8.count + 43

    /// Makes a new token.
    ///
    /// - Throws: `CryptographyError.noRandomness`.
    public static func generate() throws(CryptographyError) -> Token {
        Token(bytes: try SecureRandom.bytes(byteCount))
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a token that a client presents.
    ///
    /// - Parameter text: `sub_` and 43 characters of base64url; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Base64.urlSafe.decode(text.dropFirst(Self.prefix.count)), bytes.count == Self.byteCount
        else { return nil }
        self.bytes = bytes
    }

    /// The token's text, for its owner alone.
    public var text: String { Self.prefix + Base64.urlSafe.encode(bytes) }

    /// The stored form of the token.
    ///
    /// - Throws: `CryptographyError.digestFailed`.
    public var hash: TokenHash {
        get throws(CryptographyError) {
            TokenHash(digest: try Digest.sha256(bytes))
        }
    }
}

/// The SHA-256 of a token's 32 bytes, as it is stored (`BINARY(32)`).
public struct TokenHash: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    static let byteCount = 32

    fileprivate init(digest: [UInt8]) {
        bytes = digest
    }

    /// A hash that was stored; nil unless it is 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Compares in constant time.
    public static func == (a: TokenHash, b: TokenHash) -> Bool { constantTimeEqual(a.bytes, b.bytes) }

    /// Feeds the hash into a table's.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

// A token that is printed, logged or dumped by mistake shows nothing.
extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Token(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
