import SubTrackAPI
import SubTrackCore

/// The period of a subscription that a reminder is about.
struct RemindedPeriod: Sendable {
    let number: Int
    let start: CalendarDate
    let end: CalendarDate
    let freeTrial: Bool
}

extension SubscriptionRow {
    /// The current period.
    var period: RemindedPeriod {
        RemindedPeriod(number: state.number, start: state.start, end: state.end, freeTrial: state.freeTrial)
    }

    /// Whether the matter of a reminder has not changed.
    /// - Parameters:
    ///   - day: the day that the reminder is about.
    ///   - period: the period in which the subscription is; nil: the current one.
    func isStill(_ kind: ReminderKind, on day: CalendarDate, in period: RemindedPeriod? = nil) -> Bool {
        let period = period ?? self.period
        let isActive = cancelledOn == nil
        switch kind {
        case .renewal:
            return isActive && !period.freeTrial && (period.end == day || hasBegun(on: day, period))
        case .trial: return isActive && period.freeTrial && period.end == day
        case .cancelBy: return isActive && period.end.adding(days: -noticeDays) == day
        case .price: return isActive
        case .ended: return !isActive && period.end == day
        case .overdue: return isActive && period.end == day
        case .date, .debts, .digest: return false
        }
    }

    /// Whether the renewal of a day has come by itself.
    func hasBegun(on day: CalendarDate, _ period: RemindedPeriod) -> Bool { autoRenew && period.start == day }
}
