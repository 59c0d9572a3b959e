import Foundation
import SubTrackAPI
import SubTrackCore
import Testing

/// Random histories of a user's things, settings, zones, answers and downtimes.
///
/// Looks run when they are planned or when something has changed. The model looks at each tick, and knows no plan.
@Suite("Histories of reminders")
struct ReminderHistoryTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Nuuk",
        "Pacific/Kiritimati", "Pacific/Chatham", "UTC", "Africa/Casablanca", "America/Los_Angeles", "Gone/Away",
    ]

    @Test("Looks say the same as the model, no sooner than the hour, and miss nothing", arguments: 0..<16)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var model = ReminderModel()
        var now = Instant(secondsSince1970: 1_780_000_000 + Int64.random(in: 0..<40_000_000, using: &random) / 60 * 60)
        var (looked, planned): (Instant?, Instant?) = (nil, nil)
        var (changed, seen) = (now, Instant?.none)
        var count = 0
        for step in 0..<200 {
            for _ in 0..<[0, 0, 1, 1, 3].picked(&random) {
                try change(&model, now, &random)
                changed = now
            }
            now = Instant(
                secondsSince1970: now.secondsSince1970 + 60
                    * [
                        Int64.random(in: 1...50, using: &random), Int64.random(in: 60...540, using: &random),
                        Int64.random(in: 600...1800, using: &random), 1440, 2880,
                    ].picked(&random))
            guard Double.random(in: 0..<1, using: &random) < 0.85 else { continue }
            let looks = (seen.map { changed >= $0 } ?? true) || (planned.map { $0 <= now } ?? false)
            var spoken: Set<ReminderKey> = []
            let today = model.rules.today(at: now)
            if looks { try model.catchUp(to: today) }
            let rules = model.rules
            let expected = model.due(on: today)
            if looks {
                let look = rules.look(at: now, said: model.said, lookedAt: looked, plannedAt: planned)
                try #require(look.next > now && look.next <= now.adding(days: 41), "seed \(seed), step \(step)")
                spoken = Set(look.due)
                (looked, planned) = (now, look.next)
            }
            let hour = rules.hour(of: today)
            try #require(spoken.isSubset(of: expected), "seed \(seed), step \(step): \(spoken.subtracting(expected))")
            if !spoken.isEmpty { try #require(hour <= now, "seed \(seed), step \(step): before the hour") }
            if hour <= now, let seen, changed < seen, seen < hour {
                let missed = expected.subtracting(spoken)
                try #require(missed.isEmpty, "seed \(seed), step \(step) on \(today): \(missed)")
            }
            model.said += spoken.map { SaidReminder(key: $0) }
            count += spoken.count
            seen = now
        }
        #expect(Set(model.said.map(\.key)).count == model.said.count)
        #expect(count > 0)
    }

    private func change(_ model: inout ReminderModel, _ now: Instant, _ random: inout SeededGenerator) throws {
        let today = model.rules.today(at: now)
        let place = model.things.indices.randomElement(using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1:
            if model.things.count > 5 { model.things.removeFirst() }
            let duration = [
                PlanDuration(value: 1, unit: .month), .init(value: 1, unit: .year), .init(value: 1, unit: .week),
                .init(value: 1, unit: .day), .init(value: 3, unit: .month),
            ].picked(&random)
            model.things.append(
                .init(
                    id: UUID(),
                    state: try .begin(
                        on: today.adding(days: -Int.random(in: -3...40, using: &random)),
                        terms: BillingTerms(duration: duration), freeTrial: Int.random(in: 0..<5, using: &random) == 0),
                    duration: duration, renewsItself: Bool.random(using: &random),
                    reminderDays: [nil, nil, 0, 3, 30].picked(&random),
                    notice: [0, 0, 2, 10].picked(&random)))
        case 2:
            guard let place else { return }
            model.things[place].state = try model.things[place].state.renewed(
                BillingTerms(duration: model.things[place].duration))
        case 3: if let place { model.things[place].isCancelled.toggle() }
        case 4: if let place { model.things[place].isMuted.toggle() }
        case 5: if let place { model.things[place].renewsItself.toggle() }
        case 6:
            guard let place, !model.things[place].state.freeTrial else { return }
            model.things[place].dearerOn = today.adding(days: Int.random(in: -5...60, using: &random))
        case 7: model.zone = Self.zones.picked(&random)
        case 8: model.minute = [0, 150, 540, 1080, 1410].picked(&random)
        case 9: model.repeatDays = [nil, 1, 2].picked(&random)
        case 10: model.weekday = [nil, 1, 4].picked(&random)
        case 11:
            let kind = ReminderKind.allCases.picked(&random)
            model.leads[kind] = [[0, 1, 2, 3, 7, 14, 30].picked(&random), 1]
        case 12:
            if model.dates.count > 3 { model.dates.removeFirst() }
            let day = today.adding(days: Int.random(in: 0...20, using: &random)).description
            let text = ["--" + day.dropFirst(5), day, "1990-" + day.dropFirst(5), "--02-29"].picked(&random)
            model.dates.append(
                .init(
                    date: ContactDay(text) == nil ? "--02-29" : text,
                    yearly: Bool.random(using: &random),
                    reminderDays: [nil, nil, 5].picked(&random)))
        case 13: model.owes.toggle()
        default:
            let unanswered = model.said.indices.filter { model.said[$0].answer == nil }
            guard let open = unanswered.suffix(3).randomElement(using: &random) else { return }
            let answer = [ReminderAnswer.keep, .snooze, .done].picked(&random)
            model.said[open] = SaidReminder(
                key: model.said[open].key, answer: answer,
                snoozedUntil: answer == .snooze ? today.adding(days: Int.random(in: 1...4, using: &random)) : nil)
        }
    }
}

extension Instant {
    fileprivate func adding(days: Int64) -> Instant { Instant(secondsSince1970: secondsSince1970 + days * 86_400) }
}

extension Array {
    /// One of the elements, of which there must be some.
    fileprivate func picked(_ random: inout SeededGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }
}
