import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("The queue of mails", .ownTime)
struct MailQueueTests {
    @Test("A mail that is refused is tried again with another token, by whichever replica; one that is too old is not")
    func retries() async throws {
        try await TestService.runWithMail { service, folder in
            try folder.refuse(true)
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            try await eventually("it was tried") { folder.refusals == 1 }
            try await eventually("the attempt is noted") {
                try await service.database.run(
                    "SELECT Attempts FROM Mail WHERE Next_attempt_at > UTC_TIMESTAMP() + INTERVAL 20 SECOND")
                    == "1\n"
            }
            try await eventually("the token that was not sent is gone") {
                try await service.database.run("SELECT COUNT(*) FROM Mail_secret") == "0\n"
            }
            let said = service.log.lines.filter { $0.level == .warning }.description
            #expect(said.contains("cannot reach the mail server") && !said.contains("ada@example.org"))
            try folder.refuse(false)
            try await service.runReplica { (_: TestService) async throws in
                try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                let token = try #require(try await folder.take(to: "ada@example.org").token)
                try await service.client.call(VerifyEmail(token: token))
            }
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try folder.mails().isEmpty, "it went out once")

            try folder.refuse(true)
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            try await eventually("it was tried") { folder.refusals == 2 }
            try await service.database.run(
                "UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP(), Expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND")
            try folder.refuse(false)
            // Another mail passes by, the old one stays where it is.
            try await service.newUser().register("bob@example.org")
            _ = try await folder.take(to: "bob@example.org")
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("While the program takes its time no other replica sends the same; one that was refused comes back soon")
    func slowProgram() async throws {
        try await TestService.runWithMail { service, folder in
            try folder.hold(true)
            try await service.newUser().register("ada@example.org")
            try await eventually("it is being sent") { folder.tried.count == 1 }
            // The program may take a minute before it is ended.
            #expect(
                try await service.database.run(
                    "SELECT Next_attempt_at > UTC_TIMESTAMP() + INTERVAL 80 SECOND FROM Mail") == "1\n")
            try folder.refuse(true)
            try folder.hold(false)
            try await eventually("it comes back in half a minute") {
                try await service.database.run(
                    "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), Next_attempt_at) BETWEEN 20 AND 40 FROM Mail")
                    == "1\n"
            }
        }
    }

    @Test("A queue that can be read and not written is left alone until the next sweep")
    func readOnlyQueue() async throws {
        let recorder = StatementRecorder()
        try await MailFolder.with { folder in
            var mail = try folder.settings()
            mail.sweep = .seconds(3600)
            try await TestService.runAlone(
                configure: {
                    $0.mail = mail
                    $0.onStatement = { sql, _ in recorder.note(sql) }
                }
            ) { service in
                try await service.database.run(
                    "CREATE TRIGGER No_update BEFORE UPDATE ON Mail FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'"
                )
                try await service.newUser().register("ada@example.org")
                try await eventually("it was tried") { recorder.count(of: "UPDATE Mail SET") > 0 }
                for _ in 0..<50 { _ = try await service.client.call(GetServerInfo()) }
                #expect(recorder.count(of: "UPDATE Mail SET") <= 3, "\(recorder.count(of: "UPDATE Mail SET")) times")
                #expect(folder.tried.isEmpty)
            }
        }
    }

