import SubTrackAPI

/// The fields of a row that merge on their own: one device's note has nothing to do with another's renewal. The
/// database keeps a version for each group.
public struct FieldGroup: RawRepresentable, Sendable, Hashable, Codable {
    /// The name. That of a part of a declared row is the part's path: `phones.0190…`.
    public let rawValue: String

    /// A group of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Of a subscription its dates, which a person's renewal changes too. One that came by itself is nobody's change.
    public static let billing = FieldGroup(rawValue: "billing")
    /// Of a subscription plan and own fee, which outlast a renewal.
    public static let terms = FieldGroup(rawValue: "terms")
    /// Of a subscription renewal, cancelling and reminders.
    public static let intent = FieldGroup(rawValue: "intent")
    /// Of a subscription label and note.
    public static let notes = FieldGroup(rawValue: "notes")
    /// Of the user the name.
    public static let name = FieldGroup(rawValue: "name")
    /// Of the user the country.
    public static let country = FieldGroup(rawValue: "country")
    /// Of the user the time zone.
    public static let zone = FieldGroup(rawValue: "zone")
    /// All of a plan of the user's own.
    public static let plan = FieldGroup(rawValue: "plan")

    /// The group of a field of `subscriptions.update`; nil for a field that there is not.
    public init?(field: String) {
        switch field {
        case "startDate", "nextRenewal", "freeTrial": self = .billing
        case "planId", "plan", "fee": self = .terms
        case "autoRenew", "reminderDays", "muted": self = .intent
        case "label", "note": self = .notes
        default: return nil
        }
    }

    /// The group of a field of `me.update`; nil for a field that there is not.
    public init?(userField: String) {
        switch userField {
        case "userName": self = .name
        case "country": self = .country
        case "timeZone": self = .zone
        default: return nil
        }
    }
}

/// The result of an offline change when the row has changed meanwhile.
public enum FieldMerge {
    /// Parts the fields of a change into those that are written and those that are lost.
    ///
    /// The server's order decides: a field of a group that somebody else has changed since is not written, and its sender
    /// is told. A field that has the same value on both sides is neither.
    /// - Parameters:
    ///   - fields: the sent values.
    ///   - isTaken: whether somebody else has changed a field's group since; nil for a field that is in none, which is
    ///     passed on and refused later.
    ///   - kept: the stored value of a field.
    public static func split(
        _ fields: [String: AnyJSON], isTaken: (_ field: String) -> Bool?, kept: (_ field: String) -> AnyJSON
    ) -> (written: [String: AnyJSON], lost: [LostField]) {
        var written: [String: AnyJSON] = [:]
        var lost: [LostField] = []
        for (field, yours) in fields.sorted(by: { $0.key < $1.key }) {
            guard isTaken(field) == true else {
                written[field] = yours
                continue
            }
            let kept = kept(field)
            if !isSame(yours, kept, field: field) { lost.append(LostField(field: field, kept: kept, yours: yours)) }
        }
        return (written, lost)
    }

    /// Whether the sent value means the stored one: an amount in other digits, some fields of a plan.
    private static func isSame(_ yours: AnyJSON, _ kept: AnyJSON, field: String) -> Bool {
        switch (yours, kept) {
        case (.string(let one), .string(let other)) where field == "fee":
            one == other || Amount(one) != nil && Amount(one) == Amount(other)
        case (.object(let members), .object(let all)):
            members.allSatisfy { name, value in all[name].map { isSame(value, $0, field: name) } ?? false }
        default: yours == kept
        }
    }
}
