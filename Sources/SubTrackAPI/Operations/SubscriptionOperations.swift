import Foundation

/// The user's subscriptions.
public struct ListSubscriptions: Operation {
    public static let name = "subscriptions.list"
    public static let endpoint = Endpoint.get("/v1/subscriptions")
    public static let access = Access.device
    public static let summary = "Lists the user's subscriptions, those due first."

    /// A page of subscriptions.
    public struct Output: Codable, Sendable, Hashable {
        /// The subscriptions of this page, by days remaining.
        public var subscriptions: [Subscription]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(subscriptions: [Subscription], nextCursor: String?) {
            self.subscriptions = subscriptions
            self.nextCursor = nextCursor
        }
    }

    /// Only those with at most so many days remaining.
    public var dueWithin: Int?
    /// Only those that stand so.
    public var status: Subscription.Status?
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the subscriptions.
    public init(
        dueWithin: Int? = nil, status: Subscription.Status? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.dueWithin = dueWithin
        self.status = status
        self.limit = limit
        self.cursor = cursor
    }
}

/// A new subscription.
public struct CreateSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.create"
    public static let endpoint = Endpoint.post("/v1/subscriptions", status: 201)
    public static let access = Access.device
    public static let summary = "Adds a subscription to a plan of the catalogue, or to a new plan of the user's own."
    public static let errors = [ErrorCode.idTaken, .tooMany]

    /// The subscription's id, if the client has made one.
    public var id: UUID?
    /// The plan; or else ``plan``.
    public var planId: Int64?
    /// A new plan of the user's own; or else ``planId``.
    public var plan: PrivatePlan?
    /// First day of the current period, 1970-01-02…2999-12-31; the user's today unless given.
    public var startDate: CalendarDate?
    /// Day of the next renewal, in place of ``startDate``.
    public var nextRenewal: CalendarDate?
    /// Whether the current period is a free trial; false unless given.
    public var freeTrial: Bool?
    /// Whether the provider renews it without being asked; false unless given.
    public var autoRenew: Bool?
    /// The user's payment for a period, where that is not the plan's fee, in the plan's currency.
    public var fee: Amount?
    /// The user's own name for it, 1…100 characters.
    public var label: String?
    /// How many days before the end the user wants to be reminded, 0…365.
    public var reminderDays: Int?
    /// Whether it is muted: reminders tell only that it is overdue. False unless given.
    public var muted: Bool?
    /// A note, at most 1,000 characters.
    public var note: String?

    /// A subscription with its details.
    public init(
        id: UUID? = nil, planId: Int64? = nil, plan: PrivatePlan? = nil, startDate: CalendarDate? = nil,
        nextRenewal: CalendarDate? = nil, freeTrial: Bool? = nil, autoRenew: Bool? = nil, fee: Amount? = nil,
        label: String? = nil, reminderDays: Int? = nil, muted: Bool? = nil, note: String? = nil
    ) {
        self.id = id
        self.planId = planId
        self.plan = plan
        self.startDate = startDate
        self.nextRenewal = nextRenewal
        self.freeTrial = freeTrial
        self.autoRenew = autoRenew
        self.fee = fee
        self.label = label
        self.reminderDays = reminderDays
        self.muted = muted
        self.note = note
    }
}

/// One subscription.
public struct GetSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.get"
    public static let endpoint = Endpoint.get("/v1/subscriptions/{id}")
    public static let access = Access.device
    public static let summary = "Gives one subscription."

    /// The subscription.
    public var id: UUID

    /// The subscription of this id.
    public init(id: UUID) { self.id = id }
}

/// A change of a subscription.
public struct UpdateSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.update"
    public static let endpoint = Endpoint.patch("/v1/subscriptions/{id}")
    public static let access = Access.device
    public static let errors = [ErrorCode.tooMany]
    public static let summary = "Changes a subscription (merge patch); a start date corrects the current period."

    /// The subscription.
    public var id: UUID
    /// Another plan.
    public var planId: Patch<Int64>
    /// A change of the plan, which must be the user's own.
    public var plan: Patch<PrivatePlanPatch>
    /// The day on which the current period really began.
    public var startDate: Patch<CalendarDate>
    /// The day on which the current period really ends.
    public var nextRenewal: Patch<CalendarDate>
    /// Whether the current period is a free trial.
    public var freeTrial: Patch<Bool>
    /// Whether the provider renews it without being asked.
    public var autoRenew: Patch<Bool>
    /// The user's payment for a period; null: the plan's price.
    public var fee: Patch<Amount>
    /// The user's own name for it; null: none.
    public var label: Patch<String>
    /// How many days before the end to remind; null: as usual.
    public var reminderDays: Patch<Int>
    /// Whether it is muted: reminders tell only that it is overdue.
    public var muted: Patch<Bool>
    /// A note; null: none.
    public var note: Patch<String>
    /// The day on which it was changed, where that was before today; today unless given, and at the latest. Periods that
    /// renewed by themselves after that day renew again, by the changed fields.
    public var madeOn: CalendarDate?

    /// A change of the named fields.
    public init(
        id: UUID, planId: Patch<Int64> = .keep, plan: Patch<PrivatePlanPatch> = .keep,
        startDate: Patch<CalendarDate> = .keep, nextRenewal: Patch<CalendarDate> = .keep,
        freeTrial: Patch<Bool> = .keep, autoRenew: Patch<Bool> = .keep, fee: Patch<Amount> = .keep,
        label: Patch<String> = .keep, reminderDays: Patch<Int> = .keep, muted: Patch<Bool> = .keep,
        note: Patch<String> = .keep, madeOn: CalendarDate? = nil
    ) {
        self.id = id
        self.planId = planId
        self.plan = plan
        self.startDate = startDate
        self.nextRenewal = nextRenewal
        self.freeTrial = freeTrial
        self.autoRenew = autoRenew
        self.fee = fee
        self.label = label
        self.reminderDays = reminderDays
        self.muted = muted
        self.note = note
        self.madeOn = madeOn
    }
}

