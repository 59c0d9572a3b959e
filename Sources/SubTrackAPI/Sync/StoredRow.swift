import Foundation

/// The stored user. The id of the change is the user's.
public struct StoredUser: Codable, Sendable, Hashable {
    /// The user's name; null until given.
    public var userName: String?
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// IANA name of the time zone in which days are counted.
    public var timeZone: String
    /// The accounts that lead to the user.
    public var accounts: [User.Account]

    /// A user with all that is stored.
    public init(userName: String?, country: String, timeZone: String, accounts: [User.Account]) {
        self.userName = userName
        self.country = country
        self.timeZone = timeZone
        self.accounts = accounts
    }
}

/// A stored subscription. The id of the change is the subscription's.
public struct StoredSubscription: Codable, Sendable, Hashable {
    /// The plan that is used.
    public var planId: Int64
    /// The user's own name for it.
    public var label: String?
    /// First day of the current period.
    public var startDate: CalendarDate
    /// Day of the next renewal: the day after the current period's last.
    public var endDate: CalendarDate
    /// Whether the current period is a free trial.
    public var freeTrial: Bool
    /// The day from which periods are counted: ``endDate`` is ``anchorCount`` durations after it.
    public var anchorDate: CalendarDate
    /// How many durations lie between anchor and end; 0: a trial, whose end is no multiple.
    public var anchorCount: Int
    /// Number of the current period; it only grows.
    public var period: Int
    /// The cost of the current period.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// The user's payment for a period, where that is not the plan's fee.
    public var ownFee: Amount?
    /// Whether the provider renews it without being asked.
    public var autoRenew: Bool
    /// The day on which it was cancelled; null: it goes on.
    public var cancelledOn: CalendarDate?
    /// How many days before ``endDate`` the user wants to be reminded; null: as usual.
    public var reminderDays: Int?
    /// Whether it is muted: reminders tell only that it is overdue.
    public var muted: Bool
    /// The user's note.
    public var note: String?

    /// A subscription with all that is stored.
    public init(
        planId: Int64, label: String?, startDate: CalendarDate, endDate: CalendarDate, freeTrial: Bool,
        anchorDate: CalendarDate, anchorCount: Int, period: Int, fee: Amount, currency: String, ownFee: Amount?,
        autoRenew: Bool, cancelledOn: CalendarDate?, reminderDays: Int?, muted: Bool = false, note: String?
    ) {
        self.planId = planId
        self.label = label
        self.startDate = startDate
        self.endDate = endDate
        self.freeTrial = freeTrial
        self.anchorDate = anchorDate
        self.anchorCount = anchorCount
        self.period = period
        self.fee = fee
        self.currency = currency
        self.ownFee = ownFee
        self.autoRenew = autoRenew
        self.cancelledOn = cancelledOn
        self.reminderDays = reminderDays
        self.muted = muted
        self.note = note
    }

    /// Reads a row. Rows of an older service, and those that an older kit keeps, do not tell whether it is muted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        planId = try container.decode(Int64.self, forKey: .planId)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        startDate = try container.decode(CalendarDate.self, forKey: .startDate)
        endDate = try container.decode(CalendarDate.self, forKey: .endDate)
        freeTrial = try container.decode(Bool.self, forKey: .freeTrial)
        anchorDate = try container.decode(CalendarDate.self, forKey: .anchorDate)
        anchorCount = try container.decode(Int.self, forKey: .anchorCount)
        period = try container.decode(Int.self, forKey: .period)
        fee = try container.decode(Amount.self, forKey: .fee)
        currency = try container.decode(String.self, forKey: .currency)
        ownFee = try container.decodeIfPresent(Amount.self, forKey: .ownFee)
        autoRenew = try container.decode(Bool.self, forKey: .autoRenew)
        cancelledOn = try container.decodeIfPresent(CalendarDate.self, forKey: .cancelledOn)
        reminderDays = try container.decodeIfPresent(Int.self, forKey: .reminderDays)
        muted = (try? container.decode(Bool.self, forKey: .muted)) ?? false
        note = try container.decodeIfPresent(String.self, forKey: .note)
    }
}

/// A stored period that has ended. The id of the change is the subscription's, a space and the number.
public struct StoredPeriod: Codable, Sendable, Hashable {
    /// The subscription.
    public var subscriptionId: UUID
    /// The period's number.
    public var number: Int
    /// Its first day.
    public var startDate: CalendarDate
    /// The day after its last.
    public var endDate: CalendarDate
    /// Its cost.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// Whether it was a free trial.
    public var freeTrial: Bool
    /// The plan that was used.
    public var planId: Int64

