import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// `subtrackd notifications`, as an operator runs it. No service runs.
@Suite("Command for reminders", .ownTime)
struct NotificationCommandTests {
    /// Runs `subtrackd` on a control database.
    private func subtrackd(
        _ arguments: String..., control: TestDatabase
    ) async throws -> (code: Int, output: String) {
        let url = "mysql://root@localhost/\(control.name)?socket=\(control.socketPath)"
        do {
            let output = try await Command.run(
                try ServiceProcess.executable(), arguments + ["--database-url", url])
            return (0, output)
        } catch let failure as CommandFailure {
            return (failure.end.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? -1, failure.output)
        }
    }

    /// Queues a mail that was tried three times.
    private func queue(
        kind: String = "reminders", after seconds: Int, in tenant: String, _ control: TestDatabase
    ) async throws {
        try await TestDatabase(name: "\(control.name)_\(tenant)", socketPath: control.socketPath).run(
            """
            INSERT INTO Mail (Mail_ID, Kind, Email, Language, Attempts, Next_attempt_at, Expires_at)
            VALUES (RANDOM_BYTES(16), '\(kind)', 'ada@example.org', 'en', 3, UTC_TIMESTAMP() + INTERVAL \(seconds) SECOND,
                    UTC_TIMESTAMP() + INTERVAL 1 DAY)
            """)
    }

    /// Adds a tenant without a database.
    private func add(
        _ tenant: String, server: String = "NULL", closed: String = "NULL", isOn: Bool = true, _ control: TestDatabase
    ) async throws {
        try await control.run(
            """
            INSERT INTO Tenant (Slug, Database_name, Server_url, Epoch, Created_at, Made_at, Closed_at)
            VALUES ('\(tenant)', '\(control.name)_\(tenant)', \(server), RANDOM_BYTES(16), UTC_TIMESTAMP(), UTC_TIMESTAMP(),
                    \(closed));
            INSERT INTO Tenant_area (Slug, Area, Is_on) VALUES ('\(tenant)', 'reminders', \(isOn))
            """)
    }

    @Test(
        "retry counts mails and tenants, and names each tenant that is away; the others' mails are tried all the same")
    func retry() async throws {
        try await TestDatabase.leaseControl { control in
            #expect(try await subtrackd("migrate", control: control).code == 0)
            let enabled = try await subtrackd("tenant", "areas", "default", "--enable", "reminders", control: control)
            #expect(enabled.code == 0, "\(enabled.output)")
            let made = try await subtrackd(
                "tenant", "create", "other", "--areas", "contacts,reminders", control: control)
            #expect(made.code == 0, "\(made.output)")
            for seconds in [3600, 30] { try await queue(after: seconds, in: "default", control) }
            try await queue(kind: "verify", after: 3600, in: "default", control)
            try await queue(after: 600, in: "other", control)
            // They come before the other one in the order of names.
            try await add("away", server: "'mysql://root@localhost/?socket=/nonexistent/socket'", control)
            try await add("closed", closed: "UTC_TIMESTAMP()", control)
            try await add("gone", control)
            try await add("quiet", isOn: false, control)

            let partial = try await subtrackd("notifications", "retry", control: control)
            #expect(partial.code == 69, "\(partial.output)")
            #expect(
                partial.output.contains("3 mails of 2 tenants will be tried again in two minutes.\n"),
                "\(partial.output)")
            #expect(partial.output.contains("away: left out: "), "\(partial.output)")
            #expect(partial.output.contains("gone: left out: its database is gone"), "\(partial.output)")
            #expect(
                partial.output.contains("closed: left out: it is closed for work on its data"), "\(partial.output)")
            for tenant in ["default", "other", "quiet"] {
                #expect(!partial.output.contains("\(tenant): left out"), "\(partial.output)")
            }
            let waiting = TestDatabase(name: "\(control.name)_default", socketPath: control.socketPath)
            let late = "SELECT Kind FROM Mail WHERE Next_attempt_at > UTC_TIMESTAMP() + INTERVAL 3 MINUTE"
            #expect(try await waiting.run(late) == "verify\n", "no mail waits longer, and no other kind is touched")

            let status = try await subtrackd("notifications", "status", control: control)
            #expect(status.code == 69, "\(status.output)")
            #expect(status.output.contains("closed\tit is closed for work on its data"), "\(status.output)")
            #expect(status.output.contains("gone\tits database is gone"), "\(status.output)")
            #expect(
                status.output.contains(
                    "default\tno user is planned; no look is due; 2 mails wait, tried at most 3 times\n"),
                "\(status.output)")
            #expect(
                status.output.contains("quiet\toff (subtrackd tenant areas quiet --enable reminders)\n"),
                "\(status.output)")

            let one = try await subtrackd("notifications", "retry", "--tenant", "other", control: control)
            #expect(one.code == 0, "\(one.output)")
            #expect(one.output.contains("1 mail of 1 tenant will be tried again in two minutes.\n"), "\(one.output)")
            let none = try await subtrackd("notifications", "retry", "--tenant", "quiet", control: control)
            #expect(none.code == 0 && none.output.contains("No mail will be tried again.\n"), "\(none.output)")
            // Mails of a suspended tenant wait until it goes on.
            try await control.run("UPDATE Tenant SET Suspended_at = UTC_TIMESTAMP() WHERE Slug = 'other'")
            let suspended = try await subtrackd("notifications", "retry", "--tenant", "other", control: control)
            #expect(
                suspended.code == 78 && suspended.output.contains("subtrackd tenant resume other"),
                "\(suspended.output)")
            let rest = try await subtrackd("notifications", "retry", control: control)
            #expect(
                rest.output.contains("2 mails of 1 tenant will be tried again in two minutes.\n"), "\(rest.output)")
        }
    }

    @Test("status counts users, late looks and waiting mails, in words with units")
    func words() {
        var status = NotificationStatus(tenant: "acme", isOn: true)
        #expect(status.words == "no user is planned; no look is due; no mail waits")
        (status.users, status.stale, status.due, status.lag, status.mails, status.attempts) = (1, 1, 1, 59, 1, 1)
        #expect(
            status.words
                == "1 user is planned, 1 to be planned anew; 1 look is due, for 59 seconds; 1 mail waits, tried once")
        (status.users, status.stale, status.due, status.mails, status.attempts) = (12, 3, 2, 4, 0)
        for (lag, time) in [
            (1, "1 second"), (60, "1 minute"), (3599, "59 minutes"), (7200, "2 hours"), (86_400, "1 day"),
            (200_000, "2 days"),
        ] {
            status.lag = Int64(lag)
            let users = "12 users are planned, 3 to be planned anew"
            #expect(status.words == "\(users); 2 looks are due, the longest for \(time); 4 mails wait")
        }
        status.isSuspended = true
        #expect(status.words.hasPrefix("suspended, so that nothing is sent: 12 users are planned"))
        #expect(
            NotificationStatus(tenant: "acme", isOn: false).words
                == "off (subtrackd tenant areas acme --enable reminders)")
    }
}
