import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Mails, and what their links do")
struct MailTests {
    /// Runs a service alone, with a mail program.
    private func run(_ body: (TestService, MailFolder) async throws -> Void) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone(configure: { $0.mail = mail }) { try await body($0, folder) }
        }
    }

    @Test("Registering sends a link that confirms the address, once; the token is nowhere but in the mail")
    func verify() async throws {
        try await run { service, folder in
            let ada = try await service.newUser()
            try await ada.register("Ada@example.org")
            let mail = try await folder.take(to: "Ada@example.org")
            let token = try #require(mail.token)
            #expect(mail.arguments == ["-i", "-f", "noreply@subs.example", "--", "Ada@example.org"])
            #expect(mail.header("From") == "Subs <noreply@subs.example>" && mail.header("To") == "Ada@example.org")
            #expect(mail.header("Subject") == "Confirm your e-mail address")
            #expect(mail.header("Auto-Submitted") == "auto-generated")
            #expect(mail.part("text/plain").contains("https://subs.example/app/account/verify#token=\(token)\n"))
            #expect(mail.part("text/html").contains("href=\"https://subs.example/app/account/verify#token=\(token)\""))
            #expect(try await service.everything().contains("Ada@example.org"))
            #expect(try await !service.everything().contains(token))
            #expect(!service.log.lines.description.contains(token))

            let before = try await ada.call(GetMe())
            #expect(before.accounts.map(\.verified) == [false])
            try await service.client.call(VerifyEmail(token: " \(token)\n"))
            let after = try await ada.call(GetMe())
            #expect(
                after.accounts == [.init(email: "Ada@example.org", verified: true)] && after.version > before.version)
            for bad in [token, String(token.dropLast()) + "A", "x", "", ada.client.token ?? ""] {
                expectRefused(try await service.client.refusal(of: VerifyEmail(token: bad)), "token", .missing)
                expectRefused(
                    try await service.client.refusal(of: ResetPassword(token: bad, newPassword: "another good one")),
                    "token",
                    .missing)
            }
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
        }
    }

    @Test("A forgotten password is replaced by mail: all sessions end, the old password too, and the link serves once")
    func reset() async throws {
        try await run { service, folder in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let kept = try await ada.call(CreateSubscription(planId: plan))
            try await ada.register("ada@example.org")
            try await service.client.call(VerifyEmail(token: try #require(folder.take(to: "ada@example.org").token)))
            let tablet = try await service.signIn("ada@example.org")
            _ = try await folder.take(to: "ada@example.org", about: "sign-in")

            try await service.client.call(ForgotPassword(email: "ADA@example.org"))
            // To the account's own address, as its owner wrote it, and not to what somebody typed.
            let mail = try await folder.take(to: "ada@example.org", about: "Choose")
            let token = try #require(mail.token)
            #expect(mail.part("text/plain").contains("/account/reset#token=\(token)\n"))
            let weak = try await service.client.refusal(of: ResetPassword(token: token, newPassword: "password1"))
            expectRefused(weak, "newPassword", .range)
            expectRefused(try await service.client.refusal(of: VerifyEmail(token: token)), "token", .missing)
            try await service.client.call(ResetPassword(token: token, newPassword: "another good one"))
            for device in [ada, tablet] { #expect(try await device.refusal(of: GetMe()).code == .tokenEnded) }
            let old = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(old.code == .credentialsInvalid)
            let back = try await service.signIn("ada@example.org", "another good one")
            #expect(back.user.id == ada.user.id && back.user.accounts.map(\.verified) == [true])
            #expect(try await back.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            expectRefused(
                try await service.client.refusal(of: ResetPassword(token: token, newPassword: "a third good one")),
                "token",
                .missing)
            _ = try await folder.take(to: "ada@example.org", about: "was changed")
        }
    }

    @Test(
        "An address that nobody confirmed is its reader's: no session of the other's leads there, and he keeps his data"
    )
    func claim() async throws {
        try await run { service, folder in
            let plan = try await service.addPlan()
            let eve = try await service.newUser()
            let hers = try await eve.call(CreateSubscription(planId: plan, label: "Eve's"))
            try await eve.register("ada@example.org")
            _ = try await folder.take(to: "ada@example.org")
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            let token = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
            try await service.client.call(ResetPassword(token: token, newPassword: "another good one"))
            let left = try await eve.call(GetMe())
            #expect(left.id == eve.user.id && left.accounts.isEmpty, "a device without account, as before")
            #expect(try await eve.call(ListSubscriptions()).subscriptions.map(\.id) == [hers.id])
            let wrong = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(wrong.code == .credentialsInvalid)
            let ada = try await service.signIn("ada@example.org", "another good one")
            #expect(
                ada.user.id != eve.user.id && ada.user.accounts == [.init(email: "ada@example.org", verified: true)])
            #expect(try await ada.call(ListSubscriptions()).subscriptions.isEmpty)
            #expect(try await ada.call(ListSessions()).sessions.map(\.device) == [ada.device])
        }
    }

    @Test(
        "Whoever forgets the password of an unconfirmed address loses nothing: the device's data come with the sign-in")
    func claimedByTheOwner() async throws {
        try await run { service, folder in
            let plan = try await service.addPlan()
            let phone = try await service.newUser()
            let kept = try await phone.call(CreateSubscription(planId: plan))
            try await phone.register("ada@example.org")
            let stolen = try await service.signIn("ada@example.org")
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            let token = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
            try await service.client.call(ResetPassword(token: token, newPassword: "another good one"))
            let back = TestUser(try await phone.signIn("ada@example.org", "another good one"), service.client)
            #expect(back.user.accounts == [.init(email: "ada@example.org", verified: true)])
            #expect(try await back.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            // What the reset was for: the other devices of before do not come back by the merge.
            #expect(try await stolen.refusal(of: GetMe()).code == .tokenEnded)
            #expect(try await back.call(ListSessions()).sessions.map(\.current) == [true])
        }
    }

    @Test("A mail that asks for confirmation is sent again when its address is given once more, until it is confirmed")
    func verifyAgain() async throws {
        try await run { service, folder in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let first = try #require(try await folder.take(to: "ada@example.org").token)
            let again = ChangeEmail(
                email: "ada@example.org", newEmail: "ada@example.org", currentPassword: goodPassword)
            try await ada.call(again)
            let mail = try await folder.take(to: "ada@example.org")
            let second = try #require(mail.token)
            #expect(second != first && mail.header("Subject") == "Confirm your e-mail address")
            try await service.client.call(VerifyEmail(token: second))
            try await ada.call(again)
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try folder.mails().isEmpty, "it is confirmed")
        }
    }

    @Test("A code is not taken from a device that is somebody else's; the mail says what confirming means")
    func verifyByAnother() async throws {
        try await run { service, folder in
            let eve = try await service.newUser()
            try await eve.register("ada@example.org")
            let mail = try await folder.take(to: "ada@example.org")
            let text = mail.part("text/plain")
            #expect(text.contains("do not confirm") && text.contains("ask for a new password"), "\(text)")
            let token = try #require(mail.token)
            let ada = try await service.newUser()
            let refused = try await ada.refusal(of: VerifyEmail(token: token))
            expectRefused(refused, "token", .missing)
            #expect(try await eve.call(GetMe()).accounts.map(\.verified) == [false])
            try await eve.call(VerifyEmail(token: token))
            #expect(try await eve.call(GetMe()).accounts.map(\.verified) == [true])
        }
    }

    @Test("Asking for a mail answers the same whether there is an account or not; nobody without one gets mail")
    func forgotTellsNothing() async throws {
        try await run { service, folder in
            try await service.newUser().register("ada@example.org")
            _ = try await folder.take(to: "ada@example.org")
            for email in ["ada@example.org", "nobody@example.org"] {
                let answer = try await service.client.response(to: ForgotPassword(email: email))
                #expect(answer.status == 202 && answer.body.isEmpty)
            }
            _ = try await folder.take(to: "ada@example.org", about: "Choose")
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try folder.mails().isEmpty)
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail_secret WHERE Purpose = 'reset'") == "1\n")
        }
    }

    @Test("A password is changed by whoever knows it: other sessions end, the own one stays, and a mail says so")
    func changePassword() async throws {
        try await run { service, folder in
            let nobody = try await service.newUser()
            let none = try await nobody.refusal(
                of: ChangePassword(currentPassword: goodPassword, newPassword: "another good one"))
            #expect(none.code == .statusConflict, "there is no account")
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let tablet = try await service.signIn("ada@example.org")
            let wrong = try await ada.refusal(
                of: ChangePassword(currentPassword: "not that one", newPassword: "another good one"))
            #expect(wrong.status == 401 && wrong.code == .credentialsInvalid)
            expectRefused(
                try await ada.refusal(of: ChangePassword(currentPassword: goodPassword, newPassword: "short")),
                "newPassword",
                .range)
            expectRefused(
                try await ada.refusal(
                    of: ChangePassword(
                        email: "eve@example.org", currentPassword: goodPassword, newPassword: "another good one")),
                "email", .missing)
            try await ada.call(ChangePassword(currentPassword: goodPassword, newPassword: "another good one"))
            #expect(try await ada.call(GetMe()).id == ada.user.id)
            #expect(try await tablet.refusal(of: GetMe()).code == .tokenEnded)
            _ = try await service.signIn("ada@example.org", "another good one")
            _ = try await folder.take(to: "ada@example.org", about: "was changed")

            try await ada.register("ada@example.net", "yet another one", current: "another good one")
            expectRefused(
                try await ada.refusal(
                    of: ChangePassword(currentPassword: "another good one", newPassword: goodPassword)),
                "email", .required)
            try await ada.call(
                ChangePassword(email: "ada@example.net", currentPassword: "yet another one", newPassword: goodPassword))
            _ = try await service.signIn("ada@example.net")
            _ = try await service.signIn("ada@example.org", "another good one")
        }
    }

    @Test("An account gets another address: the new one is to be confirmed, the old one is told and leads nowhere")
    func changeEmail() async throws {
        try await run { service, folder in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let first = try #require(try await folder.take(to: "ada@example.org").token)
            try await service.newUser().register("bob@example.org")
            for (change, code) in [
                (
                    ChangeEmail(email: "ada@example.org", newEmail: "BOB@example.org", currentPassword: goodPassword),
                    ErrorCode.emailTaken
                ),
                (
                    ChangeEmail(email: "ada@example.org", newEmail: "new@example.org", currentPassword: "not that one"),
                    .credentialsInvalid
                ),
                (
                    ChangeEmail(email: "bob@example.org", newEmail: "new@example.org", currentPassword: goodPassword),
                    .inputInvalid
                ),
            ] {
                #expect(try await ada.refusal(of: change).code == code)
            }
            try await ada.call(
                ChangeEmail(email: "ada@example.org", newEmail: "lovelace@example.org", currentPassword: goodPassword))
            #expect(try await ada.call(GetMe()).accounts == [.init(email: "lovelace@example.org", verified: false)])
            let notice = try await folder.take(to: "ada@example.org", about: "new e-mail")
            #expect(notice.part("text/plain").contains("lovelace@example.org") && notice.token == nil)
            // The link to the former address confirms nothing any more.
            expectRefused(try await service.client.refusal(of: VerifyEmail(token: first)), "token", .missing)
            try await service.client.call(
                VerifyEmail(token: try #require(try await folder.take(to: "lovelace@example.org").token)))
            _ = try await service.signIn("lovelace@example.org")
            let old = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(old.code == .credentialsInvalid)
            // Only spelled otherwise: it stays confirmed.
            try await ada.call(
                ChangeEmail(
                    email: "lovelace@example.org", newEmail: "Lovelace@example.org", currentPassword: goodPassword))
            #expect(try await ada.call(GetMe()).accounts == [.init(email: "Lovelace@example.org", verified: true)])
        }
    }

    @Test("A sign-in on a device that is new is told, in the reader's language; one on a known device is not")
    func newDevice() async throws {
        try await run { service, folder in
            let ada = try await service.newUser(country: "DE")
            try await ada.register("ada@example.org")
            let german = try await folder.take(to: "ada@example.org")
            #expect(german.part("text/plain").contains("bestätige") && german.part("text/html").contains("lang=\"de\""))
            let session = CreateSession(
                email: "ada@example.org", password: goodPassword,
                device: .init(id: UUID(), name: "<b>Müller's</b>\u{202E}x"))
            let first = try await service.client.response(
                to: session, headers: [("Accept-Language", "fr, zh-CN;q=0.9, en;q=0.5")])
            #expect(first.status == 200)
            let mail = try await folder.take(to: "ada@example.org")
            #expect(
                mail.part("text/plain").contains("新设备")
                    && mail.part("text/html").contains("&lt;b&gt;Müller&#39;s&lt;/b&gt;"))
            #expect(mail.source.utf8.allSatisfy { $0 < 0x80 }, "headers are encoded")
            #expect(mail.source.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
            _ = try await service.client.call(session)
            _ = try await ada.signIn("ada@example.org")
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("A mail that is refused is tried again with another token, by whichever replica; one that is too old is not")
    func retries() async throws {
        try await run { service, folder in
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
        try await run { service, folder in
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
                    func queue(_ count: Int, _ database: TestDatabase) async throws {
                        try await database.run(
                            """
                            INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at)
                            SELECT RANDOM_BYTES(16), 'password_changed', CONCAT('user', seq, '@\(database.name).example'), 'en',
                                   UTC_TIMESTAMP() + INTERVAL 1 HOUR
                            FROM seq_1_to_\(count)
                            """)
                    }
                    let zeta = TestDatabase(
                        name: "\(service.control.name)_zeta", socketPath: service.database.socketPath)
                    try await queue(60, service.database)
                    try await queue(1, zeta)
                    try await service.runReplica(configure: { $0.mail = mail }) { (_: TestService) async throws in
                        try await eventually(within: .seconds(60), "all were sent") { folder.tried.count == 61 }
                    }
                    let place = folder.tried.firstIndex { $0.contains("zeta") } ?? 1000
                    #expect(place < 30, "number \(place)")
                }
            }
        }
    }

    @Test("A changed password, a reset and an ended session forget which devices are known: the next sign-in is told")
    func knownDevices() async throws {
        try await run { service, folder in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            try await service.client.call(VerifyEmail(token: try #require(folder.take(to: "ada@example.org").token)))
            let tablet = try await service.signIn("ada@example.org")
            func signInsTold(_ password: String = goodPassword) async throws -> Bool {
                for mail in try folder.mails() { _ = try await folder.take(to: mail.to) }
                let before = folder.tried.count
                _ = try await service.signIn("ada@example.org", password, device: .init(id: tablet.device.id))
                try await eventually("the queue is empty") {
                    try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
                }
                return folder.tried.count > before
            }
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try await !signInsTold(), "it is known")
            try await ada.call(ChangePassword(currentPassword: goodPassword, newPassword: "another good one"))
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            #expect(try await signInsTold("another good one"))
            #expect(try await !signInsTold("another good one"))
            let session = try #require(
                try await ada.call(ListSessions()).sessions.first { $0.device.id == tablet.device.id })
            try await ada.call(DeleteSession(id: session.id))
            #expect(try await signInsTold("another good one"))
            // The own device stays known when the password is changed on it.
            let known = try await service.database.run("SELECT COUNT(*) FROM Known_device")
            #expect(known == "2\n")
            for mail in try folder.mails() { _ = try await folder.take(to: mail.to) }
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            let token = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
            try await service.client.call(ResetPassword(token: token, newPassword: goodPassword))
            #expect(try await service.database.run("SELECT COUNT(*) FROM Known_device") == "0\n")
        }
    }

    @Test("Tokens of mails end: a reset's after an hour, a confirmation's after a week")
    func expiry() async throws {
        try await run { service, folder in
            try await service.newUser().register("ada@example.org")
            let verify = try #require(try await folder.take(to: "ada@example.org").token)
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            let reset = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
            let hours = try await service.database.run(
                "SELECT Purpose, ROUND(TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), Expires_at) / 60) FROM Mail_secret ORDER BY Purpose"
            )
            #expect(hours == "verify\t168\nreset\t1\n")
            try await service.database.run("UPDATE Mail_secret SET Expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND")
            expectRefused(try await service.client.refusal(of: VerifyEmail(token: verify)), "token", .missing)
            expectRefused(
                try await service.client.refusal(of: ResetPassword(token: reset, newPassword: "another good one")),
                "token",
                .missing)
        }
    }

    @Test("Without a mail program the service says so, and mails wait")
    func noProgram() async throws {
        try await TestService.runAlone { service in
            try await service.newUser().register("ada@example.org")
            #expect(service.log.lines.contains { $0.message.contains("No mail program is set") })
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Attempts = 0") == "1\n")
        }
    }
}

extension TestService {
    /// Every row of every table of the tenant, binary columns as they are and in hexadecimal digits.
    func everything() async throws -> String {
        let tables = try await database.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
            .split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        var all = ""
        for table in tables {
            all += try await database.run("SELECT * FROM `\(table)`")
            all += try await database.run("SELECT * FROM `\(table)`", arguments: ["--binary-as-hex"])
        }
        return all
    }
}