    /// A period with all that is stored.
    public init(
        subscriptionId: UUID, number: Int, startDate: CalendarDate, endDate: CalendarDate, fee: Amount,
        currency: String, freeTrial: Bool, planId: Int64
    ) {
        self.subscriptionId = subscriptionId
        self.number = number
        self.startDate = startDate
        self.endDate = endDate
        self.fee = fee
        self.currency = currency
        self.freeTrial = freeTrial
        self.planId = planId
    }
}

/// A plan's terms before their last change.
public struct StoredTerms: Codable, Sendable, Hashable {
    /// The day of the change: periods that began before have these terms until they end.
    public var until: CalendarDate
    /// How long a period lasted.
    public var duration: PlanDuration
    /// Days before the end by which it had to be cancelled.
    public var noticeDays: Int

    /// Terms that held until a day.
    public init(until: CalendarDate, duration: PlanDuration, noticeDays: Int) {
        self.until = until
        self.duration = duration
        self.noticeDays = noticeDays
    }
}

/// A stored plan, of the catalogue or of the user's own. The id of the change is the plan's number.
public struct StoredPlan: Codable, Sendable, Hashable {
    /// The provider.
    public var provider: String
    /// Its name.
    public var name: String
    /// Its kind.
    public var type: String
    /// The user's category for the provider of a plan of the user's own; null: the provider's.
    public var category: String?
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// The cost of a period that begins on ``feeSince`` or later, until the day of a price after it.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// The day from which ``fee`` holds.
    public var feeSince: CalendarDate
    /// How long a period lasts.
    public var duration: PlanDuration
    /// Days of a free trial; null when there is none.
    public var trialDays: Int?
    /// Days before the end by which it must be cancelled.
    public var noticeDays: Int
    /// The terms before their last change; null: they never changed.
    public var formerTerms: StoredTerms?
    /// The day from which it is no longer sold; null: it is sold.
    public var withdrawnOn: CalendarDate?
    /// Whether it is the user's own.
    public var `private`: Bool

    /// A plan with all that is stored.
    public init(
        provider: String, name: String, type: String, category: String?, country: String, fee: Amount,
        currency: String, feeSince: CalendarDate, duration: PlanDuration, trialDays: Int?, noticeDays: Int,
        formerTerms: StoredTerms? = nil, withdrawnOn: CalendarDate?, private: Bool
    ) {
        self.provider = provider
        self.name = name
        self.type = type
        self.category = category
        self.country = country
        self.fee = fee
        self.currency = currency
        self.feeSince = feeSince
        self.duration = duration
        self.trialDays = trialDays
        self.noticeDays = noticeDays
        self.formerTerms = formerTerms
        self.withdrawnOn = withdrawnOn
        self.private = `private`
    }
}

/// Another price of a plan, past or announced. The id of the change is the plan's number, a space and the day.
public struct StoredPrice: Codable, Sendable, Hashable {
    /// The plan.
    public var planId: Int64
    /// The day from which it holds.
    public var effectiveOn: CalendarDate
    /// The cost of a period.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String

    /// A price with all that is stored.
    public init(planId: Int64, effectiveOn: CalendarDate, fee: Amount, currency: String) {
        self.planId = planId
        self.effectiveOn = effectiveOn
        self.fee = fee
        self.currency = currency
    }
}

/// A stored provider of the catalogue. The id of the change is its name.
public struct StoredProvider: Codable, Sendable, Hashable {
    /// Its category: `Video`.
    public var category: String
    /// Its site.
    public var website: String?
    /// Where one cancels.
    public var cancelUrl: String?

    /// A provider with all that is stored.
    public init(category: String, website: String?, cancelUrl: String?) {
        self.category = category
        self.website = website
        self.cancelUrl = cancelUrl
    }
}

/// A stored country. The id of the change is its ISO 3166-1 code.
public struct StoredCountry: Codable, Sendable, Hashable {
    /// Its name in English.
    public var name: String
    /// ISO 4217.
    public var currency: String

    /// A country with all that is stored.
    public init(name: String, currency: String) {
        self.name = name
        self.currency = currency
    }
}

/// A stored currency. The id of the change is its ISO 4217 code.
public struct StoredCurrency: Codable, Sendable, Hashable {
    /// Its name in English.
    public var name: String
    /// Digits after the decimal point.
    public var minorDigits: Int

    /// A currency with all that is stored.
    public init(name: String, minorDigits: Int) {
        self.name = name
        self.minorDigits = minorDigits
    }
}
