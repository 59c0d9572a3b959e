import SubTrackAPI

// The stored values of a row, by the names of the fields that change it.

extension StoredSubscription {
    /// The values of the fields of `subscriptions.update`, `plan` left out.
    var values: [String: AnyJSON] {
        [
            "planId": .integer(planId), "startDate": .string(startDate.description),
            "nextRenewal": .string(endDate.description), "freeTrial": .bool(freeTrial),
            "fee": ownFee.map { .string($0.description) } ?? .null, "autoRenew": .bool(autoRenew),
            "reminderDays": reminderDays.map { .integer(Int64($0)) } ?? .null,
            "label": label.map { .string($0) } ?? .null, "note": note.map { .string($0) } ?? .null,
        ]
    }
}

extension StoredPlan {
    /// The fields of a plan of the user's own that can be changed.
    static let changeable: Set<String> = [
        "provider", "name", "type", "category", "fee", "currency", "duration", "trialDays", "noticeDays",
    ]

    /// All of them with their values.
    var values: [String: AnyJSON] {
        Dictionary(uniqueKeysWithValues: Self.changeable.map { ($0, value(of: $0)) })
    }

    /// The value of a field.
    func value(of field: String) -> AnyJSON {
        switch field {
        case "provider": .string(provider)
        case "name": .string(name)
        case "type": .string(type)
        case "category": category.map { .string($0) } ?? .null
        case "fee": .string(fee.description)
        case "currency": .string(currency)
        case "duration":
            .object(["value": .integer(Int64(duration.value)), "unit": .string(duration.unit.rawValue)])
        case "trialDays": trialDays.map { .integer(Int64($0)) } ?? .null
        case "noticeDays": .integer(Int64(noticeDays))
        default: .null
        }
    }
}
