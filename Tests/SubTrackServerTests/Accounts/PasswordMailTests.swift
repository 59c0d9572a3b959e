import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("A user changes a password or an address, by mail or by the present password", .ownTime)
struct PasswordMailTests {
    @Test("A forgotten password is replaced by mail: all sessions end, the old password too, and the link serves once")
    func reset() async throws {
        try await TestService.runWithMail { service, folder in
            #expect(try await service.client.call(GetServerInfo()).sendsMails)
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
        try await TestService.runWithMail { service, folder in
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
        try await TestService.runWithMail { service, folder in
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

    @Test("Asking for a mail answers the same whether there is an account or not; nobody without one gets mail")
    func forgotTellsNothing() async throws {
        try await TestService.runWithMail { service, folder in
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
        try await TestService.runWithMail { service, folder in
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
        try await TestService.runWithMail { service, folder in
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
            let request = try await folder.take(to: "lovelace@example.org")
            #expect(request.header("Subject") == "Confirm the new address of your account")
            let text = request.part("text/plain")
            #expect(!text.contains("registered") && text.contains("made lovelace@example.org the address"), "\(text)")
            try await service.client.call(VerifyEmail(token: try #require(request.token)))
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
}
