import Foundation
import SubTrackAPI
import SubTrackCore

/// Reminders: the hour of a zone's clock, the reminders of a day, the next look, and what will be said.
enum ReminderCases {
    /// Cases that a person would think of.
    static var fixed: [RuleCase] {
        let usual = ReminderKind.allCases.map { ("\($0)", AnyJSON.array($0.usualLeads.map { .int($0) })) }
        return [
            RuleCase(kind: "reminderKinds", input: [:], expected: .object(Dictionary(uniqueKeysWithValues: usual)))
        ]
            + [
                // The clock is put forward over this time, shows it twice, or leaves the day out.
                ("2026-03-29", 150, "Europe/Berlin"), ("2026-10-25", 150, "Europe/Berlin"),
                ("2011-12-30", 540, "Pacific/Apia"), ("2025-10-05", 140, "Australia/Lord_Howe"),
                ("2025-04-06", 110, "Australia/Lord_Howe"), ("2018-11-04", 0, "America/Sao_Paulo"),
                ("2026-03-28", 1439, "Europe/Berlin"), ("2026-11-24", 540, "Gone/Away"),
            ].compactMap { text, minute, zone in CalendarDate(text).map { hour(of: $0, minute: minute, zone: zone) } }
    }

    // MARK: The hour

    static func hour(_ random: inout CaseRandom) -> RuleCase {
        // Years whose rules are settled: both sides have an edition of the IANA database of their own.
        let day = CalendarDate(daysSince1970: Int32(random.int(14_610...20_088)))
        return hour(of: day, minute: random.pick([0, 90, 120, 150, 540, 1439]), zone: random.pick(DayCases.zones))
    }

    private static func hour(of day: CalendarDate, minute: Int, zone: String) -> RuleCase {
        RuleCase(
            kind: "localHour", input: ["day": .day(day), "minute": .int(minute), "zone": .string(zone)],
            expected: LocalDay.instant(of: day, minute: minute, timeZone: zone).map { .integer($0.secondsSince1970) }
                ?? .null)
    }

    // MARK: The rules

