/// A hash that is the same in every process and on every replica: FNV-1a with 64 bits. For entity tags and for noticing
/// that a file changed; not for anything that an attacker must not forge.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in bytes.
    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Takes in a text, and that it ended.
    mutating func combine(_ text: String) {
        combine(text.utf8)
        combine(CollectionOfOne(0xFF))
    }

    /// Takes in a number.
    mutating func combine(_ number: some FixedWidthInteger) {
        var rest = UInt64(truncatingIfNeeded: number)
        for _ in 0..<8 {
            combine(CollectionOfOne(UInt8(truncatingIfNeeded: rest)))
            rest >>= 8
        }
    }
}
