import SubTrackAPI

/// How a subscription stands on a given day. All of it depends on the user's today, so none of it is stored.
public struct SubscriptionStanding: Sendable, Hashable {
    /// Whether it goes on, runs out, or has ended.
    public let status: Subscription.Status
    /// Days from today to the end date; 0 on that day, negative once past it.
    public let remaining: Int
    /// The last day to cancel it in time: the end date less the notice days.
    public let cancelBy: CalendarDate

    /// A standing from the values that it depends on.
    /// - Parameters:
    ///   - endDate: the day of the next renewal.
    ///   - cancelledOn: the day on which it was cancelled; nil while it goes on.
    ///   - noticeDays: the plan's when the current period began, 0…1200.
    ///   - today: the user's, in the user's time zone.
    public init(endDate: CalendarDate, cancelledOn: CalendarDate?, noticeDays: Int, today: CalendarDate) {
        remaining = today.days(to: endDate)
        cancelBy = endDate.adding(days: 0 - max(noticeDays, -BillingTerms.durationValues.upperBound))
        status = cancelledOn == nil ? .active : remaining < 0 ? .ended : .cancelled
    }

    /// Whether it is active and past its end: it should have been renewed or cancelled.
    public var isOverdue: Bool { status == .active && remaining < 0 }

    /// How many days before its end a subscription is due, where its user has not said it.
    public static let usualReminderDays = 7

    /// Whether it renews today or within so many days (seven unless asked otherwise). A cancelled subscription does not
    /// renew, and an overdue one should have already.
    public func isDue(within days: Int = usualReminderDays) -> Bool {
        status == .active && remaining >= 0 && remaining <= days
    }
}
