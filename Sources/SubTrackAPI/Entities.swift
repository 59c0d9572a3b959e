import Foundation

/// The span of one period of a plan.
public struct PlanDuration: Codable, Sendable, Hashable {
    /// A unit of the calendar.
    public enum Unit: String, Codable, Sendable, CaseIterable {
        case day, week, month, year
    }

    /// How many units, 1…1200.
    public var value: Int
    /// The unit.
    public var unit: Unit

    /// A span of so many units.
    public init(value: Int, unit: Unit) {
        self.value = value
        self.unit = unit
    }
}

extension PlanDuration: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["value": .number(1...1200).example("1")]
}

/// A product of a provider in one country, or a user's own plan.
public struct Plan: Codable, Sendable, Hashable {
    /// The plan's number.
    public var id: Int64
    /// The provider.
    public var provider: String
    /// Its name: `Premium`.
    public var name: String
    /// Its kind: `Standard`, `Student`, `Family` …
    public var type: String
    /// The provider's category: `Video`.
    public var category: String
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// The cost of a period that begins today.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// How long a period lasts.
    public var duration: PlanDuration
    /// Days of a free trial; null when there is none.
    public var trialDays: Int?
    /// Days before the end by which it must be cancelled.
    public var noticeDays: Int
    /// Whether it is no longer sold.
    public var withdrawn: Bool
    /// Whether it is a user's own plan, which only that user sees.
    public var `private`: Bool

    /// A plan with all its fields.
    public init(
        id: Int64, provider: String, name: String, type: String, category: String, country: String, fee: Amount,
        currency: String, duration: PlanDuration, trialDays: Int?, noticeDays: Int, withdrawn: Bool, private: Bool
    ) {
        self.id = id
        self.provider = provider
        self.name = name
        self.type = type
        self.category = category
        self.country = country
        self.fee = fee
        self.currency = currency
        self.duration = duration
        self.trialDays = trialDays
        self.noticeDays = noticeDays
        self.withdrawn = withdrawn
        self.private = `private`
    }
}

