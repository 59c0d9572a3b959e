import Foundation
import SubTrackAPI

/// A thing of which reminders tell. Deleted things are left out.
public enum ReminderSubject: Sendable {
    /// A subscription.
    case subscription(Subscribed)
    /// A date of a contact.
    case date(id: UUID, StoredContact.Occasion)

    /// A subscription as its reminders need it.
    public struct Subscribed: Sendable {
        let id: UUID
        let state: BillingState
        let renewsItself: Bool
        let isCancelled: Bool
        let isMuted: Bool
        let reminderDays: Int?
        let outlook: PlanOutlook
        let cost: Price
        let ownFee: Amount?

        /// A subscription's facts.
        /// - Parameters:
        ///   - isMuted: whether only ``ReminderKind/overdue`` is said.
        ///   - reminderDays: its own number of days ahead; nil: the user's settings alone.
        ///   - cost: the cost of the current period.
        ///   - ownFee: the user's own payment, at any price of the plan.
        public init(
            id: UUID, state: BillingState, renewsItself: Bool, isCancelled: Bool,
            isMuted: Bool = false, reminderDays: Int?, outlook: PlanOutlook, cost: Price, ownFee: Amount?
        ) {
            self.id = id
            self.state = state
            self.renewsItself = renewsItself
            self.isCancelled = isCancelled
            self.isMuted = isMuted
            self.reminderDays = reminderDays
            self.outlook = outlook
            self.cost = cost
            self.ownFee = ownFee
        }
    }
}

/// A reminder that was said, with its answer.
public struct SaidReminder: Sendable, Hashable {
    /// Its key.
    public let key: ReminderKey
    /// The answer; nil: nobody has answered.
    public let answer: ReminderAnswer?
    /// The day on which a snoozed one is due again.
    public let snoozedUntil: CalendarDate?

    /// A reminder and its answer.
    public init(key: ReminderKey, answer: ReminderAnswer? = nil, snoozedUntil: CalendarDate? = nil) {
        self.key = key
        self.answer = answer
        self.snoozedUntil = snoozedUntil
    }
}
