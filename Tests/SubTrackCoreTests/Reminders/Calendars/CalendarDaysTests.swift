import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The days that calendars show.
@Suite("Days in calendars", .ownTime)
struct CalendarDaysTests {
    private let id = UUID()

    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    /// A subscription in a period that began on a day.
    private func subscription(
        _ start: String, _ value: Int = 1, _ unit: PlanDuration.Unit = .month, trialDays: Int? = nil,
        renewsItself: Bool = true, isCancelled: Bool = false, isMuted: Bool = false, notice: Int = 0,
        later: String? = nil
    ) throws -> ReminderSubject.Subscribed {
        let duration = PlanDuration(value: value, unit: unit)
        let cost = Price(fee: Amount(units: 1999, digits: 2), currency: "EUR")
        var entries = [PriceLine.Entry(effectiveOn: try day("2020-01-01"), price: cost)]
        if let later {
            entries.append(
                .init(
                    effectiveOn: try day(later), price: Price(fee: Amount(units: 2999, digits: 2), currency: "EUR")))
        }
        return .init(
            id: id,
            state: try .begin(
                on: try day(start), terms: try BillingTerms(duration: duration, trialDays: trialDays),
                freeTrial: trialDays != nil),
            renewsItself: renewsItself, isCancelled: isCancelled, isMuted: isMuted, reminderDays: nil,
            outlook: PlanOutlook(
                prices: try #require(PriceLine(entries)), terms: PlanTerms(duration: duration, noticeDays: notice),
                former: nil, withdrawnOn: nil),
            cost: cost, ownFee: nil)
    }

    private func shown(_ subscription: ReminderSubject.Subscribed, on today: String) throws -> [String] {
        subscription.calendarDays(from: try day(today)).map {
            "\($0.period) \($0.kind.rawValue) \($0.day)"
        }
    }

    @Test("A monthly subscription of the 31st shows the last days of short months, for 400 days")
    func months() throws {
        let days = try shown(subscription("2027-01-31"), on: "2027-02-10")
        #expect(
            days.prefix(4) == [
                "0 renewal 2027-02-28", "1 renewal 2027-03-31", "2 renewal 2027-04-30", "3 renewal 2027-05-31",
            ])
        #expect(days.count == 13 && days.last == "12 renewal 2028-02-29")
    }

    @Test("A weekly subscription shows 400 days, and a daily one as many periods")
    func short() throws {
        let weeks = try shown(subscription("2027-01-01", 1, .week), on: "2027-01-01")
        #expect(weeks.count == 57 && weeks.last == "56 renewal 2028-02-04")
        let days = try shown(subscription("2027-01-01", 1, .day), on: "2027-01-01")
        #expect(days.count == 58 && days.last == "57 renewal 2027-02-28")
    }

    @Test("A last day to cancel within 400 days is shown, though its renewal is farther")
    func far() throws {
        let days = try shown(subscription("2026-12-15", 13, .month, notice: 90), on: "2026-12-01")
        #expect(days == ["0 cancelBy 2027-10-17"])
    }

    @Test("A renewal of today is shown, and one that is past is not; the numbers of periods stay")
    func past() throws {
        let subscription = try subscription("2027-01-15")
        #expect(try shown(subscription, on: "2027-02-15").first == "0 renewal 2027-02-15")
        #expect(try shown(subscription, on: "2027-02-16").first == "1 renewal 2027-03-15")
        #expect(try shown(subscription, on: "2027-12-01").first == "10 renewal 2027-12-15")
    }

    @Test("One that somebody has to renew stands where it ended, as long as nobody has")
    func overdue() throws {
        let subscription = try subscription("2027-01-15", renewsItself: false, notice: 5)
        #expect(
            try shown(subscription, on: "2027-02-15").prefix(2) == ["0 renewal 2027-02-15", "1 cancelBy 2027-03-10"])
        #expect(try shown(subscription, on: "2027-02-16") == ["0 renewal 2027-02-15"])
        #expect(try shown(subscription, on: "2028-12-01") == ["0 renewal 2027-02-15"])
    }

    @Test("The last day to cancel stands before its renewal, unless it is past")
    func notice() throws {
        let days = try shown(subscription("2027-01-15", 1, .year, notice: 30), on: "2027-02-15")
        #expect(days == ["0 cancelBy 2027-12-16", "0 renewal 2028-01-15"])
        let late = try shown(subscription("2027-01-15", 1, .month, notice: 10), on: "2027-02-10")
        #expect(late.prefix(3) == ["0 renewal 2027-02-15", "1 cancelBy 2027-03-05", "1 renewal 2027-03-15"])
    }

    @Test("A trial ends, and renewals follow from that day; a cancelled subscription shows its end")
    func trial() throws {
        let days = try shown(subscription("2027-01-10", trialDays: 14), on: "2027-01-10")
        #expect(days.prefix(3) == ["0 trial 2027-01-24", "1 renewal 2027-02-24", "2 renewal 2027-03-24"])
        let cancelled = try subscription("2027-01-10", isCancelled: true)
        #expect(try shown(cancelled, on: "2027-02-10") == ["0 ended 2027-02-10"])
        #expect(try shown(cancelled, on: "2027-02-11").isEmpty)
    }

    @Test("Each renewal has the price of its own day; a muted subscription is shown as others are")
    func prices() throws {
        let days = try subscription("2027-01-15", later: "2027-03-01").calendarDays(from: try day("2027-01-20"))
        #expect(days.prefix(3).map(\.cost.fee.description) == ["19.99", "29.99", "29.99"])
        let muted = try subscription("2027-01-15", isMuted: true, later: "2027-03-01")
        #expect(muted.calendarDays(from: try day("2027-01-20")) == days)
    }

    @Test("A corrected start moves the day of an event and not its identity")
    func identity() throws {
        let before = try subscription("2027-01-15").calendarDays(from: try day("2027-01-20"))
        let after = try subscription("2027-01-16").calendarDays(from: try day("2027-01-20"))
        #expect(before.map(\.day) != after.map(\.day))
        func uids(_ days: [SubscriptionDay]) -> [String] {
            days.map { CalendarEvent.uid(of: id, $0) }
        }
        #expect(uids(before) == uids(after))
        #expect(Set(uids(before)).count == before.count)
    }

    @Test("Dates of contacts come each year, and 29 February on the last of February; one that was once goes")
    func contacts() throws {
        func shown(_ date: String, yearly: Bool = true) throws -> String? {
            let found = ContactDates.calendarDay(
                of: .init(date: date, yearly: yearly), from: try day("2027-06-01"))
            return found.map { "\($0.day) \($0.recurrence?.rawValue ?? "once")" }
        }
        #expect(try shown("1995-06-25") == "1995-06-25 FREQ=YEARLY")
        #expect(try shown("1815-12-10") == "1900-12-10 FREQ=YEARLY")
        #expect(try shown("--06-25") == "2026-06-25 FREQ=YEARLY")
        #expect(try shown("1996-02-29") == "1996-02-29 FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1")
        #expect(try shown("--02-29") == "2026-02-28 FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1")
        #expect(try shown("2028-03-01", yearly: false) == "2028-03-01 once")
        #expect(try shown("2027-05-31", yearly: false) == nil)
    }
}
