import Passwords
import SubTrackAPI

/// The header by which a push service knows the sender of a message (RFC 8292).
enum VAPIDToken {
    /// How many seconds a token holds; a push service takes 24 hours at most.
    private static let lifetime: Int64 = 12 * 3600

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    /// The value of `Authorization`.
    /// - Parameters:
    ///   - audience: scheme, host and port of the push service, as an origin.
    ///   - subject: a way to the operator: a URL, or `mailto:` and an address.
    /// - Throws: `CryptographyError`, `EncodingError`.
    static func header(audience: String, subject: String, key: P256Key, now: Instant) throws -> String {
        let claims = try OutputEncoder.encode(
            Claims(aud: audience, exp: now.secondsSince1970 + lifetime, sub: subject))
        let text =
            Base64.urlSafe.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + Base64.urlSafe.encode(claims)
        let signature = Base64.urlSafe.encode(try key.signature(of: Array(text.utf8)))
        return "vapid t=\(text).\(signature), k=\(Base64.urlSafe.encode(key.publicKey))"
    }
}
