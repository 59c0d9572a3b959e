import SubTrackAPI

/// The fields of a subscription that merge on their own: what one device says of the note has nothing to do with what
/// another says of the renewal. The database keeps a version for each group.
public enum FieldGroup: Sendable, Hashable, CaseIterable {
    /// Plan, dates and fee.
    case billing
    /// Renewal, cancelling and reminder.
    case intent
    /// Label and note.
    case notes

    /// The group of a field of `subscriptions.update`; nil for a field that there is not.
    public init?(field: String) {
        switch field {
        case "planId", "plan", "startDate", "nextRenewal", "freeTrial", "fee": self = .billing
        case "autoRenew", "reminderDays": self = .intent
        case "label", "note": self = .notes
        default: return nil
        }
    }
}

/// What becomes of an offline change when the row has changed meanwhile.
public enum FieldMerge {
    /// Parts the fields of a change into those that are written and those that are lost.
    ///
    /// The server's order decides: a field of a group that somebody else has changed since is not written, and its sender
    /// is told. A field that has the same value on both sides is neither.
    /// - Parameters:
    ///   - fields: what was sent.
    ///   - base: the version of the row that the sender knew.
    ///   - version: the version of the last change by somebody else of a field's group; nil for a field that is in none,
    ///     which is passed on for whoever reads it to refuse.
    ///   - kept: what is stored of a field.
    public static func split(
        _ fields: [String: AnyJSON], base: Int64, version: (_ field: String) -> Int64?,
        kept: (_ field: String) -> AnyJSON
    ) -> (written: [String: AnyJSON], lost: [LostField]) {
        var written: [String: AnyJSON] = [:]
        var lost: [LostField] = []
        for (field, yours) in fields.sorted(by: { $0.key < $1.key }) {
            guard let version = version(field), version > base else {
                written[field] = yours
                continue
            }
            let kept = kept(field)
            if kept != yours { lost.append(LostField(field: field, kept: kept, yours: yours)) }
        }
        return (written, lost)
    }
}
