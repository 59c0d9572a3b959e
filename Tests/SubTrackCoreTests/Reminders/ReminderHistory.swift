import Foundation
import ReminderModel
import SubTrackAPI
import SubTrackCore
import TestTraits

/// A random history of a user's things, settings, zones, answers and downtimes.
///
/// Looks run when they are planned or when something has changed. The model looks at each tick, and knows no plan.
struct ReminderHistory {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Nuuk",
        "Pacific/Kiritimati", "Pacific/Chatham", "UTC", "Africa/Casablanca", "America/Los_Angeles", "Gone/Away",
    ]

    /// The changes of a history. Where a person acts all the time, a look that a lone change should cause is not missed.
    enum Theme: Int, CaseIterable, Sendable {
        case all
        /// A person answers and snoozes, and does nothing else.
        case answers
        /// Prices are announced, moved and withdrawn, and no person does anything.
        case catalogue
    }

    /// A way in which a planner is broken on purpose.
    enum Break: CaseIterable, Sendable {
        /// Changes cause no look.
        case staleIsNotRead
        /// Reminders of before do not count.
        case saidIsForgotten
        /// Days and hours are those of UTC.
        case daysByUTC
        /// A look speaks whenever it comes.
        case beforeTheHour
        /// A thing that has come up late is not planned for the next hour.
        case lateIsNotPlanned
        /// A changed price causes no look at its subscribers.
        case catalogueIsNotTold
        /// An answer that puts off does nothing.
        case snoozeIsForgotten

        /// The histories that find it.
        var theme: Theme {
            switch self {
            case .catalogueIsNotTold: .catalogue
            case .snoozeIsForgotten: .answers
            default: .all
            }
        }
    }

    let theme: Theme
    let seed: UInt64
    /// nil: the planner is the true one.
    var broken: Break?

    /// Plays the history.
    /// - Returns: how many reminders were said, and the first fault; nil: there is none.
    func play() throws -> (said: Int, fault: String?) {
        var random = SeededGenerator(seed: seed &+ UInt64(1_000_000 * theme.rawValue))
        var model = ReminderModel(user: Self.id(&random))
        var now = Instant(secondsSince1970: 1_780_000_000 + Int64.random(in: 0..<40_000_000, using: &random) / 60 * 60)
        var (looked, planned): (Instant?, Instant?) = (nil, nil)
        var (changed, seen) = (now, Instant?.none)
        var count = 0
        if theme != .all { try Self.furnish(&model, theme, now, &random) }
        for step in 0..<200 {
            for _ in 0..<[0, 0, 1, 1, 3].picked(&random) {
                try Self.change(&model, now, theme, &random)
                changed = now
            }
            now = Instant(
                secondsSince1970: now.secondsSince1970 + 60
                    * [
                        Int64.random(in: 1...50, using: &random), Int64.random(in: 60...540, using: &random),
                        Int64.random(in: 600...1800, using: &random), 1440, 2880,
                    ].picked(&random))
            guard Double.random(in: 0..<1, using: &random) < 0.85 else { continue }
            let hasChanged =
                broken == .staleIsNotRead || broken == .catalogueIsNotTold ? false : seen.map { changed >= $0 } ?? true
            let looks = seen == nil || hasChanged || (planned.map { $0 <= now } ?? false)
            var spoken: Set<ReminderKey> = []
            let today = model.rules.today(at: now)
            if looks { try model.catchUp(to: today) }
            let rules = model.rules
            let expected = model.due(on: today)
            if looks {
                let look = self.look(model, at: now, looked, planned)
                guard look.next > now && look.next <= now.adding(days: 41) else {
                    return (count, "step \(step): the next look is at \(look.next)")
                }
                spoken = Set(look.due)
                (looked, planned) = (now, look.next)
            }
            let hour = rules.hour(of: today)
            guard spoken.isSubset(of: expected) else {
                return (count, "step \(step): said in vain \(spoken.subtracting(expected))")
            }
            guard spoken.isEmpty || hour <= now else { return (count, "step \(step): before the hour") }
            if hour <= now, let seen, changed < seen, seen < hour {
                let missed = expected.subtracting(spoken)
                guard missed.isEmpty else { return (count, "step \(step): missed on \(today) \(missed)") }
            }
            model.said += spoken.sorted { $0.id.uuidString < $1.id.uuidString }.map { SaidReminder(key: $0) }
            count += spoken.count
            seen = now
        }
        let isDoubled = Set(model.said.map(\.key)).count != model.said.count
        return (count, isDoubled ? "a key was said twice" : nil)
    }

    /// A look, by the planner as it is or as it is broken.
    private func look(
        _ model: ReminderModel, at now: Instant, _ looked: Instant?, _ planned: Instant?
    ) -> (due: [ReminderKey], next: Instant) {
        var model = model
        switch broken {
        case .saidIsForgotten: model.said = []
        case .daysByUTC: model.zone = "UTC"
        case .snoozeIsForgotten:
            model.said = model.said.map { $0.answer == .snooze ? SaidReminder(key: $0.key) : $0 }
        default: break
        }
        let rules = model.rules
        let look = rules.look(at: now, said: model.said, lookedAt: looked, plannedAt: planned)
        return switch broken {
        case .beforeTheHour: (rules.due(on: rules.today(at: now), said: model.said), look.next)
        case .lateIsNotPlanned: (look.due, max(look.next, now.adding(days: 1)))
        default: (look.due, look.next)
        }
    }

    /// Gives a user things that stay as they are. Where the catalogue alone changes, nothing else causes a look.
    private static func furnish(
        _ model: inout ReminderModel, _ theme: Theme, _ now: Instant, _ random: inout SeededGenerator
    ) throws {
        for _ in 0..<4 { try make(.thing, &model, now, &random) }
        for setting in [Change.zone, .hour] { try make(setting, &model, now, &random) }
        if theme == .catalogue {
            model.weekday = nil
            model.leads = model.leads.mapValues { _ in [] }
            model.leads[.price] = ReminderKind.price.usualLeads
            for place in model.things.indices {
                model.things[place].renewsItself = true
                model.things[place].reminderDays = nil
            }
        } else {
            for place in model.things.indices { model.things[place].renewsItself = place != 0 }
            for _ in 0..<2 { try make(.date, &model, now, &random) }
            for setting in [Change.repetition, .weekday] { try make(setting, &model, now, &random) }
        }
    }

    /// A change of a history.
    private enum Change: CaseIterable {
        case thing, renewal, cancellation, muting, automatic, price, zone, hour, repetition, weekday, leads, date
        case answer
    }

    private static func change(
        _ model: inout ReminderModel, _ now: Instant, _ theme: Theme, _ random: inout SeededGenerator
    ) throws {
        let change: Change =
            switch theme {
            case .all: (Change.allCases + [.thing, .answer]).picked(&random)
            case .answers: .answer
            case .catalogue: .price
            }
        try make(change, &model, now, &random)
    }

    private static func make(
        _ change: Change, _ model: inout ReminderModel, _ now: Instant, _ random: inout SeededGenerator
    ) throws {
        let today = model.rules.today(at: now)
        let place = model.things.indices.randomElement(using: &random)
        switch change {
        case .thing:
            if model.things.count > 5 { model.things.removeFirst() }
            let duration = [
                PlanDuration(value: 1, unit: .month), .init(value: 1, unit: .year), .init(value: 1, unit: .week),
                .init(value: 1, unit: .day), .init(value: 3, unit: .month),
            ].picked(&random)
            model.things.append(
                .init(
                    id: id(&random),
                    state: try .begin(
                        on: today.adding(days: -Int.random(in: -3...40, using: &random)),
                        terms: BillingTerms(duration: duration), freeTrial: Int.random(in: 0..<5, using: &random) == 0),
                    duration: duration, renewsItself: Bool.random(using: &random),
                    reminderDays: [nil, nil, 0, 3, 30].picked(&random),
                    notice: [0, 0, 2, 10].picked(&random)))
        case .renewal:
            guard let place else { return }
            model.things[place].state = try model.things[place].state.renewed(
                BillingTerms(duration: model.things[place].duration))
        case .cancellation: if let place { model.things[place].isCancelled.toggle() }
        case .muting: if let place { model.things[place].isMuted.toggle() }
        case .automatic: if let place { model.things[place].renewsItself.toggle() }
        case .price:
            guard let place, !model.things[place].state.freeTrial else { return }
            let day = today.adding(days: Int.random(in: -5...60, using: &random))
            model.things[place].dearerOn = Int.random(in: 0..<5, using: &random) == 0 ? nil : day
        case .zone: model.zone = Self.zones.picked(&random)
        case .hour: model.minute = [0, 150, 540, 1080, 1410].picked(&random)
        case .repetition: model.repeatDays = [nil, 1, 2].picked(&random)
        case .weekday: model.weekday = [nil, 1, 4].picked(&random)
        case .leads:
            let kind = ReminderKind.allCases.picked(&random)
            model.leads[kind] = [[0, 1, 2, 3, 7, 14, 30].picked(&random), 1]
        case .date:
            if model.dates.count > 3 { model.dates.removeFirst() }
            let day = today.adding(days: Int.random(in: 0...20, using: &random)).description
            let text = ["--" + day.dropFirst(5), day, "1990-" + day.dropFirst(5), "--02-29"].picked(&random)
            model.dates.append(
                .init(
                    id: id(&random), date: ContactDay(text) == nil ? "--02-29" : text,
                    yearly: Bool.random(using: &random),
                    reminderDays: [nil, nil, 5].picked(&random)))
        case .answer:
            let unanswered = model.said.indices.filter { model.said[$0].answer == nil }
            guard let open = unanswered.suffix(3).randomElement(using: &random) else { return }
            let answer = [ReminderAnswer.keep, .snooze, .done, .cancel].picked(&random)
            model.said[open] = SaidReminder(
                key: model.said[open].key, answer: answer,
                snoozedUntil: answer == .snooze ? today.adding(days: [1, 2, 3, 4, 9, 30, 70].picked(&random)) : nil)
        }
    }
}

extension ReminderHistory {
    /// An id that a seed gives again.
    private static func id(_ random: inout SeededGenerator) -> UUID {
        func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        let all = bytes(random.next()) + bytes(random.next())
        return all.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension Instant {
    func adding(days: Int64) -> Instant { Instant(secondsSince1970: secondsSince1970 + days * 86_400) }
}
