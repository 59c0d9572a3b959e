import Foundation
import Passwords
import SubTrackAPI

/// A secret that signs the messages to a webhook (Standard Webhooks).
struct WebhookSecret: Sendable, Equatable {
    /// The key.
    let bytes: [UInt8]

    /// `whsec_` and the key in base 64, as libraries of receivers take it.
    var text: String { "whsec_" + Data(bytes).base64EncodedString() }

    /// The signature of a message: `v1,` and an HMAC-SHA256 of id, time and body in base 64.
    /// - Throws: `CryptographyError`.
    func signature(id: String, at time: Instant, body: [UInt8]) throws(CryptographyError) -> String {
        let head = Array("\(id).\(time.secondsSince1970).".utf8)
        return "v1," + Data(try MessageAuthentication.sha256(head + body, key: bytes)).base64EncodedString()
    }
}

/// The headers of a message to a webhook.
enum WebhookHeaders {
    /// The headers that name a message and sign it.
    /// - Parameter secrets: each of them signs: after a rotation the former one as well.
    /// - Throws: `CryptographyError`.
    static func headers(
        id: String, at time: Instant, body: [UInt8], secrets: [WebhookSecret]
    ) throws(CryptographyError) -> [(name: String, value: String)] {
        var signatures: [String] = []
        for secret in secrets { signatures.append(try secret.signature(id: id, at: time, body: body)) }
        return [
            ("webhook-id", id), ("webhook-timestamp", String(time.secondsSince1970)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
