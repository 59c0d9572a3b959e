import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Mails, and what their links do", .ownTime)
struct MailTests {
    @Test("Registering sends a link that confirms the address, once; the token is nowhere but in the mail")
    func verify() async throws {
        try await TestService.runWithMail { service, folder in
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

    @Test("A mail that asks for confirmation is sent again when its address is given once more, until it is confirmed")
    func verifyAgain() async throws {
        try await TestService.runWithMail { service, folder in
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
        try await TestService.runWithMail { service, folder in
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

    @Test("A sign-in on a device that is new is told, in the reader's language; one on a known device is not")
    func newDevice() async throws {
        try await TestService.runWithMail { service, folder in
            let ada = try await service.newUser(country: "DE")
            try await ada.register("ada@example.org")
            let german = try await folder.take(to: "ada@example.org")
            #expect(german.part("text/plain").contains("bestätige") && german.part("text/html").contains("lang=\"de\""))
            try await ada.call(VerifyEmail(token: try #require(german.token)))
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

    @Test("An address that nobody confirmed is told of a new device without its name: that is a text of anybody's")
    func newDeviceOfAStranger() async throws {
        try await TestService.runWithMail { service, folder in
            try await service.newUser().register("victim@example.org")
            _ = try await folder.take(to: "victim@example.org")
            for (language, words) in [
                ("en", "a device that is new."), ("de", "neuen Gerät benutzt."), ("zh", "新设备上登录。"),
            ] {
                let answer = try await service.client.response(
                    to: CreateSession(
                        email: "victim@example.org", password: goodPassword,
                        device: .init(name: "Prize at evil.example")),
                    headers: [("Accept-Language", language)])
                #expect(answer.status == 200)
                let mail = try await folder.take(to: "victim@example.org")
                #expect(mail.part("text/plain").contains(words))
                for text in [mail.source, mail.part("text/plain"), mail.part("text/html")] {
                    #expect(!text.contains("evil"))
                }
            }
        }
    }

    @Test("A changed password, a reset and an ended session forget which devices are known: the next sign-in is told")
    func knownDevices() async throws {
        try await TestService.runWithMail { service, folder in
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
        try await TestService.runWithMail { service, folder in
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
}
