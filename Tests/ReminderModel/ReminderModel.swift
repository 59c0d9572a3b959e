import Foundation
import SubTrackAPI
import SubTrackCore

/// A user's things in a random history, and the rules of reminders written a second time.
///
/// The model goes through all days that a reminder may be about, and through all leads. It plans nothing.
package struct ReminderModel: Sendable {
    /// A subscription, as the model knows it.
    package struct Thing: Sendable {
        package let id: UUID
        package var state: BillingState
        package var duration: PlanDuration
        package var renewsItself: Bool
        package var isCancelled = false
        package var isMuted = false
        package var reminderDays: Int?
        package var notice: Int
        /// The price changes on this day.
        package var dearerOn: CalendarDate?

        /// A subscription that is neither cancelled nor muted.
        package init(
            id: UUID, state: BillingState, duration: PlanDuration, renewsItself: Bool, reminderDays: Int? = nil,
            notice: Int
        ) {
            (self.id, self.state, self.duration) = (id, state, duration)
            (self.renewsItself, self.reminderDays, self.notice) = (renewsItself, reminderDays, notice)
        }

        package static let cost = Price(fee: Amount(units: 500, digits: 2), currency: "EUR")

        package var subject: ReminderSubject {
            var entries = [PriceLine.Entry(effectiveOn: CalendarDate(daysSince1970: 1), price: Self.cost)]
            if let dearerOn {
                let price = Price(fee: Amount(units: 600, digits: 2), currency: "EUR")
                entries.append(.init(effectiveOn: dearerOn, price: price))
            }
            return .subscription(
                .init(
                    id: id, state: state, renewsItself: renewsItself, isCancelled: isCancelled,
                    isMuted: isMuted, reminderDays: reminderDays,
                    outlook: PlanOutlook(
                        prices: PriceLine(entries) ?? PriceLine(always: Self.cost),
                        terms: PlanTerms(duration: duration, noticeDays: notice), former: nil, withdrawnOn: nil),
                    cost: cost, ownFee: nil))
        }

        /// The cost of the period that runs.
        private var cost: Price {
            guard let dearerOn, dearerOn <= state.start else { return Self.cost }
            return Price(fee: Amount(units: 600, digits: 2), currency: "EUR")
        }

        /// The day of the first renewal on or after the day of the dearer price.
        package var dearerRenewal: CalendarDate? {
            guard let dearerOn, dearerOn > state.start else { return nil }
            for count in state.anchorCount..<state.anchorCount + 400 {
                guard let day = BillingCalendar.date(anchor: state.anchor, count: count, duration: duration)
                else { return nil }
                if day >= dearerOn { return day }
            }
            return nil
        }
    }

    package let user: UUID
    package var zone = "Europe/Berlin"
    package var minute = 540
    package var repeatDays: Int?
    package var weekday: Int? = 1
    package var leads: [ReminderKind: [Int]] = Dictionary(
        uniqueKeysWithValues: ReminderKind.allCases.map { ($0, $0.usualLeads) })
    package var things: [Thing] = []
    package var dates: [StoredContact.Occasion] = []
    package var said: [SaidReminder] = []

    /// A user that has nothing.
    package init(user: UUID) { self.user = user }

    /// The rules that the service and the clients go by, with the things of the user.
    package var rules: ReminderRules {
        ReminderRules(
            user: user,
            settings: ReminderSettings(minute: minute, repeatDays: repeatDays, weekday: weekday, leads: leads),
            timeZone: zone,
            subjects: things.map(\.subject) + dates.map { .date(id: $0.id, $0) })
    }

    /// Renews the subscriptions that renew by themselves, as the service does before it looks.
    package mutating func catchUp(to today: CalendarDate) throws {
        for place in things.indices where things[place].renewsItself && !things[place].isCancelled {
            let terms = try BillingTerms(duration: things[place].duration)
            while things[place].state.end <= today, !things[place].isCancelled {
                things[place].state = try things[place].state.renewed(terms)
            }
        }
    }

    /// The reminders that are due on a day.
    package func due(on today: CalendarDate) -> Set<ReminderKey> {
        var due: Set<ReminderKey> = []
        func consider(
            _ id: UUID, _ kind: ReminderKind, _ about: CalendarDate, _ leads: Set<Int>, until: Int = 0,
            onTheDayAlone: Bool = false
        ) {
            let rows = said.filter { $0.key.subject == id && $0.key.kind == kind && $0.key.occursOn == about }
            let last = about.adding(days: until)
            if today > last || rows.contains(where: { [.keep, .done, .renew].contains($0.answer) }) { return }
            let said = rows.map(\.key.lead).min()
            let snoozed = rows.filter { $0.answer == .snooze }.compactMap(\.snoozedUntil).max()
            // One lead after the other, from the day itself (or from long after it) to the farthest.
            for lead in -100...400 {
                let day = about.adding(days: -lead)
                var counts = leads.contains(lead)
                if let said, let repeatDays, lead == said - repeatDays {
                    if kind == .overdue { if rows.count < 5 { counts = true } }
                    if [.renewal, .trial, .cancelBy, .price].contains(kind), lead >= 0 { counts = true }
                }
                if let snoozed {
                    // Nobody waits for a day on which it is of no use any more.
                    let again = snoozed > last ? last : snoozed
                    counts = day == again || (counts && day > again)
                }
                guard counts, day <= today, !onTheDayAlone || lead == 0 else { continue }
                if let said, said <= lead { return }
                due.insert(ReminderKey(subject: id, kind: kind, occursOn: about, lead: lead))
                return
            }
        }
        var renewsSoon = false
        func leads(_ kind: ReminderKind, own: Int?) -> Set<Int> {
            let all = Set(self.leads[kind] ?? [])
            return own.map { own in all.filter { $0 < own }.union([own]) } ?? all
        }
        for thing in things {
            let (start, end) = (thing.state.start, thing.state.end)
            let longest = max(0, start.days(to: end) - 1)
            func fit(_ leads: Set<Int>) -> Set<Int> { Set(leads.map { $0 < longest ? $0 : longest }) }
            func begun() {
                guard thing.renewsItself, thing.state.number > 0 else { return }
                let isWanted = leads(.renewal, own: thing.reminderDays).contains(0)
                consider(thing.id, .renewal, start, isWanted ? [0] : [], onTheDayAlone: true)
                // They are said where they were put off until the day, or are repeated.
                for kind in [ReminderKind.trial, .price] { consider(thing.id, kind, start, [], onTheDayAlone: true) }
                if isWanted, (0...7).contains(today.days(to: start)) { renewsSoon = true }
            }
            if thing.isCancelled {
                if !thing.isMuted { consider(thing.id, .ended, end, leads(.ended, own: nil), until: 7) }
                continue
            }
            if !thing.renewsItself {
                let after = Set(leads(.overdue, own: nil).map { $0 == 0 ? -1 : -$0 })
                consider(thing.id, .overdue, end, after, until: 60)
            }
            if thing.isMuted { continue }
            let kind = thing.state.freeTrial ? ReminderKind.trial : .renewal
            consider(thing.id, kind, end, fit(leads(kind, own: thing.reminderDays)))
            if kind == .renewal, (0...7).contains(today.days(to: end)) { renewsSoon = true }
            begun()
            if thing.notice > 0 {
                consider(thing.id, .cancelBy, end.adding(days: -thing.notice), fit(leads(.cancelBy, own: nil)))
            }
            if let dearer = thing.dearerRenewal {
                consider(thing.id, .price, dearer.adding(days: -thing.notice), leads(.price, own: nil))
            }
        }
        for date in dates {
            let all = Set(leads(.date, own: date.reminderDays).map { min($0, 364) })
            // `1995-06-25` or `--06-25`.
            let numbers = date.date.split(separator: "-").compactMap { Int($0) }
            let (month, dayOfMonth) = (numbers[numbers.count - 2], numbers[numbers.count - 1])
            for ahead in 0...400 {
                let day = today.adding(days: ahead)
                let parts = day.components
                let isStandIn =
                    (month, dayOfMonth) == (2, 29) && (parts.month, parts.day) == (2, 28)
                    && !CalendarDate.isLeap(parts.year)
                guard (parts.month, parts.day) == (month, dayOfMonth) || isStandIn else { continue }
                if !date.yearly, numbers.count == 3, numbers[0] != parts.year { continue }
                consider(date.id, .date, day, all)
            }
        }
        // The last day of the week's count: 3 January 2000 was a Monday.
        let monday = CalendarDate(daysSince1970: 10_959)
        if let weekday, (monday.days(to: today) % 7 + 7) % 7 == weekday - 1 {
            if renewsSoon { consider(user, .digest, today, [0]) }
        }
        return due
    }
}
