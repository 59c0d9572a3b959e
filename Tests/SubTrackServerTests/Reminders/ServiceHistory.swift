import Foundation
import ReminderModel
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits

@testable import SubTrackServer

/// A random history of a user at a running service, and the same history in a model that knows the rules.
struct ServiceHistory {
    /// The changes of a history. A look that only a price or an answer causes is rare among many changes.
    enum Theme: Int, CaseIterable, Sendable {
        case all
        /// The user answers and snoozes, and does nothing else.
        case answers
        /// Admins announce prices by SQL, and the user does nothing.
        case catalogue
    }

    private enum Change: CaseIterable {
        case thing, renewal, cancellation, automatic, muting, price, zone, hour, leads, date, answer
    }

    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
        "Pacific/Kiritimati", "UTC", "Africa/Casablanca",
    ]

    private let service: TestService
    private let theme: Theme
    private let ada: TestUser
    private var random: SeededGenerator
    private var model: ReminderModel
    private var plans: [UUID: Int64] = [:]
    private var leadRows: [UUID] = []
    /// How many reminders were said.
    private(set) var count = 0
    /// The changes, for the words of a fault.
    private var trace: [String] = []

    init(_ service: TestService, _ theme: Theme, seed: UInt64) async throws {
        (self.service, self.theme) = (service, theme)
        random = SeededGenerator(seed: seed &+ UInt64(1_000_000 * theme.rawValue))
        ada = try await service.newUser(country: "DE", timeZone: "Europe/Berlin")
        model = ReminderModel(user: ada.user.id)
    }

    /// Plays some steps.
    /// - Returns: the first fault; nil: there is none.
    mutating func play(steps: Int) async throws -> String? {
        for _ in 0..<3 { try await make(.thing) }
        for change in [Change.hour, .date] { try await make(change) }
        for step in 0..<steps {
            for _ in 0..<[0, 1, 1, 2].picked(&random) { try await make(change()) }
            try await service.planned()
            guard try await news().isEmpty else { return "step \(step): a change alone has said something" }
            let seen = service.clock.now
            let minutes = [
                Int.random(in: 1...50, using: &random), Int.random(in: 60...540, using: &random),
                Int.random(in: 600...1800, using: &random), 1440, 2880, 7200,
            ].picked(&random)
            let now = Instant(secondsSince1970: seen.secondsSince1970 + Int64(minutes) * 60)
            try await service.look(at: now.description)
            let today = model.rules.today(at: now)
            try model.catchUp(to: today)
            let hour = model.rules.hour(of: today)
            let expected = seen < hour && hour <= now ? model.due(on: today) : []
            let spoken = try await news()
            guard spoken == expected else {
                return "step \(step), \(now), \(today): missed \(words(expected.subtracting(spoken))), "
                    + "said in vain \(words(spoken.subtracting(expected))), after \(trace.suffix(30))"
            }
            count += spoken.count
            model.said += spoken.map { SaidReminder(key: $0) }
        }
        return nil
    }

    private func words(_ keys: Set<ReminderKey>) -> [String] {
        keys.map { key in
            let place = model.things.firstIndex { $0.id == key.subject }.map { " of \($0)" } ?? ""
            return "\(key.kind) \(key.occursOn) \(key.lead)\(place)"
        }.sorted()
    }

    private static func words(_ thing: ReminderModel.Thing) -> String {
        let marks = [
            thing.renewsItself ? "auto" : nil, thing.isCancelled ? "cancelled" : nil, thing.isMuted ? "muted" : nil,
        ]
        return "\(thing.state.start)…\(thing.state.end) \(marks.compactMap(\.self).joined(separator: " "))"
    }

    /// The reminders that the service has said since it was asked last.
    private func news() async throws -> Set<ReminderKey> {
        let rows = try await service.database.run(
            "SELECT LOWER(HEX(Subject_ID)), Kind, Occurs_on, Lead_days FROM Reminder WHERE User_ID = \(hex(ada.user.id))"
        )
        let said = Set(model.said.map(\.key))
        return try Set(
            rows.split(separator: "\n").map { line in
                let parts = line.split(separator: "\t").map(String.init)
                guard parts.count == 4, let subject = Self.id(parts[0]), let kind = ReminderKind(rawValue: parts[1]),
                    let day = CalendarDate(parts[2]), let lead = Int(parts[3])
                else { throw NeverHappened(description: "a reminder in \(line)") }
                return ReminderKey(subject: subject, kind: kind, occursOn: day, lead: lead)
            }
        ).subtracting(said)
    }

    private static func id(_ hex: String) -> UUID? {
        var text = hex
        for offset in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
        return UUID(uuidString: text)
    }

    // MARK: Changes, each at the service and in the model

    private mutating func change() -> Change {
        switch theme {
        case .all: (Change.allCases + [.thing, .answer]).picked(&random)
        case .answers: .answer
        case .catalogue: .price
        }
    }

    private mutating func make(_ change: Change) async throws {
        let today = model.rules.today(at: service.clock.now)
        try model.catchUp(to: today)
        let open = model.things.indices.filter { !model.things[$0].isCancelled }
        defer { trace.append("\(service.clock.now) \(change): \(model.things.map(Self.words))") }
        switch change {
        case .thing: try await addThing(today)
        case .renewal:
            guard let place = open.randomElement(using: &random),
                model.things[place].state.end <= today.adding(days: 40)
            else { return }
            try await ada.call(RenewSubscription(id: model.things[place].id))
            model.things[place].state = try model.things[place].state.renewed(
                BillingTerms(duration: model.things[place].duration))
        case .cancellation:
            guard let place = open.randomElement(using: &random) else { return }
            try await ada.call(CancelSubscription(id: model.things[place].id))
            model.things[place].isCancelled = true
        case .automatic:
            // An overdue one would begin anew on that day (`docs/decisions/billing.md`).
            let current = open.filter { model.things[$0].state.end > today }
            guard let place = current.randomElement(using: &random) else { return }
            model.things[place].renewsItself.toggle()
            try await ada.call(
                UpdateSubscription(id: model.things[place].id, autoRenew: .set(model.things[place].renewsItself)))
        case .muting:
            guard let place = model.things.indices.randomElement(using: &random) else { return }
            model.things[place].isMuted.toggle()
            try await ada.call(
                UpdateSubscription(id: model.things[place].id, muted: .set(model.things[place].isMuted)))
        case .price: try await announcePrice(today)
        case .zone:
            model.zone = Self.zones.picked(&random)
            try await ada.call(UpdateMe(timeZone: .set(model.zone)))
        case .hour: try await changeSettings()
        case .leads: try await changeLeads()
        case .date: try await addDate(today)
        case .answer: try await answer(today)
        }
    }

    private mutating func addThing(_ today: CalendarDate) async throws {
        guard model.things.count < 6 else { return }
        let (value, unit) = [(1, PlanDuration.Unit.month), (1, .year), (1, .week), (3, .month)].picked(&random)
        let duration = PlanDuration(value: value, unit: unit)
        let (trial, notice) = (Int.random(in: 0..<5, using: &random) == 0, [0, 0, 2, 10].picked(&random))
        let start = today.adding(days: -Int.random(in: 0...40, using: &random))
        let (renewsItself, days) = (Bool.random(using: &random), [nil, nil, 0, 3, 30].picked(&random))
        let plan = try await service.addPlan(
            fee: "5.00", duration: "\(value) \(unit)", country: "DE", currency: "EUR", noticeDays: notice)
        let made = try await ada.call(
            CreateSubscription(
                planId: plan, startDate: start, freeTrial: trial, autoRenew: renewsItself, reminderDays: days))
        plans[made.id] = plan
        model.things.append(
            .init(
                id: made.id,
                state: try .begin(on: start, terms: BillingTerms(duration: duration), freeTrial: trial),
                duration: duration, renewsItself: renewsItself, reminderDays: days, notice: notice))
    }

    private mutating func announcePrice(_ today: CalendarDate) async throws {
        let places = model.things.indices.filter { place in
            model.things[place].dearerOn == nil && !model.things[place].state.freeTrial
        }
        guard let place = places.randomElement(using: &random), let plan = plans[model.things[place].id] else { return }
        let day = today.adding(days: Int.random(in: 2...60, using: &random))
        try await service.database.run(
            "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (\(plan), '\(day)', 6.00, 'EUR')"
        )
        model.things[place].dearerOn = day
    }

    private mutating func changeSettings() async throws {
        model.minute = [0, 150, 540, 1080, 1410].picked(&random)
        (model.repeatDays, model.weekday) = ([nil, 1, 2].picked(&random), [nil, 1, 4].picked(&random))
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fields: [String: AnyJSON] = [
            "remindAt": .string("\(padded(model.minute / 60)):\(padded(model.minute % 60))"),
            "repeatDays": model.repeatDays.map { .integer(Int64($0)) } ?? .null,
            "weeklyOn": model.weekday.map { .integer(Int64($0)) } ?? .null,
        ]
        let isThere =
            try await service.number(
                "SELECT COUNT(*) FROM Reminder_setting WHERE User_ID = \(hex(ada.user.id))") == 1
        try await push("reminderSetting", isThere ? .update : .create, ada.user.id, fields)
    }

    private mutating func changeLeads() async throws {
        for id in leadRows { try await push("reminderLead", .delete, id) }
        leadRows = []
        for kind in ReminderKind.allCases { model.leads[kind] = kind.usualLeads }
        let kind = [ReminderKind.renewal, .cancelBy, .trial, .price, .ended, .overdue, .date].picked(&random)
        let days = Set([[0, 1, 2, 3, 7, 14, 30].picked(&random), 1])
        model.leads[kind] = Array(days)
        for count in days.sorted() {
            leadRows.append(UUID())
            try await push(
                "reminderLead", .create, leadRows[leadRows.count - 1],
                ["kind": .string(kind.rawValue), "days": .integer(Int64(count))])
        }
    }

    private mutating func addDate(_ today: CalendarDate) async throws {
        guard model.dates.count < 3 else { return }
        let day = today.adding(days: Int.random(in: 0...20, using: &random)).description
        let text = ["--" + day.dropFirst(5), day, "1990-" + day.dropFirst(5), "--02-29"].picked(&random)
        let valid = ContactDay(text) == nil ? "--02-29" : text
        // A day without a year comes each year.
        let isYearly = valid.hasPrefix("--") || Bool.random(using: &random)
        let days = [nil, nil, 5].picked(&random)
        let id = UUID()
        try await ada.call(
            CreateContact(
                firstName: "Ada", lastName: "Lovelace",
                dates: [ContactDate(id: id, date: valid, yearly: isYearly, reminderDays: days)]))
        model.dates.append(.init(id: id, date: valid, yearly: isYearly, reminderDays: days))
    }

    private mutating func answer(_ today: CalendarDate) async throws {
        let unanswered = model.said.indices.filter {
            model.said[$0].answer == nil && model.said[$0].key.kind != .digest
        }
        guard let place = unanswered.suffix(3).randomElement(using: &random) else { return }
        let answer = [ReminderAnswer.keep, .snooze, .done].picked(&random)
        let until = answer == .snooze ? today.adding(days: [1, 2, 3, 4, 9, 30].picked(&random)) : nil
        let key = model.said[place].key
        try await push(
            "reminder", .update, key.id,
            ["answer": .string(answer.rawValue), "snoozedUntil": until.map { .string($0.description) } ?? .null])
        model.said[place] = SaidReminder(key: key, answer: answer, snoozedUntil: until)
    }

    private func push(
        _ kind: SyncEntity, _ op: PushChanges.Mutation.Op, _ id: UUID, _ fields: [String: AnyJSON]? = nil
    ) async throws {
        let result = try await service.push(kind, op, id, fields, by: ada)
        guard result.outcome == .applied else {
            throw NeverHappened(description: "\(op) of a \(kind): \(result.error.map { "\($0)" } ?? "no reason")")
        }
    }
}
