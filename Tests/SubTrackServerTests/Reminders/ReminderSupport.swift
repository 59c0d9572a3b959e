import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

extension TestService {
    /// Runs a service alone, with reminders in its tenant and a mail program.
    static func runWithReminders(
        at time: String, configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService, MailFolder) async throws -> Void
    ) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await runAlone(
                at: time,
                configure: { settings in
                    settings.mail = mail
                    settings.roundInterval = .milliseconds(30)
                    configure(&settings)
                }
            ) { service in
                try await service.withTenants { _ = try await $0.setAreas("default", enabling: ["reminders"]) }
                try await eventually(within: .seconds(20), "reminders are on") {
                    try await service.client.call(GetServerInfo()).areas.contains("reminders")
                }
                try await body(service, folder)
            }
        }
    }

    /// Waits until all users are planned as their rows are now, and nobody's look is due.
    func planned() async throws {
        try await eventually(within: .seconds(20), "everybody is planned") {
            let now = clock.now.description.replacing("T", with: " ").replacing("Z", with: "")
            return try await database.run(
                """
                SELECT (SELECT COUNT(*) FROM Scope WHERE Stale = 1) + (SELECT COUNT(*) FROM Agenda WHERE Next_at <= '\(now)')
                """) == "0\n"
        }
    }

    /// Waits until nothing is left to be delivered.
    func delivered() async throws {
        try await planned()
        try await eventually(within: .seconds(20), "all mails are out") {
            try await database.run("SELECT COUNT(*) FROM Mail_delivery WHERE Dead_at IS NULL") == "0\n"
        }
    }

    /// A user with a confirmed address, whose mail about it was taken out of the folder.
    func newMember(
        _ email: String, country: String = "US", timeZone: String = "UTC", _ folder: MailFolder
    ) async throws -> TestUser {
        let user = try await newUser(country: country, timeZone: timeZone)
        try await user.register(email)
        let token = try await folder.take(to: email).token ?? ""
        try await user.call(VerifyEmail(token: token))
        return user
    }
}
