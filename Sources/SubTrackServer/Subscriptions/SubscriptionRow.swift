import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A subscription as it is stored, with its plan and the price of its next period.
struct SubscriptionRow {
    /// The columns that ``init(row:today:)`` reads: `s` is the subscription, `p` its plan, the rest is ``PlanRow``'s.
    /// The tables are joined in this order: whose rows they are is known, and the optimizer at times begins with the
    /// plans. A period is ended by the notice that held when it began (``PlanOutlook/noticeDays(for:)``).
    static let selection: SQL = selection(.joined)

    /// ``selection``, with the further prices of plans or with nothing in their place.
    static func selection(_ join: PricedJoin) -> SQL {
        """
        SELECT STRAIGHT_JOIN s.Subscription_ID, s.Start_date, s.End_date, s.Free_trial, s.Anchor_date, s.Anchor_count,
               s.Period, s.Period_fee, s.Period_currency, s.Own_fee, s.Auto_renew, s.Cancelled_on, s.Reminder_days,
               s.Muted, s.Label, s.Note, s.Ver, IF(p.Terms_since > s.Start_date, p.Former_notice_days, p.Notice_days),
               \(PlanRow.columns(join))
        """
    }

    /// The index of the plan's first column.
    private static let firstOfPlan = 18

    let id: UUID
    let state: BillingState
    let current: Price
    let ownFee: Amount?
    let autoRenew: Bool
    let cancelledOn: CalendarDate?
    let reminderDays: Int?
    let muted: Bool
    private(set) var label: String?
    private(set) var note: String?
    let version: Int64
    /// How many days before its end the current period must be cancelled.
    let noticeDays: Int
    private(set) var plan: PlanRow
    private var pricesOfNext: PriceOnDay

    /// The plan's price on the first day of the next period.
    var next: Price { pricesOfNext.price }

    /// Whether it renews by itself and its period has ended.
    func awaitsRenewal(today: CalendarDate) -> Bool { autoRenew && cancelledOn == nil && state.end <= today }

    /// How it stands on a day.
    func standing(today: CalendarDate) -> SubscriptionStanding {
        SubscriptionStanding(
            endDate: state.end, cancelledOn: cancelledOn, noticeDays: noticeDays, today: today)
    }

    /// Forgets label and note, which take most of the row's memory.
    mutating func dropTexts() { (label, note) = (nil, nil) }
}

extension SubscriptionRow: PricedRow {
    var planID: Int64 { plan.id }

    init(row: Row, today: CalendarDate) throws {
        id = try row.decode(UUID.self, at: 0)
        state = BillingState(
            start: try row.decode(CalendarDate.self, at: 1), end: try row.decode(CalendarDate.self, at: 2),
            anchor: try row.decode(CalendarDate.self, at: 4), anchorCount: try row.decode(Int.self, at: 5),
            number: try row.decode(Int.self, at: 6), freeTrial: try row.decode(Bool.self, at: 3))
        current = Price(fee: try row.decode(Amount.self, at: 7), currency: try row.decode(String.self, at: 8))
        ownFee = try row.decode(Amount?.self, at: 9)
        autoRenew = try row.decode(Bool.self, at: 10)
        cancelledOn = try row.decode(CalendarDate?.self, at: 11)
        reminderDays = try row.decode(Int?.self, at: 12)
        muted = try row.decode(Bool.self, at: 13)
        label = try row.decode(String?.self, at: 14)
        note = try row.decode(String?.self, at: 15)
        version = try row.decode(Int64.self, at: 16)
        noticeDays = try row.decode(Int.self, at: 17)
        plan = try PlanRow(row: row, from: Self.firstOfPlan, today: today)
        pricesOfNext = PriceOnDay(state.end, effectiveOn: plan.storedSince, price: plan.stored)
        if let entry = try PlanRow.price(of: row, from: Self.firstOfPlan) {
            pricesOfNext.consider(entry.effectiveOn, entry.price)
        }
    }

    func isContinued(by row: Row) throws -> Bool { try row.decode(UUID.self, at: 0) == id }

    mutating func takePrice(of row: Row) throws {
        guard let entry = try PlanRow.price(of: row, from: Self.firstOfPlan) else { return }
        plan.take(entry)
        pricesOfNext.consider(entry.effectiveOn, entry.price)
    }

    mutating func take(_ line: PriceLine) {
        plan.take(line)
        pricesOfNext.take(line)
    }
}