    private static let zones = ["UTC", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Kiritimati", "Gone/Away"]
    private static let user = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xFF))

    static func rules(_ random: inout CaseRandom) -> RuleCase {
        let today = CalendarDate(daysSince1970: Int32(random.int(18_300...22_500)))
        let subjects = (0..<random.int(1...4)).map { subject($0, around: today, &random) }
        let settings = settings(&random)
        let zone = random.pick(zones)
        let rules = ReminderRules(
            user: user, settings: settings.settings, timeZone: zone, subjects: subjects.map(\.subject))
        var said: [SaidReminder] = []
        for back in [9, 3, 1, 0] where random.once(in: 2) {
            for key in rules.due(on: today.adding(days: -back), said: said) where random.once(in: 2) {
                said.append(answered(key, today, &random))
            }
        }
        let now = Instant(secondsSince1970: Int64(today.daysSince1970) * 86_400 + Int64(random.int(0...86_399)))
        let plannedAt: Instant? =
            random.once(in: 4)
            ? nil : Instant(secondsSince1970: now.secondsSince1970 + Int64(random.pick([-3600, -60, 0, 60])))
        let lookedAt: Instant? =
            random.once(in: 4)
            ? nil : Instant(secondsSince1970: now.secondsSince1970 - Int64(random.int(0...100_000)))
        let days = random.pick([1, 30, 90])
        let look = rules.look(at: now, said: said, lookedAt: lookedAt, plannedAt: plannedAt)
        return RuleCase(
            kind: "reminders",
            input: [
                "user": .string(user.caseText), "settings": settings.json, "zone": .string(zone),
                "subjects": .array(subjects.map(\.json)), "said": .array(said.map(json)),
                "now": .integer(now.secondsSince1970), "lookedAt": .instant(lookedAt),
                "plannedAt": .instant(plannedAt), "day": .day(today), "days": .int(days),
            ],
            expected: .object([
                "today": .day(rules.today(at: now)),
                "due": .array(rules.due(on: today, said: said).map(key)),
                "looked": .array(look.due.map(key)), "next": .instant(look.next),
                "upcoming": .array(
                    rules.upcoming(from: now, days: days, said: said).map {
                        .array([key($0.key), .instant($0.at)])
                    }),
            ]))
    }

    private static func answered(
        _ key: ReminderKey, _ today: CalendarDate, _ random: inout CaseRandom
    ) -> SaidReminder {
        let answer = random.pick([nil, nil, .snooze, .snooze, .keep, .done] as [ReminderAnswer?])
        return SaidReminder(
            key: key, answer: answer, snoozedUntil: answer == .snooze ? today.adding(days: random.int(-2...9)) : nil)
    }

    private static func settings(_ random: inout CaseRandom) -> (settings: ReminderSettings, json: AnyJSON) {
        let minute = random.pick([0, 480, 540, 1439])
        let repeatDays = random.pick([nil, nil, 1, 2, 5] as [Int?])
        let weekday = random.pick([nil, 1, 3, 7] as [Int?])
        var leads: [ReminderKind: [Int]]?
        if random.once(in: 2) {
            leads = [:]
            for kind in ReminderKind.allCases where !random.once(in: 4) {
                leads?[kind] = (0..<random.int(0...3)).map { _ in random.pick([0, 1, 2, 3, 7, 14, 30, 365]) }
            }
        }
        let written = leads.map { leads in
            AnyJSON.object(
                Dictionary(
                    uniqueKeysWithValues: leads.map { ("\($0.key)", .array($0.value.map { .int($0) })) }))
        }
        return (
            ReminderSettings(minute: minute, repeatDays: repeatDays, weekday: weekday, leads: leads),
            .object([
                "minute": .int(minute), "repeatDays": .int(repeatDays), "weekday": .int(weekday),
                "leads": written ?? .null,
            ])
        )
    }

    private static func subject(
        _ number: Int, around today: CalendarDate, _ random: inout CaseRandom
    ) -> (subject: ReminderSubject, json: AnyJSON) {
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(0xA0 + number)))
        switch random.int(0...9) {
        case 0: return (.debts(user: user), .object(["debts": .string(user.caseText)]))
        case 1, 2:
            let day = today.adding(days: random.int(-3...30)).description
            let date = StoredContact.Occasion(
                id: id, date: random.pick(["--" + day.dropFirst(5), day, "1990-" + day.dropFirst(5), "--02-29"]),
                yearly: random.once(in: 2), reminderDays: random.once(in: 3) ? random.int(0...365) : nil,
                type: "birthday")
            return (
                .date(id: id, date),
                .object([
                    "date": .object([
                        "id": .string(id.caseText), "date": .string(date.date), "yearly": .bool(date.yearly),
                        "reminderDays": .int(date.reminderDays),
                    ])
                ])
            )
        default: return subscription(id, around: today, &random)
        }
    }

    private static func subscription(
        _ id: UUID, around today: CalendarDate, _ random: inout CaseRandom
    ) -> (subject: ReminderSubject, json: AnyJSON) {
        let start = today.adding(days: random.int(-75...10))
        let length = random.pick([1, 7, 14, 30, 31, 90])
        let state = BillingState(
            start: start, end: start.adding(days: length), anchor: start, anchorCount: 1, number: random.int(0...2),
            freeTrial: random.once(in: 5))
        let terms = PlanTerms(
            duration: PlanDuration(value: length, unit: .day), noticeDays: random.pick([0, 0, 2, 14, 30]))
        let first = random.price(of: ["EUR"])
        let entries =
            [PriceLine.Entry(effectiveOn: start.adding(days: -400), price: first)]
            + (random.once(in: 3)
                ? [.init(effectiveOn: today.adding(days: random.int(-5...60)), price: random.price(of: ["EUR"]))] : [])
        let line = PriceLine(entries) ?? PriceLine(always: first)
        let former: PlanOutlook.Former? =
            random.once(in: 6)
            ? .init(
                until: start.adding(days: random.int(-5...40)),
                terms: PlanTerms(duration: terms.duration, noticeDays: random.pick([0, 7])))
            : nil
        let ownFee: Amount? = random.once(in: 5) ? random.fee() : nil
        let cost = line.cost(ofPeriodFrom: start, ownFee: ownFee, freeTrial: state.freeTrial)
        let (renews, isCancelled, isMuted) = (random.once(in: 2), random.once(in: 6), random.once(in: 6))
        let days: Int? = random.once(in: 3) ? random.pick([0, 3, 10, 30]) : nil
        return (
            .subscription(
                .init(
                    id: id, state: state, renewsItself: renews, isCancelled: isCancelled, isMuted: isMuted,
                    reminderDays: days,
                    outlook: PlanOutlook(prices: line, terms: terms, former: former, withdrawnOn: nil), cost: cost,
                    ownFee: ownFee)),
            .object([
                "subscription": .object([
                    "id": .string(id.caseText), "state": .state(state), "renewsItself": .bool(renews),
                    "isCancelled": .bool(isCancelled), "isMuted": .bool(isMuted), "reminderDays": .int(days),
                    "entries": .entries(line.entries), "terms": .planTerms(terms),
                    "former": former.map { .object(["until": .day($0.until), "terms": .planTerms($0.terms)]) }
                        ?? .null,
                    "cost": .price(cost), "ownFee": .amount(ownFee),
                ])
            ])
        )
    }

    // MARK: As they are written

    private static func key(_ key: ReminderKey) -> AnyJSON {
        .string("\(key.kind).\(key.subject.caseText).\(key.occursOn).\(key.lead)")
    }

    private static func json(_ said: SaidReminder) -> AnyJSON {
        .object([
            "id": key(said.key), "answer": said.answer.map { .string($0.rawValue) } ?? .null,
            "snoozedUntil": .day(said.snoozedUntil),
        ])
    }
}

extension AnyJSON {
    fileprivate static func int(_ value: Int?) -> AnyJSON { value.map { .int($0) } ?? .null }

    fileprivate static func instant(_ instant: Instant?) -> AnyJSON {
        instant.map { .integer($0.secondsSince1970) } ?? .null
    }
}

extension UUID {
    /// In small letters, as JSON has it.
    fileprivate var caseText: String { uuidString.lowercased() }
}
