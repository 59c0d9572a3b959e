import Foundation

/// The key of a reminder: it is said once. A device makes the same key as the service.
public struct ReminderKey: Sendable, Hashable {
    /// The subscription, the date of a contact, or the user.
    public let subject: UUID
    /// The kind.
    public let kind: ReminderKind
    /// The day that it is about.
    public let occursOn: CalendarDate
    /// How many days before that day it is due, -32,768…32,767; negative: after it.
    public let lead: Int

    /// A key of its parts.
    public init(subject: UUID, kind: ReminderKind, occursOn: CalendarDate, lead: Int) {
        self.subject = subject
        self.kind = kind
        self.occursOn = occursOn
        self.lead = lead
    }

    /// The id of the reminder's row: that of the subject, with the other parts mixed into its last six bytes.
    ///
    /// Two keys of one subject have different ids. Those of two subjects are as different as the random bytes of the subjects' ids.
    public var id: UUID {
        let day = UInt64(truncatingIfNeeded: occursOn.daysSince1970) & 0xFF_FFFF
        let mixed = UInt64(kind.number) << 40 | day << 16 | UInt64(UInt16(truncatingIfNeeded: lead))
        var bytes = subject.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for place in 0..<6 { bytes[15 - place] ^= UInt8(truncatingIfNeeded: mixed >> (8 * UInt64(place))) }
        }
        return UUID(uuid: bytes)
    }
}
