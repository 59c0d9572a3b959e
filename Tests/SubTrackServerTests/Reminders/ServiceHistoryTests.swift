import SubTrackTestSupport
import TestTraits
import Testing

/// Looks of a running service against a model of the rules. `ReminderHistoryTests` has the rules alone, in many more histories.
@Suite("Histories of reminders at a service", .tags(.otherServers), .ownTime)
struct ServiceHistoryTests {
    private static let histories = ServiceHistory.Theme.allCases.flatMap { theme in
        let faults: UInt64 = theme == .all ? 200 : 50
        return TestSeed.some(TestStage.faults ? faults : 2, of: "reminders at a service, \(theme)").map { (theme, $0) }
    }

    @Test(
        "The service says what the model says, at the user's hour alone", .tags(.everyServer), arguments: histories)
    func random(_ theme: ServiceHistory.Theme, seed: UInt64) async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            var history = try await ServiceHistory(service, theme, seed: seed)
            let fault = try await history.play(steps: 40)
            #expect(fault == nil, "\(theme), seed \(seed)")
            print("\(theme), seed \(seed): \(history.count) reminders")
        }
    }
}
