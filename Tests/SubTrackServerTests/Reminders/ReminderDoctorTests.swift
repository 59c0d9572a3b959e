import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The doctor on reminders.
@Suite("Reminders for operators", .ownTime)
struct ReminderDoctorTests {
    @Test(
        "The doctor warns of late looks and of unknown zones, where a tenant has reminders and is not suspended"
    )
    func doctor() async throws {
        // No look comes in between.
        try await TestService.runAlone(configure: { $0.sharedJobInterval = .seconds(86_400) }) { service in
            let ada = try await service.newUser()
            func said() async throws -> [String] {
                try await service.withTenants { tenants in
                    await Doctor(access: tenants.access, logger: tenants.logger).findings().filter {
                        $0.subject == "tenant default" && $0.level != .ok
                    }
                    .map(\.text)
                }
            }
            try await service.withTenants { _ = try await $0.setAreas("default", disabling: ["reminders"]) }
            #expect(try await said() == [])
            try await service.withTenants { _ = try await $0.setAreas("default", enabling: ["reminders"]) }
            try await service.database.run(
                "INSERT INTO Agenda (User_ID, Next_at, Looked_at) VALUES (\(hex(ada.user.id)), UTC_TIMESTAMP() - INTERVAL 7 MINUTE, '2026-01-01') "
                    + "ON DUPLICATE KEY UPDATE Next_at = VALUES(Next_at)")
            let late = try await said()
            #expect(late.contains { $0.hasPrefix("looks for reminders are 7 minutes late") }, "\(late)")
            try await service.withTenants { try await $0.setSuspended(true, "default") }
            #expect(try await !said().contains { $0.hasPrefix("looks for reminders") })
            try await service.withTenants { try await $0.setSuspended(false, "default") }
            try await service.database.run("UPDATE Agenda SET Next_at = UTC_TIMESTAMP() + INTERVAL 1 DAY")
            #expect(try await said() == [])
            try await service.database.run("UPDATE `User` SET Time_zone = 'Gone/Away'")
            let unknown = try await said()
            #expect(
                unknown == [
                    "1 user has a time zone that this machine does not know, such as \"Gone/Away\": they are reminded by UTC"
                ], "\(unknown)")
        }
    }
}
