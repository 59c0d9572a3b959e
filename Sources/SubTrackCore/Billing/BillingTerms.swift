import SubTrackAPI

/// The lengths of a plan's periods: all that the billing calendar needs of a plan.
public struct BillingTerms: Sendable, Hashable {
    /// How long a paid period lasts.
    public let duration: PlanDuration
    /// How many days a free trial lasts; 0: a trial lasts as long as a paid period.
    public let trialDays: Int

    /// The durations that a plan may have, in its unit.
    public static let durationValues = 1...1200
    /// The lengths of a trial that a plan may have, in days; 0: no length of its own.
    public static let trialLengths = 0...1200

    /// Takes a plan's duration and the days of its trial, nil when it has none.
    /// - Throws: ``BillingError/durationOutOfRange(_:)`` or ``BillingError/trialDaysOutOfRange(_:)``.
    public init(duration: PlanDuration, trialDays: Int? = nil) throws(BillingError) {
        guard Self.durationValues.contains(duration.value) else {
            throw .durationOutOfRange(duration.value)
        }
        guard Self.trialLengths.contains(trialDays ?? 0) else {
            throw .trialDaysOutOfRange(trialDays ?? 0)
        }
        self.duration = duration
        self.trialDays = trialDays ?? 0
    }

    /// Takes the terms of a plan.
    /// - Throws: ``BillingError/durationOutOfRange(_:)`` or ``BillingError/trialDaysOutOfRange(_:)``.
    public init(_ plan: Plan) throws(BillingError) {
        try self.init(duration: plan.duration, trialDays: plan.trialDays)
    }
}

extension PlanDuration {
    /// The duration as whole months and days, one of which is 0: a year is 12 months, a week 7 days.
    ///
    /// Saturates for values that no plan may have, so that it is defined for all decoded values.
    public var span: (months: Int, days: Int) {
        func times(_ factor: Int) -> Int {
            let product = value.multipliedReportingOverflow(by: factor)
            return product.overflow ? (value < 0 ? .min : .max) : product.partialValue
        }
        return switch unit {
        case .day: (0, value)
        case .week: (0, times(7))
        case .month: (value, 0)
        case .year: (times(12), 0)
        }
    }
}
