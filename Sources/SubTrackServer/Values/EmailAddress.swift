import Foundation
import SubTrackAPI

/// An e-mail address, checked: `Addr-Spec` of RFC 5322 §3.4.1 without quotes and comments, international as in RFC 6531.
///
/// Only a mail shows whether mail arrives there. This refuses typing errors, and texts that a mail program could
/// misread.
struct EmailAddress: Sendable, Hashable {
    /// As it was typed, in Unicode's normal form C. Two addresses that differ in case are the same: the database's
    /// `Email_key` decides.
    let text: String

    /// The longest address, in bytes (RFC 5321 §4.5.3.1.3, less the angle brackets).
    static let maximumLength = 254
    /// The longest part before the `@`, in bytes (RFC 5321 §4.5.3.1.1).
    private static let maximumLocalLength = 64

    /// Takes a typed address; spaces around it do not count.
    /// - Throws: `input_invalid` for the field, which repeats nothing of the address.
    init(_ typed: String, field: String = "email") throws {
        // Each character is looked at: not of a text that nobody types.
        guard typed.utf8.count <= 16 * Self.maximumLength else { throw Self.tooLong(field) }
        let typed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard typed.utf8.count <= 4 * Self.maximumLength else { throw Self.tooLong(field) }
        let text = typed.precomposedStringWithCanonicalMapping
        guard text.utf8.count <= Self.maximumLength else { throw Self.tooLong(field) }
        guard let at = text.lastIndex(of: "@") else {
            throw Problem.input(field, .malformed, "is not an e-mail address: it has no @")
        }
        let local = text[..<at]
        let domain = text[text.index(after: at)...]
        guard local.utf8.count <= Self.maximumLocalLength, Self.isLocal(local) else {
            throw Problem.input(field, .malformed, "is not an e-mail address: look at the part before the @")
        }
        guard Self.isDomain(domain) else {
            throw Problem.input(field, .malformed, "is not an e-mail address: look at the part behind the @")
        }
        self.text = text
    }

    /// An address that the database has.
    init(stored text: String) { self.text = text }

    /// The key of limits: equal for addresses that differ in case.
    var limitKey: String { text.lowercased() }

    /// As much of it as its owner recognises and a stranger cannot write to: `a•••@e•••.org`.
    var masked: String {
        guard let at = text.lastIndex(of: "@") else { return "•••" }
        let domain = text[text.index(after: at)...]
        let end = domain.lastIndex(of: ".").map { String(domain[$0...]) } ?? ""
        return "\(text[..<at].prefix(1))•••@\(domain.prefix(1))•••\(end)"
    }

    private static func tooLong(_ field: String) -> Problem {
        .input(field, .range, "may have \(maximumLength) bytes")
    }

    /// Atoms with dots between them.
    private static func isLocal(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.unicodeScalars.allSatisfy(isAtomCharacter)
        }
    }

    /// Labels with dots between them: letters, digits and hyphens inside.
    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.unicodeScalars.allSatisfy { scalar in
                    switch scalar {
                    case "a"..."z", "A"..."Z", "0"..."9", "-": true
                    default: scalar.value >= 0x80 && isVisible(scalar)
                    }
                }
        }
    }

    /// `atext` of RFC 5322 §3.2.3 and of RFC 6531 §3.3.
    private static func isAtomCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}", "~": true
        default: scalar.value >= 0x80 && isVisible(scalar)
        }
    }

    /// Neither a space, nor a control character, nor one that changes how its neighbours look and shows nothing itself.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // The database's small letter of İ is i, Unicode's an i with another dot: it would be one address, and two.
        guard scalar != "\u{130}" else { return false }
        let properties = scalar.properties
        guard !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint, !properties.isNoncharacterCodePoint
        else {
            return false
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
