/// Base 64 without padding (RFC 4648 §4 and §5), accepted in its one canonical spelling alone.
public struct Base64: Sendable {
    private let characters: [UInt8]
    /// For each byte the six bits it stands for, 255 for none.
    private let values: [UInt8]

    /// `+` and `/` as the last two: the alphabet of PHC strings.
    static let standard = Base64(last: "+/")
    /// `-` and `_` as the last two: safe in URLs and headers.
    public static let urlSafe = Base64(last: "-_")

    private init(last: String) {
        characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + Array(last.utf8)
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// Spells bytes.
    public func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(characters[Int(buffer >> UInt32(bits)) & 63])
            }
        }
        if bits > 0 { text.append(characters[Int(buffer << UInt32(6 - bits)) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the text that `encode` writes.
    ///
    /// - Returns: The bytes; nil for a foreign character, padding, an impossible length, or unused bits that are not
    ///   zero. Because two spellings of one token would be two keys of one lock.
    public func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            if value == 255 { return nil }
            buffer = (buffer << 6 | UInt32(value)) & 0xffff
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 6, buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return bytes
    }
}
