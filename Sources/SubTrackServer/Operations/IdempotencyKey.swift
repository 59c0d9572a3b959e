import Foundation
import SubTrackAPI

/// A key that a client gives a write, so that sending it again does not do it again (`Idempotency-Key`).
struct IdempotencyKey: Sendable, Hashable {
    /// The longest key, in bytes.
    static let maximumLength = 128

    /// The key as it is stored.
    let text: String

    /// Takes 1 to 128 visible ASCII characters, with or without the quotes of a structured field (RFC 9651 §3.3.3).
    /// - Throws: `input_invalid`.
    init(_ header: String) throws(Problem) {
        var text = header.trimmingSpaces()
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            text = String(text.dropFirst().dropLast())
        }
        guard (1...Self.maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem.input(
                "idempotencyKey", .malformed,
                "must have 1 to \(Self.maximumLength) visible ASCII characters; a UUID is a good one")
        }
        self.text = text
    }

    /// The key of a pushed change.
    init(_ key: UUID) { text = key.uuidString.lowercased() }
}
