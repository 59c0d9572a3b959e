import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The reminders of a day, and the times of looks.
@Suite("Rules of reminders", .ownTime)
struct ReminderRulesTests {
    private let id = UUID()
    private let user = UUID()

    /// A monthly subscription in its second period, 1 to 31 March 2027.
    private func subscription(
        renewsItself: Bool = false, isCancelled: Bool = false, isMuted: Bool = false,
        freeTrial: Bool = false, reminderDays: Int? = nil, notice: Int = 0, former: PlanOutlook.Former? = nil,
        later: (day: String, units: Int64)? = nil
    ) throws -> ReminderSubject {
        let cost = Price(fee: Amount(units: 1999, digits: 2), currency: "EUR")
        var entries = [PriceLine.Entry(effectiveOn: try day("2020-01-01"), price: cost)]
        if let later {
            entries.append(
                .init(
                    effectiveOn: try day(later.day),
                    price: Price(fee: Amount(units: later.units, digits: 2), currency: "EUR")))
        }
        return .subscription(
            .init(
                id: id,
                state: BillingState(
                    start: try day("2027-03-01"), end: try day("2027-04-01"), anchor: try day("2027-02-01"),
                    anchorCount: 2, number: 1, freeTrial: freeTrial),
                renewsItself: renewsItself, isCancelled: isCancelled,
                isMuted: isMuted, reminderDays: reminderDays,
                outlook: PlanOutlook(
                    prices: try #require(PriceLine(entries)),
                    terms: PlanTerms(duration: PlanDuration(value: 1, unit: .month), noticeDays: notice),
                    former: former, withdrawnOn: nil),
                cost: cost, ownFee: nil))
    }

    private func rules(
        _ subjects: ReminderSubject..., settings: ReminderSettings = ReminderSettings(weekday: nil),
        zone: String = "Europe/Berlin"
    ) -> ReminderRules {
        ReminderRules(user: user, settings: settings, timeZone: zone, subjects: subjects)
    }

    private func due(_ rules: ReminderRules, on text: String, said: [SaidReminder] = []) throws -> [String] {
        rules.due(on: try day(text), said: said).map { "\($0.kind.rawValue) \($0.occursOn) \($0.lead)" }
    }

    private func said(
        _ kind: ReminderKind, _ on: String, _ lead: Int, answer: ReminderAnswer? = nil, until: String? = nil
    ) throws -> SaidReminder {
        SaidReminder(
            key: ReminderKey(subject: id, kind: kind, occursOn: try day(on), lead: lead), answer: answer,
            snoozedUntil: try until.map { try day($0) })
    }

    @Test("A renewal is said seven days ahead and on the day before, each once")
    func renewal() throws {
        let rules = rules(try subscription(renewsItself: true))
        #expect(try due(rules, on: "2027-03-24") == [])
        #expect(try due(rules, on: "2027-03-25") == ["renewal 2027-04-01 7"])
        let first = try said(.renewal, "2027-04-01", 7)
        #expect(try due(rules, on: "2027-03-30", said: [first]) == [])
        #expect(try due(rules, on: "2027-03-31", said: [first]) == ["renewal 2027-04-01 1"])
        // After days without service the newest is said, and covers the one before.
        #expect(try due(rules, on: "2027-03-31") == ["renewal 2027-04-01 1"])
        #expect(try due(rules, on: "2027-04-01", said: [try said(.renewal, "2027-04-01", 1)]) == [])
        #expect(try due(rules, on: "2027-04-02") == [], "it is of no use any more")
    }

    @Test(
        "A subscription's own days take the place of those that are not nearer",
        arguments: [(30, [30, 7, 1]), (7, [7, 1]), (3, [3, 1]), (1, [1]), (0, [0])])
    func ownDays(days: Int, leads: [Int]) throws {
        let rules = rules(try subscription(renewsItself: true, reminderDays: days))
        var spoken: [SaidReminder] = []
        for offset in 0...31 {
            let today = try day("2027-03-01").adding(days: offset)
            spoken += rules.due(on: today, said: spoken).map { SaidReminder(key: $0) }
        }
        #expect(spoken.filter { $0.key.occursOn.description == "2027-04-01" }.map(\.key.lead) == leads)
    }

