import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Histories of reminders", .ownTime)
struct ReminderHistoryTests {
    /// The histories, with their seeds. Where people act all the time, a look that only a catalogue or an answer causes is
    /// rare: these have histories of their own.
    private static let histories = ReminderHistory.Theme.allCases.flatMap { theme in
        let usual: UInt64 = theme == .all ? 16 : 6
        let faults: UInt64 = theme == .all ? 200 : 50
        return TestSeed.some(TestStage.faults ? faults : usual, of: "reminders, \(theme)").map { (theme, $0) }
    }

    @Test("Looks say the same as the model, no sooner than the hour, and miss nothing", arguments: histories)
    func random(_ theme: ReminderHistory.Theme, seed: UInt64) throws {
        let (said, fault) = try ReminderHistory(theme: theme, seed: seed).play()
        #expect(fault == nil, "seed \(seed)")
        #expect(said > 0 || fault != nil)
    }

    @Test("A planner that is broken on purpose is found", arguments: ReminderHistory.Break.allCases)
    func broken(_ kind: ReminderHistory.Break) throws {
        let found = try (0..<6).first { seed in
            try ReminderHistory(theme: kind.theme, seed: seed, broken: kind).play().fault != nil
        }
        #expect(found != nil)
    }
}
