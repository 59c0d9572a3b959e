import Foundation
import Passwords
import SubTrackAPI

/// Ids that sort by the time at which they were made (RFC 9562 §5.7).
enum UUIDv7 {
    /// A new id.
    /// - Parameter now: the time that goes into it, in whole seconds.
    /// - Throws: ``Passwords/CryptographyError`` when there are no random bytes.
    static func make(now: Instant) throws -> UUID {
        var bytes = try SecureRandom.bytes(16)
        let milliseconds = UInt64(max(0, now.secondsSince1970)) * 1000 + UInt64(bytes[6]) * 999 / 255
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(8 * (5 - index))) }
        bytes[6] = 0x70 | (bytes[15] & 0x0F)
        bytes[8] = 0x80 | (bytes[8] & 0x3F)
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}
