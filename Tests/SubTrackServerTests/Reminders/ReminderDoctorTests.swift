import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The doctor on reminders.
@Suite("Reminders for operators", .ownTime)
struct ReminderDoctorTests {
    @Test(
        "The doctor warns of late looks, of mails that nothing takes and of unknown zones, in tenants with reminders alone"
    )
    func doctor() async throws {
        // No look comes in between.
        try await TestService.runAlone(configure: { $0.sharedJobInterval = .seconds(86_400) }) { service in
            let ada = try await service.newUser()
            func said(sendsMails: Bool) async throws -> [String] {
                try await service.withTenants { tenants in
                    var doctor = Doctor(access: tenants.access, logger: tenants.logger)
                    doctor.sendsMails = sendsMails
                    return await doctor.findings().filter { $0.subject == "tenant default" && $0.level != .ok }
                        .map(\.text)
                }
            }
            try await service.withTenants { _ = try await $0.setAreas("default", disabling: ["reminders"]) }
            #expect(try await said(sendsMails: false) == [])
            try await service.withTenants { _ = try await $0.setAreas("default", enabling: ["reminders"]) }
            try await service.database.run(
                "INSERT INTO Agenda (User_ID, Next_at, Looked_at) VALUES (\(hex(ada.user.id)), UTC_TIMESTAMP() - INTERVAL 7 MINUTE, '2026-01-01') "
                    + "ON DUPLICATE KEY UPDATE Next_at = VALUES(Next_at)")
            let late = try await said(sendsMails: false)
            #expect(late.contains { $0.hasPrefix("its reminders reach nobody by mail") }, "\(late)")
            #expect(late.contains { $0.hasPrefix("looks for reminders are 7 minutes late") }, "\(late)")
            try await service.database.run("UPDATE Agenda SET Next_at = UTC_TIMESTAMP() + INTERVAL 1 DAY")
            #expect(try await said(sendsMails: true) == [])
            try await service.database.run("UPDATE `User` SET Time_zone = 'Gone/Away'")
            let unknown = try await said(sendsMails: true)
            #expect(
                unknown == [
                    "1 user has a time zone that this machine does not know, such as \"Gone/Away\": they are reminded by UTC"
                ], "\(unknown)")
        }
    }
}
