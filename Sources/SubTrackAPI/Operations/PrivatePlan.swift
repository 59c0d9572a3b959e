import Foundation

/// A plan of the user's own, which only that user sees.
public struct PrivatePlan: Codable, Sendable, Hashable {
    /// The provider, 1…100 characters.
    public var provider: String
    /// Its name, 1…100 characters.
    public var name: String
    /// Its kind; `Standard` unless given.
    public var type: String?
    /// The user's category for the provider; `Other` unless given.
    public var category: String?
    /// The cost of a period.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// How long a period lasts.
    public var duration: PlanDuration
    /// Days of a free trial, 1…1200.
    public var trialDays: Int?
    /// Days before the end by which it must be cancelled, 0…1200.
    public var noticeDays: Int?

    /// A plan with its details.
    public init(
        provider: String, name: String, type: String? = nil, category: String? = nil, fee: Amount, currency: String,
        duration: PlanDuration, trialDays: Int? = nil, noticeDays: Int? = nil
    ) {
        self.provider = provider
        self.name = name
        self.type = type
        self.category = category
        self.fee = fee
        self.currency = currency
        self.duration = duration
        self.trialDays = trialDays
        self.noticeDays = noticeDays
    }
}

/// A change of a plan of the user's own (merge patch).
public struct PrivatePlanPatch: Codable, Sendable, Equatable {
    /// The provider.
    public var provider: Patch<String>
    /// Its name.
    public var name: Patch<String>
    /// Its kind.
    public var type: Patch<String>
    /// The user's category for the provider.
    public var category: Patch<String>
    /// The cost of a period that begins today or later.
    public var fee: Patch<Amount>
    /// ISO 4217.
    public var currency: Patch<String>
    /// How long the next period lasts.
    public var duration: Patch<PlanDuration>
    /// Days of a free trial; null: none.
    public var trialDays: Patch<Int>
    /// Days before the end by which it must be cancelled.
    public var noticeDays: Patch<Int>

    /// A change of the named fields.
    public init(
        provider: Patch<String> = .keep, name: Patch<String> = .keep, type: Patch<String> = .keep,
        category: Patch<String> = .keep, fee: Patch<Amount> = .keep, currency: Patch<String> = .keep,
        duration: Patch<PlanDuration> = .keep, trialDays: Patch<Int> = .keep, noticeDays: Patch<Int> = .keep
    ) {
        self.provider = provider
        self.name = name
        self.type = type
        self.category = category
        self.fee = fee
        self.currency = currency
        self.duration = duration
        self.trialDays = trialDays
        self.noticeDays = noticeDays
    }
}

extension PrivatePlan: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "provider": .text(1...100).example("Gym"), "name": .text(1...100).example("Off-peak"),
        "type": .text(0...30).example("Student"), "category": .text(0...50).example("Sports"), "fee": .fee,
        "currency": .currency, "trialDays": .number(1...1200), "noticeDays": .number(0...1200),
    ]
}

extension PrivatePlanPatch: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "provider": .text(1...100).notNull, "name": .text(1...100).notNull, "type": .text(1...30).notNull,
        "category": .text(0...50).notNull, "fee": .fee.notNull, "currency": .currency.notNull, "duration": .notNull,
        "trialDays": .number(1...1200), "noticeDays": .number(0...1200).notNull,
    ]
}
