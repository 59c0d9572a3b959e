import Foundation
import SubTrackAPI

/// The rules of reminders: the reminders due on a day, and the time of the next look. The service and devices use the same
/// ones.
public struct ReminderRules: Sendable {
    /// How far ahead a look is planned.
    static let daysAhead = 40
    /// The time zone where a user's is unknown.
    static let fallbackZone = "UTC"

    private let user: UUID
    private let settings: ReminderSettings
    private let timeZone: String
    let subjects: [ReminderSubject]

    /// The rules for a user's things.
    /// - Parameters:
    ///   - user: the subject of the digest.
    ///   - timeZone: the user's. Where there is no such zone, days are those of UTC.
    public init(user: UUID, settings: ReminderSettings, timeZone: String, subjects: [ReminderSubject]) {
        self.user = user
        self.settings = settings
        self.timeZone = LocalDay.isTimeZone(timeZone) ? timeZone : Self.fallbackZone
        self.subjects = subjects
    }

    /// The result of a look.
    public struct Look: Sendable, Hashable {
        /// The reminders to be said now.
        public let due: [ReminderKey]
        /// The time of the next look, later than now.
        public let next: Instant
        /// How many reminders one look says. The others are due on the next day, where they are of use then.
        public static let most = 10_000
    }

    /// Looks at a user: finds the reminders to be said now, and the time of the next look.
    ///
    /// A look says something only if it was planned, the hour of the user's day has come, and no look has been since that
    /// hour. A look that only a change has caused says nothing.
    /// - Parameters:
    ///   - said: the reminders that were said, of all days from two months ago on.
    ///   - lookedAt: the time of the last look; nil: there was none.
    ///   - plannedAt: the time for which a look was planned; nil: none was.
    public func look(at now: Instant, said: [SaidReminder], lookedAt: Instant?, plannedAt: Instant?) -> Look {
        let today = today(at: now)
        let hour = hour(of: today)
        let isPlanned = plannedAt.map { $0 <= now } ?? false
        let speaks = isPlanned && hour <= now && (lookedAt ?? now) < hour
        let due = speaks ? Array(self.due(on: today, said: said).prefix(Look.most)) : []
        let first = hour > now ? today : today.adding(days: 1)
        return Look(due: due, next: next(from: first, after: now, said: said + due.map { SaidReminder(key: $0) }))
    }

    /// The reminders that are due on a day, the earliest days first.
    public func due(on day: CalendarDate, said: [SaidReminder]) -> [ReminderKey] {
        due(on: day, Dictionary(grouping: said, by: \.matter))
    }

    /// The reminders that are to be answered: of each matter the newest that was said, or that is due and not said yet.
    ///
    /// A reminder that was answered is not among them, nor one that is of no use any more.
    public func open(at now: Instant, said: [SaidReminder]) -> [ReminderKey] {
        let today = today(at: now)
        let matters = Dictionary(subjects.flatMap { $0.matters(on: today, settings) }.map { ($0.name, $0) }) { $1 }
        func isOfUse(_ name: ReminderMatter.Name) -> Bool {
            name.kind.isWeekly ? name.occursOn == today : matters[name].map { today <= $0.lastUse } ?? false
        }
        let grouped = Dictionary(grouping: said, by: \.matter)
        // Nothing new is due before the hour of the day.
        let due = due(on: hour(of: today) <= now ? today : today.adding(days: -1), grouped)
        let isDue = Set(due.map { SaidReminder(key: $0).matter })
        let waiting = grouped.compactMap { name, reminders -> ReminderKey? in
            // A subscription that was resumed since waits for an answer again.
            guard !isDue.contains(name), reminders.allSatisfy({ [nil, .snooze, .cancel].contains($0.answer) }),
                let newest = reminders.min(by: { $0.key.lead < $1.key.lead }), newest.answer != .snooze
            else { return nil }
            return newest.key
        }
        return (due + waiting).filter { isOfUse(SaidReminder(key: $0).matter) }.sorted { $0.rank < $1.rank }
    }

    /// The user's day at an instant.
    public func today(at now: Instant) -> CalendarDate {
        LocalDay.today(at: now, timeZone: timeZone) ?? now.date(secondsFromUTC: 0)
    }

    /// The instant of the user's hour on a day.
    public func hour(of day: CalendarDate) -> Instant {
        LocalDay.instant(of: day, minute: settings.minute, timeZone: timeZone)
            ?? Instant(secondsSince1970: Int64(day.daysSince1970) * 86_400 + Int64(settings.minute) * 60)
    }
}

extension ReminderRules {
    typealias Said = [ReminderMatter.Name: [SaidReminder]]
    typealias Dated = (key: ReminderKey, day: CalendarDate)

    private func due(on day: CalendarDate, _ said: Said) -> [ReminderKey] {
        var due = due(of: subjects, on: day, said)
        if day.weekday == settings.weekday { due += weekly(day...day, said).map(\.key) }
        return Set(due).sorted { $0.rank < $1.rank }
    }

