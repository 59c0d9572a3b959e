import Logging
import SubTrackAPI

/// The fields of a log line: metadata as a flat, bounded list in a stable order, secrets hidden.
///
/// `["a": ["b": "1"], "c": ["x", "y"]]` becomes `a.b`, `c.0` and `c.1`.
struct LogFields {
    /// The longest value, in bytes of UTF-8.
    static let valueLimit = 4_096
    /// The most fields of a line.
    static let countLimit = 64
    private static let keyLimit = 128
    private static let depthLimit = 8

    /// No key occurs twice.
    private(set) var fields: [(key: String, value: String)] = []
    /// How many fields there were no room for.
    private(set) var leftOut = 0
    private var taken: Set<String>

    /// The fields of an event.
    ///
    /// - Parameters:
    ///   - sources: metadata; of a key that occurs in several the last counts.
    ///   - reserved: keys that the line uses itself; such a field gets `metadata.` before its name.
    init(event: LogEvent, sources: [Logger.Metadata?], reserved: Set<String>) {
        taken = reserved
        if let error = event.error {
            add("error.message", "\(error)")
            add("error.type", String(reflecting: type(of: error)))
        }
        let metadata = sources.reduce(into: Logger.Metadata()) { all, source in
            if let source { all.merge(source) { $1 } }
        }
        add(metadata, prefix: "", depth: 0)
    }

    private mutating func add(_ metadata: Logger.Metadata, prefix: String, depth: Int) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            // A secret stays one with all values below it.
            let path = prefix + key
            if Self.isSecret(key) { add(path, "[redacted]") } else { add(value, as: path, depth: depth) }
        }
    }

    private mutating func add(_ value: Logger.Metadata.Value, as key: String, depth: Int) {
        guard fields.count < Self.countLimit else {
            leftOut += 1
            return
        }
        switch value {
        case .string(let text): add(key, text)
        case .stringConvertible(let value): add(key, value.description)
        case .dictionary(let members):
            if members.isEmpty || depth == Self.depthLimit { return add(key, members.isEmpty ? "{}" : "{…}") }
            add(members, prefix: key + ".", depth: depth + 1)
        case .array(let elements):
            if elements.isEmpty || depth == Self.depthLimit { return add(key, elements.isEmpty ? "[]" : "[…]") }
            for (index, element) in elements.enumerated() { add(element, as: "\(key).\(index)", depth: depth + 1) }
        }
    }

    private mutating func add(_ key: String, _ value: String) {
        guard fields.count < Self.countLimit else {
            leftOut += 1
            return
        }
        var unique = String(key.utf8Prefix(Self.keyLimit))
        if taken.contains(unique) { unique = "metadata." + unique }
        while !taken.insert(unique).inserted { unique += "_" }
        fields.append((unique, Self.bounded(value)))
    }

    /// A text of at most `valueLimit` bytes; a longer one is cut, with a mark.
    static func bounded(_ text: String) -> String {
        guard text.utf8.count > valueLimit else { return text }
        return "\(text.utf8Prefix(valueLimit))… [cut, \(text.utf8.count) bytes in all]"
    }

    /// Whether a field of that name is likely to hold a secret.
    ///
    /// A net below the rule that no secret is ever logged. It compares letters alone, so that `accessToken`,
    /// `access_token` and `X-Access-Token` are one. It hides too much rather than too little.
    static func isSecret(_ key: String) -> Bool {
        // By bytes, for this runs for each field of each line.
        var letters: [UInt8] = []
        letters.reserveCapacity(key.utf8.count)
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte + 32)
            default: break
            }
        }
        return letters.indices.contains { start in
            let rest = letters[start...]
            return secretWords.contains { rest.first == $0.first && rest.starts(with: $0) }
        }
    }

    private static let secretWords = [
        "password", "passwd", "passphrase", "token", "secret", "authorization", "bearer", "cookie", "credential",
        "apikey", "privatekey",
    ]
    .map { Array($0.utf8) }
}

extension LogTime {
    /// RFC 3339 in UTC with milliseconds: `2026-01-31T09:30:00.125Z`.
    static func text(_ milliseconds: Int64) -> String {
        let fraction = milliseconds % 1_000 < 0 ? milliseconds % 1_000 + 1_000 : milliseconds % 1_000
        let instant = Instant(secondsSince1970: (milliseconds - fraction) / 1_000)
        return "\(instant.description.dropLast()).\("\(1_000 + fraction)".dropFirst())Z"
    }
}

/// Whether a character is written as an escape in a log line of any format.
///
/// Besides the controls of ASCII: those of Latin-1, which a terminal obeys. Some readers take U+0085, U+2028 and U+2029
/// for the end of a line. Marks of the direction of writing can make a line look like another.
func isEscapedInLogs(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// `\n`, or `\u000b` with four digits, as in JSON; all that `isEscapedInLogs` names lies below U+10000.
func appendLogEscape(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\\"))
    switch scalar {
    case "\n": line.append(UInt8(ascii: "n"))
    case "\r": line.append(UInt8(ascii: "r"))
    case "\t": line.append(UInt8(ascii: "t"))
    default:
        let digits = String(scalar.value, radix: 16)
        line.append(UInt8(ascii: "u"))
        line.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(4 - digits.utf8.count, 0)))
        line.append(contentsOf: digits.utf8)
    }
}
