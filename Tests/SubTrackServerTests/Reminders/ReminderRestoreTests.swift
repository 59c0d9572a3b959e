import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Backups that are put back, and copies of tenants.
@Suite("Reminders after a restore", .ownTime)
struct ReminderRestoreTests {
    /// Runs with a user to whom a renewal was said this morning, after an export was written.
    private func run(_ body: (TestService, TestUser, _ file: String) async throws -> Void) async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
                try await service.database.run(
                    """
                    INSERT INTO Answer_secret (Secret_hash, User_ID, Notification_no, Purpose, Expires_at)
                    VALUES (REPEAT('a', 32), \(hex(ada.user.id)), 1, 'answer', '2026-03-31')
                    """)
                _ = try await ada.call(CreateCalendar())
                try await service.planned()
                let file = folder.path + "/default.jsonl"
                _ = try await service.withTenants { try await $0.export("default", to: file) }
                try await service.look(at: "2026-02-26T09:00:00Z")
                #expect(try await service.said() == ["renewal 2026-03-05 7"])
                try await body(service, ada, file)
            }
        }
    }

    @Test("A backup of before says nothing twice on that day, and goes on with the next one")
    func backup() async throws {
        try await run { service, ada, _ in
            // Nothing looks until the backup is in its place.
            try await service.withTenants { try await $0.setSuspended(true, "default") }
            try await eventually("the service knows") { try await ada.client.response(to: GetMe()).status != 200 }
            try await service.database.run(
                """
                DELETE FROM Reminder;
                UPDATE Agenda SET Looked_at = '2026-02-10 12:00:00', Next_at = '2026-02-25 09:00:00';
                UPDATE Scope SET Planned_ver = Ver
                """)
            try await service.withTenants { tenants in
                _ = try await tenants.restored("default")
                try await tenants.setSuspended(false, "default")
            }
            try await eventually("it is open") { try await ada.client.response(to: GetMe()).status == 200 }
            try await service.planned()
            #expect(try await service.said().isEmpty)
            try await service.look(at: "2026-03-04T09:00:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 1"])
        }
    }

    @Test("A copy has no reminders until its operator wants them, and none of the other one's tokens and calendars")
    func copy() async throws {
        try await run { service, _, file in
            try await service.withTenants { tenants in
                _ = try await tenants.import("beta", from: file, isReplacing: false)
                let area = try await tenants.areas(of: "beta").first { $0.name == "reminders" }
                #expect(area?.isOn == false && area?.isDecided == true)
                let beta = service.database(of: "beta")
                #expect(try await beta.run("SELECT COUNT(*) FROM Answer_secret") == "0\n")
                #expect(try await beta.run("SELECT COUNT(*) FROM Calendar_feed") == "0\n")
                #expect(try await beta.run("SELECT COUNT(*) FROM Subscription") == "1\n")
                // The same name is the same tenant.
                _ = try await tenants.import("default", from: file, isReplacing: true)
                let own = try await tenants.areas(of: "default").first { $0.name == "reminders" }
                #expect(own?.isOn == true)
            }
        }
    }
}
