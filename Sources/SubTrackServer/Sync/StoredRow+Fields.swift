import SubTrackAPI

// The stored values of a row, by the names of the fields that change it.

extension StoredSubscription {
    /// The value of a field of `subscriptions.update`.
    /// - Parameter plan: the subscription's plan, if it is the user's own.
    func value(of field: String, plan: StoredPlan?) -> AnyJSON {
        switch field {
        case "planId": .integer(planId)
        case "plan": plan.map { plan in .object(plan.values) } ?? .null
        case "startDate": .string(startDate.description)
        case "nextRenewal": .string(endDate.description)
        case "freeTrial": .bool(freeTrial)
        case "fee": ownFee.map { .string($0.description) } ?? .null
        case "autoRenew": .bool(autoRenew)
        case "reminderDays": reminderDays.map { .integer(Int64($0)) } ?? .null
        case "label": label.map { .string($0) } ?? .null
        case "note": note.map { .string($0) } ?? .null
        default: .null
        }
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