    @Test("A muted subscription says only that it is overdue")
    func muted() throws {
        let rules = rules(try subscription(isMuted: true, notice: 5))
        for date in ["2027-03-20", "2027-03-25", "2027-03-31", "2027-04-01"] { #expect(try due(rules, on: date) == []) }
        #expect(try due(rules, on: "2027-04-02") == ["overdue 2027-04-01 -1"])
        #expect(try due(self.rules(try subscription(isCancelled: true, isMuted: true)), on: "2027-04-01") == [])
    }

    @Test("The last day to cancel, a trial's end and the end of a cancelled one")
    func kinds() throws {
        let notice = rules(try subscription(renewsItself: true, notice: 10))
        #expect(try due(notice, on: "2027-03-15") == ["cancelBy 2027-03-22 7"])
        #expect(try due(notice, on: "2027-03-23") == [], "too late to cancel")
        let trial = rules(try subscription(renewsItself: true, freeTrial: true))
        #expect(try due(trial, on: "2027-03-29") == ["trial 2027-04-01 3"])
        let cancelled = rules(try subscription(isCancelled: true))
        #expect(try due(cancelled, on: "2027-03-31") == [])
        #expect(try due(cancelled, on: "2027-04-08") == ["ended 2027-04-01 0"])
        #expect(try due(cancelled, on: "2027-04-09") == [])
    }

    @Test("A later price and other terms are said by the last day to cancel before them")
    func changes() throws {
        let price = rules(try subscription(renewsItself: true, notice: 2, later: ("2027-04-15", 2499)))
        // The price holds from the renewal on 1 May on, to be cancelled by 29 April.
        #expect(try due(price, on: "2027-04-14").isEmpty)
        let dues = try due(price, on: "2027-04-15")
        #expect(dues == ["price 2027-04-29 14"])
        let former = PlanOutlook.Former(
            until: try day("2027-03-05"),
            terms: PlanTerms(duration: PlanDuration(value: 1, unit: .month), noticeDays: 9))
        let terms = rules(try subscription(renewsItself: true, notice: 2, former: former))
        #expect(try due(terms, on: "2027-03-09") == ["price 2027-03-23 14"])
    }

    @Test("An unanswered one is repeated, an overdue one up to five times, and an answer ends it")
    func repeats() throws {
        let settings = ReminderSettings(repeatDays: 2, weekday: nil)
        let rules = rules(try subscription(renewsItself: true), settings: settings)
        let first = try said(.renewal, "2027-04-01", 7)
        #expect(try due(rules, on: "2027-03-26", said: [first]) == [])
        #expect(try due(rules, on: "2027-03-27", said: [first]) == ["renewal 2027-04-01 5"])
        for answer in [ReminderAnswer.keep, .done, .renew] {
            #expect(try due(rules, on: "2027-03-31", said: [said(.renewal, "2027-04-01", 7, answer: answer)]) == [])
        }
        // It was cancelled, and is not any more.
        let resumed = try due(rules, on: "2027-03-31", said: [said(.renewal, "2027-04-01", 7, answer: .cancel)])
        #expect(resumed == ["renewal 2027-04-01 1"])
        let overdue = self.rules(try subscription(), settings: settings)
        var spoken: [SaidReminder] = []
        for offset in 2...70 {
            spoken += overdue.due(on: try day("2027-03-31").adding(days: offset), said: spoken)
                .map { SaidReminder(key: $0) }
        }
        #expect(spoken.filter { $0.key.kind == .overdue }.map(\.key.lead) == [-1, -3, -5, -7, -9])
    }

    @Test("A snoozed one is said on its day, and those between are left out")
    func snooze() throws {
        let rules = rules(
            try subscription(renewsItself: true),
            settings: ReminderSettings(weekday: nil, leads: [.renewal: [7, 5, 1]]))
        let snoozed = try said(.renewal, "2027-04-01", 7, answer: .snooze, until: "2027-03-29")
        #expect(try due(rules, on: "2027-03-28", said: [snoozed]) == [])
        #expect(try due(rules, on: "2027-03-29", said: [snoozed]) == ["renewal 2027-04-01 3"])
        #expect(
            try due(rules, on: "2027-03-31", said: [snoozed, said(.renewal, "2027-04-01", 3)])
                == ["renewal 2027-04-01 1"])
    }

