import SubTrackAPI

/// Escapes, separators and folds of vCard (RFC 6350 §3.2 to §3.4), on bytes of UTF-8.
enum VCardText {
    /// Splits at a byte that no backslash escapes. Parts keep their escapes.
    static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 1
            } else if bytes[index] == separator {
                parts.append(bytes[start..<index])
                start = index + 1
            }
            index += 1
        }
        parts.append(bytes[start...])
        return parts
    }

    /// The text of an escaped value. A backslash before another character than those that are escaped stays.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < bytes.endIndex else {
                plain.append(byte)
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "n"), UInt8(ascii: "N"): plain.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): plain.append(bytes[index])
            default: plain += [byte, bytes[index]]
            }
            index += 1
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// A text as a value, or as a component of one.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x2C || $0 == 0x3B || $0 == 0x0A }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a line with its end. After every 75 bytes it is folded, before a character and not inside one.
    static func fold(_ line: String, into output: inout [UInt8]) {
        var width = 0
        for scalar in line.utf8.count <= 75 ? "".unicodeScalars : line.unicodeScalars {
            let encoded = UTF8.encode(scalar)
            let count = encoded?.count ?? 0
            if width + count > 75 {
                output += [0x0D, 0x0A, 0x20]
                width = 1
            }
            if let encoded { output.append(contentsOf: encoded) }
            width += count
        }
        if line.utf8.count <= 75 { output.append(contentsOf: line.utf8) }
        output += [0x0D, 0x0A]
    }

    // MARK: Cleaning

    /// A text of one line as it is stored; nil: nothing is left. Lines are joined by a text, tabs become spaces.
    static func line(_ text: String, joint: String = ", ") -> String? {
        var line = text
        if text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            line = text.split { $0.isNewline }.compactMap { stored(String($0).replacing("\t", with: " ")) }
                .joined(separator: joint)
        }
        return stored(line)
    }

    /// A text of several lines as it is stored; nil: nothing is left.
    static func paragraph(_ text: String) -> String? { stored(text, multiline: true) }

    /// The text without white space at its ends, by the rule for all texts that people type.
    private static func stored(_ text: String, multiline: Bool = false) -> String? {
        // Control characters were refused before, so that nothing throws.
        try? InputText.optional(text, field: "", maximum: VCardReader.maximumCardBytes, multiline: multiline)
    }
}