/// A user's use of a plan, in its current period.
public struct Subscription: Codable, Sendable, Hashable, Versioned {
    /// How a subscription stands.
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// Goes on; past its end date it is overdue.
        case active
        /// Runs out at its end date.
        case cancelled
        /// Was cancelled and is past its end.
        case ended
    }

    /// The cost of the next period.
    public struct Next: Codable, Sendable, Hashable {
        /// The fee.
        public var fee: Amount
        /// ISO 4217.
        public var currency: String
        /// The day on which that period begins.
        public var on: CalendarDate

        /// A fee, its currency and the day it is due.
        public init(fee: Amount, currency: String, on: CalendarDate) {
            self.fee = fee
            self.currency = currency
            self.on = on
        }
    }

    /// The subscription's id, made by the client or the service.
    public var id: UUID
    /// The plan that is used.
    public var plan: Plan
    /// The user's own name for it.
    public var label: String?
    /// First day of the current period.
    public var startDate: CalendarDate
    /// Day of the next renewal: the day after the current period's last.
    public var endDate: CalendarDate
    /// Days from the user's today to ``endDate``; negative once past it.
    public var remaining: Int
    /// Number of the current period; it only grows.
    public var period: Int
    /// The cost of the current period.
    public var fee: Amount
    /// ISO 4217.
    public var currency: String
    /// The cost of the next period; null when the subscription was cancelled.
    public var next: Next?
    /// Whether the current period is a free trial.
    public var freeTrial: Bool
    /// Whether the provider renews it without being asked.
    public var autoRenew: Bool
    /// How it stands.
    public var status: Status
    /// The last day to cancel it in time: ``endDate`` less the notice days that held when the period began.
    public var cancelBy: CalendarDate
    /// How many days before ``endDate`` the user wants to be reminded; null: as usual.
    public var reminderDays: Int?
    /// Whether it is muted: reminders tell only that it is overdue.
    public var muted: Bool
    /// The user's note.
    public var note: String?
    /// Version of the row, for `If-Match`.
    public var version: Int64

    /// A subscription with all its fields.
    public init(
        id: UUID, plan: Plan, label: String?, startDate: CalendarDate, endDate: CalendarDate, remaining: Int,
        period: Int, fee: Amount, currency: String, next: Next?, freeTrial: Bool, autoRenew: Bool, status: Status,
        cancelBy: CalendarDate, reminderDays: Int?, muted: Bool = false, note: String?, version: Int64
    ) {
        self.id = id
        self.plan = plan
        self.label = label
        self.startDate = startDate
        self.endDate = endDate
        self.remaining = remaining
        self.period = period
        self.fee = fee
        self.currency = currency
        self.next = next
        self.freeTrial = freeTrial
        self.autoRenew = autoRenew
        self.status = status
        self.cancelBy = cancelBy
        self.reminderDays = reminderDays
        self.muted = muted
        self.note = note
        self.version = version
    }

    /// Reads a subscription. An older service, and an older file of an export, do not tell whether it is muted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        plan = try container.decode(Plan.self, forKey: .plan)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        startDate = try container.decode(CalendarDate.self, forKey: .startDate)
        endDate = try container.decode(CalendarDate.self, forKey: .endDate)
        remaining = try container.decode(Int.self, forKey: .remaining)
        period = try container.decode(Int.self, forKey: .period)
        fee = try container.decode(Amount.self, forKey: .fee)
        currency = try container.decode(String.self, forKey: .currency)
        next = try container.decodeIfPresent(Next.self, forKey: .next)
        freeTrial = try container.decode(Bool.self, forKey: .freeTrial)
        autoRenew = try container.decode(Bool.self, forKey: .autoRenew)
        status = try container.decode(Status.self, forKey: .status)
        cancelBy = try container.decode(CalendarDate.self, forKey: .cancelBy)
        reminderDays = try container.decodeIfPresent(Int.self, forKey: .reminderDays)
        muted = (try? container.decode(Bool.self, forKey: .muted)) ?? false
        note = try container.decodeIfPresent(String.self, forKey: .note)
        version = try container.decode(Int64.self, forKey: .version)
    }
}

/// One period of a subscription, past or current.
public struct Period: Codable, Sendable, Hashable {
    /// Its number.
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

    /// A period with all its fields.
    public init(
        number: Int, startDate: CalendarDate, endDate: CalendarDate, fee: Amount, currency: String, freeTrial: Bool
    ) {
        self.number = number
        self.startDate = startDate
        self.endDate = endDate
        self.fee = fee
        self.currency = currency
        self.freeTrial = freeTrial
    }
}

/// A person inside a tenant.
public struct User: Codable, Sendable, Hashable, Versioned {
    /// An account that leads to the user.
    public struct Account: Codable, Sendable, Hashable {
        /// The e-mail address.
        public var email: String
        /// Whether its owner has shown to receive mail there.
        public var verified: Bool

        /// An account with all its fields.
        public init(email: String, verified: Bool) {
            self.email = email
            self.verified = verified
        }
    }

    /// The user's id.
    public var id: UUID
    /// The user's name; null until given.
    public var userName: String?
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// IANA name of the time zone in which days are counted: `Europe/Berlin`.
    public var timeZone: String
    /// The accounts that lead to the user.
    public var accounts: [Account]
    /// Version of the row, for `If-Match`.
    public var version: Int64

    /// A user with all fields.
    public init(
        id: UUID, userName: String?, country: String, timeZone: String, accounts: [Account], version: Int64
    ) {
        self.id = id
        self.userName = userName
        self.country = country
        self.timeZone = timeZone
        self.accounts = accounts
        self.version = version
    }
}

/// An installation of a client.
public struct Device: Codable, Sendable, Hashable {
    /// The device's id, made by the client or the service.
    public var id: UUID
    /// The user's name for it: `Ada's phone`.
    public var name: String

    /// A device with its fields.
    public init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}