    @Test(
        "A matter that is of use after its day is snoozed beyond it, and is said on the snooze's day up to the last day of use",
        arguments: [ReminderKind.overdue, .ended], [Int?.none, 2])
    func snoozeAfter(kind: ReminderKind, repeatDays: Int?) throws {
        let (firstDay, lastDay) = kind == .overdue ? (1, 60) : (0, 7)
        let rules = rules(
            try subscription(isCancelled: kind == .ended),
            settings: ReminderSettings(repeatDays: repeatDays, weekday: nil))
        let end = try day("2027-04-01")
        let saidOn = end.adding(days: firstDay)
        let first = ReminderKey(subject: id, kind: kind, occursOn: end, lead: -firstDay)
        #expect(rules.due(on: saidOn, said: []) == [first])
        let days = first.snoozes(from: saidOn)
        #expect(days?.lowerBound == saidOn.adding(days: 1) && days?.upperBound == end.adding(days: lastDay))
        for ahead in (firstDay + 1)...lastDay {
            let until = end.adding(days: ahead)
            let snoozed = SaidReminder(key: first, answer: .snooze, snoozedUntil: until)
            for offset in firstDay...(lastDay + 3) {
                let leads = rules.due(on: end.adding(days: offset), said: [snoozed]).map(\.lead)
                if offset < ahead || offset > lastDay { #expect(leads.isEmpty, "\(until), \(offset)") }
                if offset == ahead { #expect(leads == [-ahead], "\(until)") }
            }
            let hour = rules.hour(of: saidOn)
            let next = rules.look(at: hour, said: [snoozed], lookedAt: hour, plannedAt: hour).next
            #expect(next > hour && next <= rules.hour(of: until), "\(until)")
        }
        #expect(first.snoozes(from: end.adding(days: lastDay)) == nil)
    }

    @Test("A snooze beyond the last day of use ends on that day")
    func snoozeTooLong() throws {
        let rules = rules(try subscription(renewsItself: true))
        let week = try said(.renewal, "2027-04-01", 7, answer: .snooze, until: "2027-05-01")
        #expect(try due(rules, on: "2027-03-31", said: [week]) == [])
        #expect(try due(rules, on: "2027-04-01", said: [week]) == ["renewal 2027-04-01 0"])
        let end = try day("2027-04-01")
        #expect(week.key.snoozes(from: end.adding(days: -1))?.upperBound == end)
        #expect(week.key.snoozes(from: end) == nil)
        let overdue = try said(.overdue, "2027-04-01", -1, answer: .snooze, until: "2027-09-01")
        let late = self.rules(try subscription())
        #expect(try due(late, on: "2027-05-30", said: [overdue]) == [])
        #expect(try due(late, on: "2027-05-31", said: [overdue]) == ["overdue 2027-04-01 -60"])
        #expect(try due(late, on: "2027-06-01", said: [overdue]) == [])
    }

    @Test(
        "A reminder that is put off to the day of a renewal by itself is said on that day, and so is a repeated one",
        arguments: [ReminderKind.renewal, .trial, .price])
    func snoozeToRenewal(kind: ReminderKind) throws {
        // The period began by itself on 1 March, the day that the reminder is about.
        let renewed = try subscription(renewsItself: true)
        let rules = rules(renewed)
        let snoozed = try said(kind, "2027-03-01", 1, answer: .snooze, until: "2027-03-01")
        let expected = ["\(kind.rawValue) 2027-03-01 0"]
        #expect(try due(rules, on: "2027-03-01", said: [snoozed]) == expected)
        #expect(try due(rules, on: "2027-03-02", said: [snoozed]) == [], "it is of no use any more")
        let hour = try #require(Instant("2027-03-01T08:00:00Z"))
        let look = rules.look(
            at: hour, said: [snoozed], lookedAt: Instant("2027-02-28T08:00:00Z"), plannedAt: hour)
        #expect(look.due.map { "\($0.kind.rawValue) \($0.occursOn) \($0.lead)" } == expected)
        #expect(rules.open(at: hour, said: [snoozed] + look.due.map { SaidReminder(key: $0) }) == look.due)
        // Without an answer it waits for one on the day, and is told again only if the user wants that.
        let unanswered = try said(kind, "2027-03-01", 1)
        #expect(try due(rules, on: "2027-03-01", said: [unanswered]) == [])
        #expect(rules.open(at: hour, said: [unanswered]) == [unanswered.key])
        let again = self.rules(renewed, settings: ReminderSettings(repeatDays: 1, weekday: nil))
        #expect(try due(again, on: "2027-03-01", said: [unanswered]) == expected)
        #expect(try due(again, on: "2027-03-01", said: [said(kind, "2027-03-01", 1, answer: .keep)]) == [])
        #expect(try due(again, on: "2027-03-01") == [])
        // A subscription that a person has renewed ahead of time is silent until the day.
        let early = try said(kind, "2027-03-01", 7, answer: .snooze, until: "2027-02-26")
        for date in ["2027-02-26", "2027-02-28"] { #expect(try due(rules, on: date, said: [early]) == []) }
        let other = self.rules(try subscription())
        #expect(try due(other, on: "2027-03-01", said: [snoozed]) == [], "nothing renews it by itself")
    }

    @Test("29 February is said about 28 February in other years")
    func leapDay() throws {
        let rules = rules(.date(id: id, .init(date: "--02-29")))
        #expect(try due(rules, on: "2027-02-27") == ["date 2027-02-28 1"])
        #expect(try due(rules, on: "2028-02-28") == ["date 2028-02-29 1"])
        #expect(try due(rules, on: "2027-03-01") == [])
    }

    @Test("The digest comes on the weekly day")
    func weekly() throws {
        // 29 March 2027 is a Monday.
        let rules = rules(try subscription(renewsItself: true), settings: ReminderSettings())
        let said = [try said(.renewal, "2027-04-01", 7)]
        #expect(try due(rules, on: "2027-03-29", said: said) == ["digest 2027-03-29 0"])
        #expect(try due(rules, on: "2027-03-30", said: said) == [])
        #expect(try due(rules, on: "2027-03-22") == [])
        // On this Monday the period has begun by itself.
        #expect(try due(rules, on: "2027-03-01") == [])
    }

    @Test("Only a planned look at or after the hour says something, and only one a day")
    func looks() throws {
        let rules = rules(try subscription(renewsItself: true))
        func look(_ now: String, lookedAt: String?, plannedAt: String?) throws -> [String] {
            let look = rules.look(
                at: try #require(Instant(now)), said: [], lookedAt: lookedAt.flatMap { Instant($0) },
                plannedAt: plannedAt.flatMap { Instant($0) })
            return look.due.map { "\($0.lead)" } + ["\(look.next)"]
        }
        // Nine in Berlin is eight in UTC, and seven in summer, from 28 March on.
        #expect(
            try look("2027-03-25T07:59:59Z", lookedAt: nil, plannedAt: nil) == ["2027-03-25T08:00:00Z"])
        #expect(
            try look("2027-03-25T08:00:00Z", lookedAt: "2027-03-20T08:00:00Z", plannedAt: "2027-03-25T08:00:00Z")
                == ["7", "2027-03-30T07:00:00Z"], "the look is planned a day early")
        #expect(
            try look("2027-03-25T20:00:00Z", lookedAt: "2027-03-25T08:00:00Z", plannedAt: "2027-03-30T08:00:00Z")
                == ["2027-03-26T08:00:00Z"], "a change after the hour is told on the next day")
        #expect(
            try look("2027-03-25T09:00:00Z", lookedAt: "2027-03-25T08:30:00Z", plannedAt: "2027-03-25T09:00:00Z")
                == ["2027-03-26T08:00:00Z"], "a look has been since the hour")
    }

    @Test("A subscription that renews by itself is looked at by its renewal, though nothing is said of it")
    func silentRenewal() throws {
        let rules = rules(try subscription(renewsItself: true, isMuted: true))
        let now = try #require(Instant("2027-03-20T12:00:00Z"))
        // Nine in Berlin on 1 April, and a day early.
        #expect(
            rules.look(at: now, said: [], lookedAt: nil, plannedAt: nil).next == Instant("2027-03-31T07:00:00Z"))
    }

    @Test("Where the zone is unknown, days are those of UTC")
    func unknownZone() throws {
        let rules = rules(zone: "Gone/Away")
        #expect(rules.hour(of: try day("2027-03-01")) == Instant("2027-03-01T09:00:00Z"))
    }

    @Test("To be answered is the newest reminder of a matter until it is answered, snoozed, replaced or of no use")
    func open() throws {
        let rules = rules(try subscription())
        func open(_ time: String, _ said: [SaidReminder] = []) throws -> [String] {
            let (date, hour) = (try day(String(time.prefix(10))), Int64(time.suffix(2)) ?? 0)
            let now = Instant(secondsSince1970: Int64(date.daysSince1970) * 86_400 + hour * 3600)
            return rules.open(at: now, said: said).map { "\($0.kind.rawValue) \($0.occursOn) \($0.lead)" }
        }
        let week = try said(.renewal, "2027-04-01", 7)
        // Nine in Berlin is eight of UTC, and seven from 28 March on.
        #expect(try open("2027-03-25 07") == [])
        #expect(try open("2027-03-25 08") == ["renewal 2027-04-01 7"])
        #expect(try open("2027-03-28 03") == ["renewal 2027-04-01 7"], "a service that is away changes nothing")
        #expect(try open("2027-03-28 12", [week]) == ["renewal 2027-04-01 7"])
        #expect(try open("2027-03-31 06", [week]) == ["renewal 2027-04-01 7"], "the last day has not come to its hour")
        #expect(try open("2027-03-31 12", [week]) == ["renewal 2027-04-01 1"])
        for answer in [ReminderAnswer.keep, .done] {
            #expect(try open("2027-03-31 12", [said(.renewal, "2027-04-01", 7, answer: answer)]) == [])
        }
        let snoozed = try said(.renewal, "2027-04-01", 7, answer: .snooze, until: "2027-03-30")
        #expect(try open("2027-03-29 12", [snoozed]) == [])
        #expect(try open("2027-03-30 12", [snoozed]) == ["renewal 2027-04-01 2"])
        // The day after: the renewal is of no use any more, and the subscription is overdue.
        #expect(try open("2027-04-02 12", [week]) == ["overdue 2027-04-01 -1"])
    }
}