/// The end of a subscription's record.
public struct DeleteSubscription: Operation {
    public typealias Output = Empty

    public static let name = "subscriptions.delete"
    public static let endpoint = Endpoint.delete("/v1/subscriptions/{id}")
    public static let access = Access.device
    public static let summary = "Deletes a subscription with its history; it can be restored for 30 days."
    public static let conditions: Conditions = [.idempotencyKey, .ifMatch]

    /// The subscription.
    public var id: UUID
    /// The day on which it was deleted, where that was before today; today unless given, and at the latest. Automatic
    /// renewals after that day are taken back first.
    public var madeOn: CalendarDate?

    /// The subscription of this id.
    public init(id: UUID, madeOn: CalendarDate? = nil) {
        self.id = id
        self.madeOn = madeOn
    }
}

/// A deleted subscription's return.
public struct RestoreSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.restore"
    public static let endpoint = Endpoint.post("/v1/subscriptions/{id}/restore")
    public static let access = Access.device
    public static let summary =
        "Brings a subscription back that was deleted in the last 30 days, with its periods; it renews from then on."
    public static let errors = [ErrorCode.tooMany]

    /// The subscription.
    public var id: UUID
    /// The day on which it was restored, where that was before today; today unless given, and at the latest.
    public var madeOn: CalendarDate?

    /// The subscription of this id.
    public init(id: UUID, madeOn: CalendarDate? = nil) {
        self.id = id
        self.madeOn = madeOn
    }
}

/// The next period of a subscription.
public struct RenewSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.renew"
    public static let endpoint = Endpoint.post("/v1/subscriptions/{id}/renew")
    public static let access = Access.device
    public static let summary = "Ends the current period and begins the next."
    public static let errors = [ErrorCode.statusConflict, .tooMany]

    /// The subscription.
    public var id: UUID
    /// The number of the period that is to end; if it has ended already, nothing changes.
    public var period: Int?
    /// The day on which it was renewed, where that was before today; today unless given, and at the latest.
    public var madeOn: CalendarDate?

    /// A renewal, of a given period or of whichever is current.
    public init(id: UUID, period: Int? = nil, madeOn: CalendarDate? = nil) {
        self.id = id
        self.period = period
        self.madeOn = madeOn
    }
}

/// Lets a subscription run out.
public struct CancelSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.cancel"
    public static let endpoint = Endpoint.post("/v1/subscriptions/{id}/cancel")
    public static let access = Access.device
    public static let summary = "Lets a subscription run out at its end date."

    /// The subscription.
    public var id: UUID
    /// The day on which it was cancelled, where that was before today; today unless given, and at the latest. Automatic
    /// renewals after that day are taken back.
    public var madeOn: CalendarDate?

    /// The subscription of this id.
    public init(id: UUID, madeOn: CalendarDate? = nil) {
        self.id = id
        self.madeOn = madeOn
    }
}

/// Takes a cancellation back.
public struct ResumeSubscription: Operation {
    public typealias Output = Subscription

    public static let name = "subscriptions.resume"
    public static let endpoint = Endpoint.post("/v1/subscriptions/{id}/resume")
    public static let access = Access.device
    public static let errors = [ErrorCode.tooMany]
    public static let summary = "Lets a cancelled subscription go on; one that has ended begins a new period."

    /// The subscription.
    public var id: UUID
    /// The day on which it was resumed, where that was before today; today unless given, and at the latest.
    public var madeOn: CalendarDate?

    /// The subscription of this id.
    public init(id: UUID, madeOn: CalendarDate? = nil) {
        self.id = id
        self.madeOn = madeOn
    }
}

/// All periods of a subscription.
public struct ListPeriods: Operation {
    public static let name = "subscriptions.periods"
    public static let endpoint = Endpoint.get("/v1/subscriptions/{id}/periods")
    public static let access = Access.device
    public static let summary = "Lists the periods of a subscription by number, the current one included."

    /// A page of periods.
    public struct Output: Codable, Sendable, Hashable {
        /// The periods of this page.
        public var periods: [Period]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(periods: [Period], nextCursor: String?) {
            self.periods = periods
            self.nextCursor = nextCursor
        }
    }

    /// The subscription.
    public var id: UUID
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the periods of this subscription.
    public init(id: UUID, limit: Int? = nil, cursor: String? = nil) {
        self.id = id
        self.limit = limit
        self.cursor = cursor
    }
}

extension ListSubscriptions: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "dueWithin": .number(0...3660).example("7"), "limit": .pageLimit, "cursor": .cursor,
    ]
}

extension CreateSubscription: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "planId": .rowNumber, "fee": .fee, "label": .text(0...100), "reminderDays": .number(0...365).example("3"),
        "note": .text(0...1000),
    ]
}

extension UpdateSubscription: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "planId": .rowNumber.notNull, "plan": .notNull, "startDate": .notNull, "nextRenewal": .notNull,
        "freeTrial": .notNull, "autoRenew": .notNull, "fee": .fee, "label": .text(0...100),
        "reminderDays": .number(0...365).example("3"), "muted": .notNull, "note": .text(0...1000),
    ]
}

extension RenewSubscription: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["period": .atLeast(0)]
}

extension ListPeriods: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["limit": .pageLimit, "cursor": .cursor]
}
