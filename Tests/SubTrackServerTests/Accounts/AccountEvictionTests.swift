import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("A password reset leaves nobody in but the person who did it", .ownTime)
struct AccountEvictionTests {
    private static let hers = "a password that Ada chose"
    private static let his = "a password that Eve chose"

    /// Follows the link of a mail.
    private func confirm(_ email: String, _ service: TestService, _ folder: MailFolder) async throws {
        let token = try #require(try await folder.take(to: email, about: "onfirm").token)
        try await service.client.call(VerifyEmail(token: token))
    }

    /// Resets a password by mail.
    private func reset(
        _ email: String, _ service: TestService, _ folder: MailFolder
    ) async throws -> ResetPassword.Output {
        try await service.client.call(ForgotPassword(email: email))
        let token = try #require(try await folder.take(to: email, about: "Choose").token)
        return try await service.client.call(ResetPassword(token: token, newPassword: Self.hers))
    }

    @Test(
        "A stranger who registered the victim's address beside an own one reads nothing of what the victim adds",
        arguments: [true, false], [true, false])
    func registeredByStranger(victimFirst: Bool, confirmsOwn: Bool) async throws {
        try await TestService.runWithMail { service, folder in
            let plan = try await service.addPlan()
            let eve = try await service.newUser()
            let addresses =
                victimFirst ? ["ada@example.org", "eve@evil.example"] : ["eve@evil.example", "ada@example.org"]
            try await eve.register(addresses[0], Self.his)
            try await eve.register(addresses[1], Self.his, current: Self.his)
            if confirmsOwn { try await confirm("eve@evil.example", service, folder) }
            let elsewhere = try await service.signIn("eve@evil.example", Self.his)
            try await confirm("ada@example.org", service, folder)

            let done = try await reset("ada@example.org", service, folder)
            let ada = try await service.signIn("ada@example.org", Self.hers)
            #expect(ada.user.accounts == [.init(email: "ada@example.org", verified: true)])
            let secret = try await ada.call(CreateSubscription(planId: plan, label: "Ada's"))

            for device in [eve, elsewhere] { #expect(try await device.refusal(of: GetMe()).code == .tokenEnded) }
            let stranger = try await service.client.response(
                to: CreateSession(email: "eve@evil.example", password: Self.his))
            // Only where the stranger's address is confirmed and older the former user is the stranger's.
            if !victimFirst, confirmsOwn {
                #expect(!done.keptUser && done.otherAccounts == ["e•••@e•••.example"] && done.removedAccounts.isEmpty)
                let back = TestUser(try stranger.decode(CreateSession.Output.self), service.client)
                #expect(back.user.id != ada.user.id)
                #expect(try await !back.call(ListSubscriptions()).subscriptions.contains { $0.id == secret.id })
            } else {
                #expect(done.keptUser && done.removedAccounts == ["eve@evil.example"] && done.endedSessions == 2)
                #expect(stranger.status == 401, "\(stranger.text)")
            }
            let told = try await folder.take(to: "ada@example.org", about: "was changed").part("text/plain")
            #expect(told.contains(done.keptUser ? "eve@evil.example" : "e•••@e•••.example"), "\(told)")
        }
    }

    @Test("An attacker's address beside the victim's evicts nobody by a reset", arguments: [true, false])
    func attackersReset(isConfirmed: Bool) async throws {
        try await TestService.runWithMail { service, folder in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            try await ada.register("ada@example.org", Self.hers)
            try await confirm("ada@example.org", service, folder)
            let kept = try await ada.call(CreateSubscription(planId: plan))
            // Somebody who knows the password.
            let eve = try await service.signIn("ada@example.org", Self.hers)
            try await eve.register("eve@evil.example", Self.his, current: Self.hers)
            if isConfirmed { try await confirm("eve@evil.example", service, folder) }
            let done = try await reset("eve@evil.example", service, folder)
            #expect(!done.keptUser && done.removedAccounts.isEmpty)
            let back = try await service.signIn("ada@example.org", Self.hers)
            #expect(back.user.id == ada.user.id && back.user.accounts.map(\.email) == ["ada@example.org"])
            #expect(try await back.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            let outside = try await service.signIn("eve@evil.example", Self.hers)
            #expect(try await outside.call(ListSubscriptions()).subscriptions.isEmpty)
            // Nobody is signed out by an address that was never confirmed.
            #expect(try await ada.client.response(to: GetMe()).status == (isConfirmed ? 401 : 200))
            #expect(
                try await folder.take(to: "ada@example.org", about: "removed").part("text/plain")
                    .contains("eve@evil.example"))
        }
    }

