import SubTrackAPI

/// What was paid for a subscription, by what its user did on which day. Neither when that arrived at a service counts, nor
/// who looked meanwhile. It counts months by itself.
struct PaidModel: Sendable {
    /// A plan: how many months a period lasts, and what it costs.
    struct Terms: Sendable {
        var id: Int64
        var months: Int
        var fee: Amount
    }

    /// All plans have a trial of a week.
    static let trialDays = 7

    private(set) var terms: Terms
    private(set) var number = 0
    private(set) var start: CalendarDate
    private(set) var end: CalendarDate
    private var anchor: CalendarDate
    /// How many periods lie between anchor and end; 0: a trial.
    private var count: Int
    private var ownFee: Amount?
    private var fee: Amount
    private var isTrial: Bool
    private(set) var autoRenew: Bool
    private(set) var isCancelled = false
    private(set) var isDeleted = false
    private var ended: [String] = []

    init(_ terms: Terms, start: CalendarDate, freeTrial: Bool, autoRenew: Bool) {
        self.terms = terms
        self.start = start
        self.autoRenew = autoRenew
        isTrial = freeTrial
        anchor = start
        count = freeTrial ? 0 : 1
        end = freeTrial ? start.adding(days: Self.trialDays) : Self.date(start, months: terms.months)
        fee = freeTrial ? Amount(units: 0, digits: 2) : terms.fee
    }

    /// All periods, the current one last.
    var periods: [String] { ended + [line] }

    private var line: String { "\(number) \(start) \(end) \(fee)\(isTrial ? " trial" : "")" }

    /// A day some months later, or the last one of that month.
    static func date(_ day: CalendarDate, months: Int) -> CalendarDate {
        let (year, month, number) = day.components
        let index = year * 12 + month - 1 + months
        for last in stride(from: number, to: 27, by: -1) {
            if let date = CalendarDate(year: index / 12, month: index % 12 + 1, day: last) { return date }
        }
        return CalendarDate(year: index / 12, month: index % 12 + 1, day: number) ?? day
    }

    /// Days pass.
    mutating func advance(to day: CalendarDate) {
        while autoRenew, !isCancelled, !isDeleted, end <= day { renew() }
    }

    /// The next period, without a gap.
    mutating func renew() {
        ended.append(line)
        number += 1
        // The calendar goes on where the plan has put the end so far.
        if count > 0, Self.date(anchor, months: count * terms.months) == end {
            count += 1
        } else {
            (anchor, count) = (end, 1)
        }
        begin(end, Self.date(anchor, months: count * terms.months))
    }

    /// A period after a gap.
    private mutating func beginAnew(on day: CalendarDate) {
        ended.append(line)
        number += 1
        (anchor, count) = (day, 1)
        begin(day, Self.date(day, months: terms.months))
    }

    private mutating func begin(_ start: CalendarDate, _ end: CalendarDate) {
        (self.start, self.end, isTrial) = (start, end, false)
        fee = ownFee ?? terms.fee
    }

    mutating func cancel() { isCancelled = true }
    mutating func delete() { isDeleted = true }

    mutating func resume(on day: CalendarDate) {
        if isCancelled, day > end { beginAnew(on: day) }
        isCancelled = false
        advance(to: day)
    }

    mutating func set(autoRenew: Bool, on day: CalendarDate) {
        if autoRenew, !self.autoRenew, !isCancelled, day > end { beginAnew(on: day) }
        self.autoRenew = autoRenew
        advance(to: day)
    }

    mutating func set(fee: Amount?) {
        ownFee = fee
        if !isTrial { self.fee = fee ?? terms.fee }
    }

    mutating func set(_ other: Terms, on day: CalendarDate) {
        let isAnother = other.id != terms.id
        terms = other
        if isAnother {
            if isTrial, count == 0 {
                (anchor, end) = (start, start.adding(days: Self.trialDays))
            } else if Self.date(anchor, months: count * other.months) != end {
                (anchor, count, end) = (start, 1, Self.date(start, months: other.months))
            }
        }
        if !isTrial { fee = ownFee ?? other.fee }
        advance(to: day)
    }

    mutating func restore(on day: CalendarDate) {
        if isDeleted, autoRenew, !isCancelled, day > end { beginAnew(on: day) }
        isDeleted = false
        advance(to: day)
    }
}