    /// The reminders of some subjects that are due on a day.
    func due(of subjects: [ReminderSubject], on day: CalendarDate, _ said: Said) -> [ReminderKey] {
        subjects.flatMap { $0.matters(on: day, settings) }.compactMap { matter in
            matter.due(matter.open(said[matter.name] ?? [], repeatDays: settings.repeatDays), on: day).map {
                ReminderKey(subject: matter.subject, kind: matter.kind, occursOn: matter.occursOn, lead: $0)
            }
        }
    }

    /// The digests of some days that were not said. A weekly one has no leads that were said.
    func weekly(_ days: ClosedRange<CalendarDate>, _ said: Said) -> [Dated] {
        guard let weekday = settings.weekday else { return [] }
        let weekDays = (days.lowerBound.daysSince1970...days.upperBound.daysSince1970)
            .map { CalendarDate(daysSince1970: $0) }.filter { $0.weekday == weekday }
        // The matters of a subscription are the same on each day.
        let renewals = subjects.flatMap { subject -> [CalendarDate] in
            guard !weekDays.isEmpty, case .subscription = subject else { return [] }
            return subject.matters(on: days.lowerBound, settings)
                .filter { $0.kind == .renewal && !($0.hasBegun && $0.leads.isEmpty) }.map(\.occursOn)
        }
        return weekDays.flatMap { day -> [Dated] in
            var keys: [ReminderKey] = []
            if renewals.contains(where: { (0...7).contains(day.days(to: $0)) }) {
                keys.append(weekly(.digest, of: user, on: day))
            }
            return keys.filter { said[SaidReminder(key: $0).matter] == nil }.map { ($0, day) }
        }
    }

    private func weekly(_ kind: ReminderKind, of user: UUID, on day: CalendarDate) -> ReminderKey {
        ReminderKey(subject: user, kind: kind, occursOn: day, lead: 0)
    }

    /// The days from one on, on which something may become due. The later days are decided when they come.
    private func candidates(from first: CalendarDate, _ said: Said) -> Set<CalendarDate> {
        var days = candidates(of: subjects, from: first, said)
        if let weekday = settings.weekday {
            days.formUnion((0..<7).map(first.adding(days:)).filter { $0.weekday == weekday })
        }
        return days
    }

    /// The days from one on, on which something of some subjects may become due.
    func candidates(
        of subjects: [ReminderSubject], from first: CalendarDate, _ said: Said
    ) -> Set<CalendarDate> {
        var days: Set<CalendarDate> = []
        for matter in subjects.flatMap({ $0.matters(on: first, settings) }) {
            for lead in matter.open(said[matter.name] ?? [], repeatDays: settings.repeatDays) {
                let day = max(matter.occursOn.adding(days: -lead), first)
                if day <= matter.lastUse { days.insert(day) }
            }
        }
        return days
    }

    /// The days from one on, on which a subscription renews by itself: its matters are others then.
    private func renewals(from first: CalendarDate) -> [CalendarDate] {
        subjects.compactMap { subject in
            guard case .subscription(let subscription) = subject, subscription.renewsItself, !subscription.isCancelled
            else { return nil }
            return max(subscription.state.end, first)
        }
    }

    private func next(from first: CalendarDate, after now: Instant, said: [SaidReminder]) -> Instant {
        let grouped = Dictionary(grouping: said, by: \.matter)
        let farthest = now.adding(days: Self.daysAhead)
        let renewal = renewals(from: first).min()
        let spoken = candidates(from: first, grouped).sorted().first {
            // A day later than a renewal is planned then.
            $0 >= renewal ?? CalendarDate.range.upperBound || !due(on: $0, grouped).isEmpty
        }
        let day = [renewal, spoken].compactMap(\.self).min()
        let next = min(day.map(hour) ?? farthest, farthest)
        // Rules of zones may change, so that a look a day earlier plans anew.
        let early = next.adding(days: -1)
        let planned = early > now.adding(days: 1) ? early : next
        // No rule of a zone has a user looked at again and again.
        return planned > now ? planned : now.adding(seconds: 3600)
    }
}

extension ReminderKind {
    /// Whether it is said on the weekly day, and has no leads.
    fileprivate var isWeekly: Bool { self == .digest }
}

extension ReminderKey {
    /// The place in a list: by day, by kind, and by subject so that the order is always the same.
    var rank: (CalendarDate, String, UUID) { (occursOn, kind.rawValue, subject) }
}

extension SaidReminder {
    /// The matter to which it belongs.
    var matter: ReminderMatter.Name {
        .init(subject: key.subject, kind: key.kind, occursOn: key.occursOn)
    }
}

extension CalendarDate {
    /// 1 Monday … 7 Sunday. The first day of 1970 was a Thursday.
    fileprivate var weekday: Int { ((Int(daysSince1970) + 3) % 7 + 7) % 7 + 1 }
}

extension Instant {
    fileprivate func adding(seconds: Int64) -> Instant { Instant(secondsSince1970: secondsSince1970 + seconds) }

    fileprivate func adding(days: Int) -> Instant { adding(seconds: Int64(days) * 86_400) }
}