    @Test("A tenant with many mails does not keep another tenant's waiting")
    func fairness() async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone { service in
                try await service.control.run(
                    """
                    INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                        ('zeta', '\(service.control.name)_zeta', RANDOM_BYTES(16), UTC_TIMESTAMP())
                    """)
                // A second replica finds the new tenant at its start; it has no mail program either.
                try await service.runReplica { (replica: TestService) async throws in
                    let zeta = TestDatabase(
                        name: "\(service.control.name)_zeta", socketPath: service.database.socketPath)
                    try await Self.queue(60, service.database)
                    try await Self.queue(1, zeta)
                    try await service.runReplica(configure: { $0.mail = mail }) { (_: TestService) async throws in
                        try await eventually("all were sent") { folder.tried.count == 61 }
                    }
                    let place = folder.tried.firstIndex { $0.contains("zeta") } ?? 1000
                    #expect(place < 30, "number \(place)")
                }
            }
        }
    }

    @Test("A mail whose server hangs keeps no other tenant's waiting")
    func hanging() async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone { service in
                try await service.control.run(
                    """
                    INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                        ('zeta', '\(service.control.name)_zeta', RANDOM_BYTES(16), UTC_TIMESTAMP())
                    """)
                try folder.hold(true, to: "\(service.database.name).example")
                try await Self.queue(1, service.database)
                try await service.runReplica(configure: { $0.mail = mail }) { (_: TestService) async throws in
                    try await eventually("it hangs") { folder.tried.count == 1 }
                    let name = "\(service.control.name)_zeta"
                    try await Self.queue(1, TestDatabase(name: name, socketPath: service.database.socketPath))
                    _ = try await folder.mail(to: "user1@\(name).example")
                    #expect(try folder.mails().count == 1)
                    try folder.hold(false)
                }
            }
        }
    }

    /// Queues mails that no account has caused, by SQL.
    private static func queue(_ count: Int, _ database: TestDatabase) async throws {
        try await database.run(
            """
            INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at)
            SELECT RANDOM_BYTES(16), 'password_changed', CONCAT('user', seq, '@\(database.name).example'), 'en',
                   UTC_TIMESTAMP() + INTERVAL 1 HOUR
            FROM seq_1_to_\(count)
            """)
    }

    @Test(
        "A mail for which a person waits goes before those that were queued earlier, and both at the start of a service"
    )
    func personFirst() async throws {
        try await MailFolder.with { folder in
            var mail = try folder.settings()
            mail.sweep = .seconds(3600)
            let settings = mail
            try await TestService.runAlone { service in
                try await Self.queue(40, service.database)
                try await service.newUser().register("ada@example.org")
                try await service.runReplica(configure: { $0.mail = settings }) { (_: TestService) async throws in
                    try await eventually("all were sent") { folder.tried.count == 41 }
                }
                // Four are under way at the same time.
                #expect(folder.tried.prefix(4).contains("ada@example.org"), "\(folder.tried.prefix(8))")
            }
        }
    }

    @Test("The mails of a tenant stop when it is suspended, and go on when it is resumed")
    func suspended() async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone { service in
                try await service.control.run(
                    """
                    INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at) VALUES
                        ('zeta', '\(service.control.name)_zeta', RANDOM_BYTES(16), UTC_TIMESTAMP())
                    """)
                try folder.hold(true)
                try await service.runReplica(configure: { $0.mail = mail }) { (replica: TestService) async throws in
                    let zeta = TestDatabase(
                        name: "\(service.control.name)_zeta", socketPath: service.database.socketPath)
                    try await Self.queue(40, service.database)
                    do {
                        try await eventually("the first are under way") { folder.tried.count == 4 }
                    } catch {
                        Issue.record("\(folder.tried) \(replica.log.lines)")
                        throw error
                    }
                    func suspend(_ time: String) async throws {
                        try await service.control.run("UPDATE Tenant SET Suspended_at = \(time) WHERE Slug = 'default'")
                    }
                    try await suspend("UTC_TIMESTAMP()")
                    try await eventually("the replica knows it") {
                        try await replica.client.send("GET", "/t/default/v1").status == 403
                    }
                    try await Self.queue(1, zeta)
                    try folder.hold(false)
                    try await eventually("the other tenant's was sent") {
                        folder.tried.contains { $0.contains("zeta") }
                    }
                    #expect(folder.tried.count == 5)
                    try await suspend("NULL")
                    try await eventually("all were sent") { folder.tried.count == 41 }
                }
            }
        }
    }

    @Test("A replica whose claim has ended moves and drops nothing of another's")
    func endedClaim() async throws {
        try await TestService.runAlone { service in
            try await Self.queue(1, service.database)
            func row() async throws -> String {
                try await service.database.run("SELECT Attempts, Next_attempt_at FROM Mail")
            }
            try await service.withTenant { tenant in
                try await tenant.read { connection in
                    let mail = try #require(try await MailQueries.due(limit: 1, on: connection).first)
                    #expect(try await MailQueries.claim(mail, for: .seconds(90), on: connection))
                    // The claim has ended, and another replica tries.
                    try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                    let again = try #require(try await MailQueries.due(limit: 1, on: connection).first)
                    #expect(try await MailQueries.claim(again, for: .seconds(500), on: connection))
                    let claimed = try await row()
                    try await MailQueries.postpone(mail, on: connection)
                    try await MailQueries.drop(mail, on: connection)
                    #expect(try await row() == claimed)
                    try await MailQueries.postpone(again, on: connection)
                    #expect(try await row() != claimed)
                    try await MailQueries.drop(again, on: connection)
                    #expect(try await row().isEmpty)
                }
            }
        }
    }

    @Test("Without a mail program the service says so, and mails wait")
    func noProgram() async throws {
        try await TestService.runAlone { service in
            try await service.newUser().register("ada@example.org")
            #expect(
                service.log.lines.contains { $0.message.contains("Neither a mail program nor a mail server is set") })
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Attempts = 0") == "1\n")
        }
    }
}
