/// The text form in which a hash is stored: a PHC string, `$pbkdf2-sha512$i=220000$<salt>$<hash>`, salt and hash in
/// base 64 without padding.
extension PasswordHash {
    private static let identifier = "pbkdf2-sha512"

    /// Bounds of a stored hash. A row that somebody planted must not burn minutes of a core.
    enum Limits {
        static let text = 256
        static let iterations = 1...1_000_000
        static let salt = 8...64
        static let derived = 32...64
    }

    /// The hash as text: its parameters, its salt and itself.
    public var encoded: String {
        "$\(Self.identifier)$i=\(iterations)$\(Base64.standard.encode(salt))$\(Base64.standard.encode(derived))"
    }

    /// Reads a stored hash.
    ///
    /// - Throws: `MalformedPasswordHash` for another algorithm, another spelling, or parameters out of bounds.
    public init(encoded text: String) throws(MalformedPasswordHash) {
        guard text.utf8.count <= Limits.text else { throw .init(reason: "it is too long") }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty else { throw .init(reason: "it does not have four parts") }
        guard parts[1] == Self.identifier else { throw .init(reason: "its algorithm is not \(Self.identifier)") }
        guard parts[2].hasPrefix("i="), let iterations = Self.number(parts[2].dropFirst(2)) else {
            throw .init(reason: "its parameters are not i=<rounds>")
        }
        guard Limits.iterations.contains(iterations) else { throw .init(reason: "its rounds are out of bounds") }
        guard let salt = Base64.standard.decode(parts[3]), Limits.salt.contains(salt.count) else {
            throw .init(reason: "its salt is malformed or out of bounds")
        }
        guard let derived = Base64.standard.decode(parts[4]), Limits.derived.contains(derived.count) else {
            throw .init(reason: "the hash itself is malformed or out of bounds")
        }
        self.init(iterations: iterations, salt: salt, derived: derived)
    }

    /// A decimal number in its one spelling: ASCII digits, no sign, no leading zero.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// A stored password hash that cannot be read. It says why, and repeats nothing of it.
public struct MalformedPasswordHash: Error, Equatable, CustomStringConvertible {
    /// The fault.
    public let reason: String

    public var description: String { "The stored password hash cannot be read: \(reason)." }
}
