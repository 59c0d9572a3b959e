import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Replicas that are processes of their own, as operators run them.
@Suite(
    "Reminders of three replicas", .ownTime, .enabled(if: MailSink.python != nil, MailSink.want),
    .enabled(if: TestStage.full, "script/test --full: waits until the claims of a killed process end"))
struct ReminderReplicaTests {
    /// How many users are told.
    private static let users = 1000

    @Test(
        "One of three is killed in the middle of the mails for a thousand users: each is told, and few are told twice")
    func killed() async throws {
        try await MailSink.with { sink in
            try await ServiceProcess.withFolder { folder in
                // This service has the databases, and looks at nobody.
                try await TestService.runAlone(configure: { $0.sharedJobInterval = .seconds(86_400) }) { service in
                    let url =
                        "mysql://\(service.database.user)@localhost/\(service.control.name)?socket="
                        + APIClient.encoded(service.database.socketPath)
                    let arguments = [
                        "serve", "--database-url", url, "--http-listen", "127.0.0.1:0", "--smtp-url",
                        "smtp://127.0.0.1:\(sink.port)", "--smtp-tls", "none", "--mail-from", "noreply@subs.example",
                    ]
                    try await fill(service)
                    try await ServiceProcess.run(arguments, in: folder) { first in
                        try await ServiceProcess.run(arguments, in: folder) { second in
                            try await ServiceProcess.run(arguments, in: folder) { third in
                                for replica in [first, second, third] { _ = try await replica.becomesReady() }
                                try await tell(service, sink) {
                                    first.signal(SIGKILL)
                                    let code = try await first.exit()
                                    #expect(code == -SIGKILL)
                                }
                            }
                        }
                    }
                    let ids = try sink.sources().compactMap { source in
                        source.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("message-id:") }
                    }
                    #expect(Set(ids).count == Self.users, "a mail that went out twice has one Message-ID")
                    // A replica has four mails of a tenant under way.
                    #expect(ids.count <= Self.users + 4, "\(ids.count)")
                    #expect(try await service.number("SELECT COUNT(*) FROM Reminder") == Self.users)
                }
            }
        }
    }

    /// Adds users with a confirmed address, whose hour has come, and a subscription that ends within a week.
    private func fill(_ service: TestService) async throws {
        let plan = try await service.addPlan()
        try await service.newUser().register("model@example.org")
        try await service.database.run(
            """
            DELETE FROM Mail;
            INSERT INTO `User` (User_ID, Country_ID, Time_zone)
            SELECT UNHEX(MD5(seq)), 'US', 'UTC' FROM seq_1_to_\(Self.users);
            INSERT INTO Account (Email, User_ID, Password, Verified_at)
            SELECT CONCAT('user', seq, '@example.org'), UNHEX(MD5(seq)), a.Password, UTC_TIMESTAMP()
            FROM seq_1_to_\(Self.users), Account a WHERE a.Email = 'model@example.org';
            INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID, Remind_at, Weekly_on)
            SELECT User_ID, User_ID, '00:00', NULL FROM `User`;
            INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
            SELECT UNHEX(MD5(CONCAT('s', seq))), UNHEX(MD5(seq)), \(plan), UTC_DATE() - INTERVAL 1 MONTH + INTERVAL 3 DAY
            FROM seq_1_to_\(Self.users)
            """)
    }

    /// Has the replicas tell all users.
    /// - Parameter kill: is called when some mails have come, and others are on their way.
    private func tell(_ service: TestService, _ sink: MailSink, kill: () async throws -> Void) async throws {
        try await eventually(within: .seconds(120), "everybody is planned") {
            try await service.number(
                "SELECT (SELECT COUNT(*) FROM Agenda) - (SELECT COUNT(*) FROM Scope WHERE Stale = 1)") > Self.users
        }
        // Under the locks of a look: a replica may plan once more what another one has planned.
        try await service.database.run(
            """
            START TRANSACTION;
            SELECT COUNT(Ver) FROM Scope FOR UPDATE;
            UPDATE Agenda SET Next_at = UTC_TIMESTAMP(), Looked_at = UTC_TIMESTAMP() - INTERVAL 2 DAY;
            COMMIT
            """)
        func told() throws -> Int { try sink.files(".mail").count }
        try await eventually(within: .seconds(120), "mails come") { try told() > 100 }
        try await kill()
        let before = try told()
        #expect(before < Self.users, "it was killed in the middle")
        do {
            try await eventually(within: .seconds(300), "all are told") {
                guard try told() >= Self.users else { return false }
                return try await service.number("SELECT COUNT(*) FROM Mail") == 0
            }
        } catch {
            let said = try await service.number("SELECT COUNT(*) FROM Reminder")
            let waiting = try await service.database.run(
                "SELECT Email, Attempts, Next_attempt_at, UTC_TIMESTAMP() FROM Mail LIMIT 5")
            Issue.record("\(said) were said, \(try told()) came, and these wait: \(waiting)")
            throw error
        }
    }
}
