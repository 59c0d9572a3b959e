import Foundation

/// Encodings of vCard 2.1: quoted-printable (RFC 2045 §6.7), and other character sets than UTF-8.
enum QuotedPrintable {
    /// The bytes of a value whose soft line breaks are joined. An `=` without two hexadecimal digits stays.
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                plain.append(high << 4 | low)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        default: nil
        }
    }

    /// The text that the bytes are in a character set; nil where they are not, or the set is not known.
    /// Bytes that are UTF-8 are taken as such: programs that write UTF-8 leave another name in `CHARSET`.
    static func text(_ bytes: [UInt8], charset: String) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard let encoding = encodings[charset.uppercased()] else { return nil }
        return String(data: Data(bytes), encoding: encoding)
    }

    private static let encodings: [String: String.Encoding] = [
        "ISO-8859-1": .isoLatin1, "LATIN1": .isoLatin1, "ISO-8859-2": .isoLatin2, "WINDOWS-1250": .windowsCP1250,
        "WINDOWS-1251": .windowsCP1251, "WINDOWS-1252": .windowsCP1252, "WINDOWS-1253": .windowsCP1253,
        "WINDOWS-1254": .windowsCP1254, "SHIFT_JIS": .shiftJIS, "SHIFT-JIS": .shiftJIS, "EUC-JP": .japaneseEUC,
        "ISO-2022-JP": .iso2022JP,
    ]
}
