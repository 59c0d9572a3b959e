import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("A look that fails for one user")
struct LookFailureTests {
    /// The periods and the next look of each user: `ada 0 2026-03-05 10:00:00`.
    private func standing(_ service: TestService) async throws -> [String] {
        try await service.database.run(
            """
            SELECT CONCAT(SUBSTRING_INDEX(a.Email, '@', 1), ' ', s.Period, ' ', g.Next_at)
            FROM Account a JOIN Subscription s ON s.User_ID = a.User_ID JOIN Agenda g ON g.User_ID = a.User_ID
            ORDER BY a.Email
            """
        ).split(separator: "\n").map(String.init)
    }

    @Test("The user is left out for an hour, the log has the id, and the others have their look")
    func leftOut() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, folder in
            let ada = try await service.newMember("ada@example.org", folder)
            let bob = try await service.newMember("bob@example.org", folder)
            let plan = try await service.addPlan()
            for user in [ada, bob] {
                try await user.call(
                    CreateSubscription(planId: plan, startDate: day("2026-02-05"), autoRenew: true))
            }
            try await service.planned()
            // A rule that an administrator has typed, and that one user's renewal breaks.
            let id = "0x" + ada.user.id.uuidString.replacing("-", with: "")
            try await service.database.run(
                """
                DELIMITER //
                CREATE TRIGGER Typed_by_hand BEFORE UPDATE ON Subscription FOR EACH ROW
                IF NEW.User_ID = \(id) THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF//
                """)
            service.clock.set("2026-03-05T09:00:00Z")
            try await service.planned()
            let failed = try await standing(service)
            #expect(failed.first == "ada 0 2026-03-05 10:00:00")
            #expect(failed.last?.hasPrefix("bob 1 ") == true && failed.last?.hasSuffix("2026-03-05 10:00:00") == false)
            let lines = service.log.lines.filter { $0.metadata["error"]?.contains("\(ada.user.id)") == true }
            #expect(lines.count == 1 && lines.first?.level == .warning, "\(lines)")
            #expect(!service.log.lines.contains { $0.metadata["error"]?.contains("\(bob.user.id)") == true })

            try await service.database.run("DROP TRIGGER Typed_by_hand")
            service.clock.set("2026-03-05T10:00:00Z")
            try await service.planned()
            #expect(try await standing(service).first?.hasPrefix("ada 1 ") == true)
        }
    }
}
