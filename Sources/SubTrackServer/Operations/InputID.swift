import Foundation
import SubTrackAPI

/// Checks of ids that clients make.
enum InputID {
    /// A UUID of RFC 9562: with its variant and a version, so neither the nil UUID nor sixteen bytes of something else.
    static func checked(_ id: UUID, field: String = "id") throws -> UUID {
        let bytes = id.uuid
        guard bytes.8 & 0xC0 == 0x80, (1...8).contains(bytes.6 >> 4) else {
            throw Problem.input(field, .malformed, "must be a UUID of RFC 9562, such as one of version 4 or 7")
        }
        return id
    }
}
