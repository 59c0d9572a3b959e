import Foundation

/// A password as a person typed it, in the form in which it is hashed: NFKC, UTF-8.
///
/// NFKC (Unicode Standard Annex 15), as NIST SP 800-63B asks. Because the same key on two keyboards may give `é` as one
/// code point or as two, and full-width letters for plain ones. Any character may stand in it.
public struct Password: Sendable {
    let bytes: [UInt8]

    /// How long a password may be, in bytes of its normalised form.
    public static let lengths = 8...1024
    /// A text this long, in bytes, is refused without being normalised.
    private static let longestTyped = 4096

    /// Takes a password that somebody wants to have.
    ///
    /// - Throws: `PasswordProblem`.
    public init(_ text: String) throws(PasswordProblem) {
        try self.init(presented: text)
        guard bytes.count >= Self.lengths.lowerBound else { throw .tooShort }
    }

    /// Takes a password that is to be compared with somebody's: it may be shorter than any is.
    ///
    /// - Throws: `PasswordProblem.tooLong`.
    public init(presented text: String) throws(PasswordProblem) {
        guard text.utf8.count <= Self.longestTyped else { throw .tooLong }
        let bytes = Array(text.precomposedStringWithCompatibilityMapping.utf8)
        guard bytes.count <= Self.lengths.upperBound else { throw .tooLong }
        self.bytes = bytes
    }
}

/// Why a text cannot be a password.
public enum PasswordProblem: Error, Equatable, CustomStringConvertible {
    /// Fewer than 8 bytes.
    case tooShort
    /// More than 1,024 bytes.
    case tooLong

    public var description: String {
        switch self {
        case .tooShort: "A password has at least \(Password.lengths.lowerBound) bytes."
        case .tooLong: "A password has at most \(Password.lengths.upperBound) bytes."
        }
    }
}

// A password that is printed, logged or dumped by mistake shows nothing.
extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Password(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