    @Test(
        "Every confirmed address is told when another is added, confirmed, changed or removed; unconfirmed ones are not"
    )
    func notices() async throws {
        try await TestService.runWithMail { service, folder in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org", Self.hers)
            try await confirm("ada@example.org", service, folder)
            try await ada.register("work@example.org", Self.his, current: Self.hers)
            func told(_ about: String, _ address: String) async throws {
                let mail = try await folder.take(to: "ada@example.org", about: about)
                #expect(mail.part("text/plain").contains(address) && mail.token == nil, "\(about)")
            }
            try await told("was added", "work@example.org")
            try await confirm("work@example.org", service, folder)
            try await told("was confirmed", "work@example.org")
            try await ada.register("third@example.org", Self.his, current: Self.hers)
            try await told("was added", "third@example.org")
            _ = try await folder.take(to: "work@example.org", about: "was added")
            try await ada.call(
                ChangeEmail(email: "work@example.org", newEmail: "job@example.org", currentPassword: Self.his))
            try await told("was changed", "work@example.org → job@example.org")
            _ = try await folder.take(to: "work@example.org", about: "new e-mail")
            try await ada.call(DeleteAccount(email: "job@example.org", currentPassword: Self.hers))
            try await told("was removed", "job@example.org")
            _ = try await folder.take(to: "third@example.org", about: "Confirm")
            try await eventually("the queue is empty") {
                try await service.database.run("SELECT COUNT(*) FROM Mail") == "0\n"
            }
            let rest = try folder.mails().filter { $0.to != "job@example.org" }
            #expect(rest.isEmpty, "\(rest.map { ($0.to, $0.header("subject") ?? "") })")
            #expect(try await ada.call(GetMe()).accounts.map(\.email) == ["ada@example.org", "third@example.org"])
        }
    }

    @Test("A link says what it will do and names the other addresses, masked; it works afterwards still")
    func described() async throws {
        try await TestService.runWithMail { service, folder in
            let eve = try await service.newUser()
            try await eve.register("evelyn@evil.example", Self.his)
            try await eve.register("ada@example.org", Self.his, current: Self.his)
            let mail = try await folder.take(to: "ada@example.org", about: "Confirm")
            #expect(mail.part("text/plain").contains("e•••@e•••.example"))
            #expect(!mail.part("text/plain").contains("evelyn"))
            let token = try #require(mail.token)
            let answer = try await service.client.response(to: DescribeLink(token: token, purpose: .verify))
            #expect(!answer.text.contains("evelyn"))
            let link = try answer.decode(DescribeLink.Output.self)
            #expect(
                link == .init(email: "ada@example.org", effect: .confirms, otherAccounts: ["e•••@e•••.example"]))
            expectRefused(
                try await service.client.refusal(of: DescribeLink(token: token, purpose: .reset)), "token", .missing)
            try await service.client.call(VerifyEmail(token: token))
            expectRefused(
                try await service.client.refusal(of: DescribeLink(token: token, purpose: .verify)), "token", .missing)

            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            let reset = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
            let before = try await service.client.call(DescribeLink(token: reset, purpose: .reset))
            #expect(before.effect == .keepsUser && before.otherAccounts == ["e•••@e•••.example"])
            try await confirm("evelyn@evil.example", service, folder)
            let after = try await service.client.call(DescribeLink(token: reset, purpose: .reset))
            #expect(after.effect == .leavesUser)
            let done = try await service.client.call(ResetPassword(token: reset, newPassword: Self.hers))
            #expect(!done.keptUser)
        }
    }

    @Test(
        "Sockets of others close on another replica too, after a reset or an address's removal",
        arguments: ["reset", "removal"])
    func sockets(way: String) async throws {
        try await TestService.runWithMail { service, folder in
            try await service.runReplica { (replica: TestService) async throws in
                let ada = try await service.newUser()
                try await ada.register("ada@example.org", Self.hers)
                try await confirm("ada@example.org", service, folder)
                try await ada.register("eve@evil.example", Self.his, current: Self.hers)
                let eve = try await service.signIn("eve@evil.example", Self.his)
                let socket = try await RawWebSocket.open(port: replica.port, token: eve.client.token)
                #expect(try await replica.client(try #require(eve.client.token)).call(GetMe()).id == ada.user.id)
                if way == "reset" {
                    #expect(try await reset("ada@example.org", service, folder).endedSessions == 2)
                } else {
                    try await ada.call(DeleteAccount(email: "eve@evil.example", currentPassword: Self.hers))
                    #expect(try await ada.call(GetMe()).id == ada.user.id, "the remover stays")
                }
                #expect(try await socket.closeCode(within: .seconds(60)) == 4401)
                try await eventually("the replica knows") {
                    try await replica.client(try #require(eve.client.token)).response(to: GetMe()).status == 401
                }
            }
        }
    }

    @Test("A repetition under an idempotency key gets its first answer after a reset, and nobody else does")
    func keptAnswers() async throws {
        try await TestService.runWithMail { service, folder in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            try await ada.register("ada@example.org", Self.hers)
            try await confirm("ada@example.org", service, folder)
            let key = [("Idempotency-Key", "one")]
            let create = CreateSubscription(planId: plan)
            let made = try await ada.call(create, headers: key)
            _ = try await reset("ada@example.org", service, folder)
            #expect(try await ada.refusal(of: create, headers: key).code == .tokenEnded)
            let back = try await service.signIn("ada@example.org", Self.hers)
            #expect(try await back.call(create, headers: key).id == made.id)
            #expect(try await back.call(ListSubscriptions()).subscriptions.count == 1)
        }
    }
}
