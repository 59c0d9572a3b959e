extension UnsafeRawBufferPointer {
    /// Whether these bytes are well-formed UTF-8 (Unicode Standard, table 3-7).
    ///
    /// `String(decoding:)` repairs what is not, without a word; and its failing sister is several times slower.
    @usableFromInline
    var isValidUTF8: Bool {
        var position = 0
        while position + 8 <= count {
            // Eight ASCII bytes at a time: no high bit set.
            guard loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else { break }
            position += 8
        }
        while position < count {
            guard self[position] >= 0x80 else {
                position += 1
                continue
            }
            guard let length = multibyteLength(at: position) else { return false }
            position += length
        }
        return true
    }

    /// The length of the well-formed sequence of two to four bytes that begins there.
    private func multibyteLength(at position: Int) -> Int? {
        let length: Int
        // Only the second byte has limits of its own: they exclude overlong forms, surrogates and what lies beyond
        // U+10FFFF.
        let second: ClosedRange<UInt8>
        switch self[position] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard position + length <= count, second.contains(self[position + 1]) else { return nil }
        for offset in 2..<4 where offset < length && self[position + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
