import Foundation

/// Numbers without a pattern that are the same each time: SplitMix64 (Steele, Lea and Flood, 2014). They begin anew for
/// each row, so that a row depends on no other.
struct SeedRandom: RandomNumberGenerator {
    /// The kind of a row, so that a user and a plan of the same number have nothing in common.
    enum Kind: UInt64 { case user = 1, plan, subscription, weight }

    private var state: UInt64

    /// The numbers of one row.
    init(seed: UInt32, _ kind: Kind, _ index: Int) {
        state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 ^ kind.rawValue << 56 ^ UInt64(index)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to, not including, another one, which is at least 1.
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(count, 1))) }

    /// Whether something is so that is so in so many of a hundred cases.
    mutating func percent(_ share: Int) -> Bool { below(100) < share }

    /// One of some values; the last of them when there is none, so that it is never empty.
    mutating func pick<Value>(_ values: [Value], else fallback: Value) -> Value {
        values.isEmpty ? fallback : values[below(values.count)]
    }

    /// A UUIDv7 (RFC 9562) whose time is a millisecond of its own.
    mutating func id(milliseconds: UInt64) -> UUID {
        let (first, second) = (next(), next())
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24), byte(milliseconds, 16),
                byte(milliseconds, 8), byte(milliseconds, 0), 0x70 | byte(first, 0) & 0x0F, byte(first, 8),
                0x80 | byte(second, 0) & 0x3F, byte(second, 8), byte(second, 16), byte(second, 24), byte(second, 32),
                byte(second, 40), byte(second, 48), byte(second, 56)
            ))
    }
}
