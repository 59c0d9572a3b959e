import Foundation
import SubTrackAPI

/// A kind of a subject with one day that it is about.
struct ReminderMatter: Hashable {
    let subject: UUID
    let kind: ReminderKind
    /// The day that it is about.
    let occursOn: CalendarDate
    /// The days ahead; negative: after it.
    let leads: Set<Int>
    /// The last day on which it is of use.
    let lastUse: CalendarDate
    /// Whether the subscription has renewed by itself on the day that it is about. Then it is said on that day alone.
    var hasBegun = false

    /// The identity of a matter among the reminders that were said.
    struct Name: Hashable {
        let subject: UUID
        let kind: ReminderKind
        let occursOn: CalendarDate
    }

    var name: Name { Name(subject: subject, kind: kind, occursOn: occursOn) }

    /// The leads that may still be said. A subscription that is cancelled has other matters: the answer `cancel` ends none, so that
    /// one that was resumed is said again.
    /// - Parameter said: the reminders of this matter that were said.
    func open(_ said: [SaidReminder], repeatDays: Int?) -> [Int] {
        guard said.allSatisfy({ [nil, .snooze, .cancel].contains($0.answer) }) else { return [] }
        guard let smallest = said.map(\.key.lead).min() else { return Array(leads) }
        var all = leads
        if let repeatDays, kind.repeats {
            let again = smallest - repeatDays
            if kind == .overdue ? said.count < Self.mostOverdue : again >= 0 { all.insert(again) }
        }
        if let until = said.compactMap({ $0.answer == .snooze ? $0.snoozedUntil : nil }).max() {
            // One that was put off for too long is said on its last day.
            let snoozed = min(until, lastUse).days(to: occursOn)
            all = all.filter { $0 < snoozed }.union([snoozed])
        }
        return all.filter { $0 < smallest && (!hasBegun || $0 == 0) }
    }

    /// How often an overdue subscription is said in all.
    private static let mostOverdue = 5

    /// The smallest of some leads that has been reached on a day; nil: none has, or it is of no use any more.
    func due(_ open: [Int], on day: CalendarDate) -> Int? {
        guard day <= lastUse else { return nil }
        return open.filter { occursOn.adding(days: -$0) <= day }.min()
    }
}

extension ReminderSubject {
    /// Gives the matters to be said of it, seen from a day: those of that day and of later ones.
    func matters(on day: CalendarDate, _ settings: ReminderSettings) -> [ReminderMatter] {
        switch self {
        case .subscription(let subscription): subscription.matters(on: day, settings)
        case .date(let id, let occasion): Self.matters(of: occasion, id, on: day, settings)
        }
    }

    /// Whether a reminder of this kind and day may be said of it, seen from a day, under the usual settings.
    public func says(_ kind: ReminderKind, on occursOn: CalendarDate, from day: CalendarDate) -> Bool {
        matters(on: day, ReminderSettings()).contains {
            $0.kind == kind && $0.occursOn == occursOn && !$0.leads.isEmpty
        }
    }

    /// The cost of the first period that costs something else; nil: none is known, or the terms change before.
    public var changedCost: Price? {
        guard case .subscription(let one) = self, one.outlook.formerTerms(for: one.state) == nil else { return nil }
        return one.priceChange?.to
    }

    /// The date's next day and the one after it. A lead is shorter than the time between two.
    private static func matters(
        of date: StoredContact.Occasion, _ id: UUID, on day: CalendarDate, _ settings: ReminderSettings
    ) -> [ReminderMatter] {
        let leads = Set(settings.leads(of: .date, own: date.reminderDays).map { min($0, 364) })
        let next = ContactDates.next(of: date, from: day)?.day
        let second = next.flatMap { ContactDates.next(of: date, from: $0.adding(days: 1))?.day }
        return [next, second].compactMap(\.self).map {
            ReminderMatter(subject: id, kind: .date, occursOn: $0, leads: leads, lastUse: $0)
        }
    }
}

extension ReminderSubject.Subscribed {
    func matters(on day: CalendarDate, _ settings: ReminderSettings) -> [ReminderMatter] {
        let end = state.end
        func matter(
            _ kind: ReminderKind, _ on: CalendarDate, _ leads: [Int]
        ) -> ReminderMatter {
            ReminderMatter(
                subject: id, kind: kind, occursOn: on, leads: Set(leads), lastUse: on.adding(days: kind.daysOfUse))
        }
        // The period that begins today took the place of one whose last words are said on this day. A reminder that was
        // put off until the day, or is repeated on it, is said as well.
        func begun() -> [ReminderMatter] {
            guard renewsItself, state.number > 0, day <= state.start else { return [] }
            let isSaid = settings.leads(of: .renewal, own: reminderDays).contains(0)
            return [ReminderKind.renewal, .trial, .price].map { kind in
                var former = matter(kind, state.start, kind == .renewal && isSaid ? [0] : [])
                former.hasBegun = true
                return former
            }
        }
        if isCancelled { return isMuted ? [] : [matter(.ended, end, settings.leads(of: .ended))] }
        var matters: [ReminderMatter] = []
        if !renewsItself {
            matters.append(matter(.overdue, end, settings.leads(of: .overdue).map { -max($0, 1) }))
        }
        if isMuted { return matters }
        // A lead begins within the period.
        let longest = max(state.start.days(to: end) - 1, 0)
        func fitting(_ leads: [Int]) -> [Int] { leads.map { min($0, longest) } }
        let kind: ReminderKind = state.freeTrial ? .trial : .renewal
        matters.append(matter(kind, end, fitting(settings.leads(of: kind, own: reminderDays))))
        matters += begun()
        let notice = outlook.noticeDays(for: state)
        if notice > 0 {
            matters.append(matter(.cancelBy, end.adding(days: -notice), fitting(settings.leads(of: .cancelBy))))
        }
        if let last = lastDayBeforeChange(notice: notice) {
            matters.append(matter(.price, last, settings.leads(of: .price)))
        }
        return matters
    }

    /// The first renewal that costs something else; nil: none is known.
    fileprivate var priceChange: PlanOutlook.PriceChange? {
        outlook.priceChange(for: state, current: cost, ownFee: ownFee)
    }

    /// The last day to cancel before a renewal that costs something else or has other terms.
    private func lastDayBeforeChange(notice: Int) -> CalendarDate? {
        if outlook.formerTerms(for: state) != nil { return state.end.adding(days: -notice) }
        guard let change = priceChange else { return nil }
        return change.on.adding(days: -(change.on == state.end ? notice : outlook.terms.noticeDays))
    }
}
