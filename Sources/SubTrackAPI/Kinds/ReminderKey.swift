import Foundation

/// The key of a reminder: it is said once. A device makes the same key as the service.
///
/// Its text is the reminder's id: `renewal.0190a1b2-….2027-03-01.7`.
public struct ReminderKey: Sendable, Hashable {
    /// The subscription, the date of a contact, or the user.
    public let subject: UUID
    /// The kind.
    public let kind: ReminderKind
    /// The day that it is about.
    public let occursOn: CalendarDate
    /// How many days before that day it is due; negative: after it.
    public let lead: Int

    /// A key of its parts.
    public init(subject: UUID, kind: ReminderKind, occursOn: CalendarDate, lead: Int) {
        self.subject = subject
        self.kind = kind
        self.occursOn = occursOn
        self.lead = lead
    }
}

extension ReminderKey: LosslessStringConvertible {
    /// Reads an id; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let kind = ReminderKind(rawValue: parts[0]), let subject = UUID(uuidString: parts[1]),
            let day = CalendarDate(parts[2]), let lead = Int16(parts[3]), String(lead) == parts[3]
        else { return nil }
        self.init(subject: subject, kind: kind, occursOn: day, lead: Int(lead))
    }

    /// The id.
    public var description: String { "\(kind.rawValue).\(subject.uuidString.lowercased()).\(occursOn).\(lead)" }
}
