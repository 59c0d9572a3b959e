import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Clients send their token with everything. One that has ended must not keep them from signing in.
@Suite("Tokens that have ended, at sign-in", .ownTime)
struct EndedTokenTests {
    /// Headers that name no living device.
    private func authorizations(_ service: TestService) async throws -> [(what: String, text: String)] {
        let signedOut = try await service.newUser()
        try await signedOut.register(service.newEmail("signed.out"))
        _ = try await signedOut.call(EndSession())
        let deleted = try await service.newUser()
        try await deleted.call(DeleteMe())
        let token = try #require(signedOut.client.token)
        return [
            ("signed out", token), ("a deleted user's", try #require(deleted.client.token)),
            ("nobody's", String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")), ("no token at all", "x"),
        ]
    }

    @Test("It counts as none: one signs in, makes an account or a device, asks for a mail; nothing is merged")
    func countsAsNone() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            for (what, token) in try await authorizations(service) {
                let client = service.client(token)
                // Elsewhere it is still said what became of it, so that the client knows what to do with its data.
                #expect(try await client.refusal(of: GetMe()).status == 401, "\(what)")
                #expect(try await client.refusal(of: ListCountries()).status == 401, "\(what)")
                #expect(
                    try await client.refusal(of: RegisterAccount(email: service.newEmail(), password: goodPassword))
                        .status == 401, "\(what)")

                let back = try await client.call(CreateSession(email: email, password: goodPassword))
                #expect(back.user.id == ada.user.id && back.merged == .init() && back.device.id != ada.device.id)
                let wrong = try await client.refusal(of: CreateSession(email: email, password: "not that one"))
                #expect(wrong.code == .credentialsInvalid, "\(what)")
                let made = try await client.call(
                    CreateSession(email: service.newEmail("new"), password: goodPassword, createIfMissing: true))
                #expect(made.created && made.user.id != ada.user.id, "\(what)")
                let device = try await client.call(RegisterDevice(name: "anew", country: "US"))
                #expect(device.user.accounts.isEmpty, "\(what)")
                try await client.call(ForgotPassword(email: email))
                expectRefused(
                    try await client.refusal(of: ResetPassword(token: "x", newPassword: "another good one")), "token",
                    .missing)
            }
            // A header of another form is a client's mistake, not a session that has ended.
            let basic = try await service.client.send(
                "POST", "/v1/sessions", headers: [("Authorization", "Basic eDp5")],
                body: Data("{\"email\": \"\(email)\", \"password\": \"\(goodPassword)\"}".utf8))
            #expect(basic.status == 401 && basic.text.contains("token_invalid"))
        }
    }

    @Test("A device that was signed out from afar signs in again with its old token and its id: it is the same device")
    func sameDevice() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let tablet = try await service.signIn(email, device: .init(name: "Tablet"))
            let session = try #require(
                try await ada.call(ListSessions()).sessions.first { $0.device.id == tablet.device.id })
            try await ada.call(DeleteSession(id: session.id))
            #expect(try await tablet.refusal(of: GetMe()).code == .tokenEnded)
            let back = try await tablet.call(
                CreateSession(email: email, password: goodPassword, device: .init(id: tablet.device.id)))
            #expect(back.user.id == ada.user.id && back.device == tablet.device)
        }
    }

    @Test("A replica that does not know yet that the token has ended lets in as well, and refuses it from then on")
    func remembered() async throws {
        try await TestService.run { service in
            try await service.runReplica { (replica: TestService) async throws in
                let email = service.newEmail()
                try await service.newUser().register(email)
                for creates in [false, true] {
                    let phone = try await service.newUser()
                    let elsewhere = replica.client(try #require(phone.client.token))
                    #expect(try await elsewhere.call(GetMe()).id == phone.user.id)
                    // Its answer is lost, say; the device tries again, at another replica.
                    let first = try await phone.signIn(email)
                    let second = try await elsewhere.call(
                        CreateSession(
                            email: creates ? service.newEmail("new") : email, password: goodPassword,
                            createIfMissing: creates))
                    #expect(second.created == creates && second.device.id != first.device.id)
                    #expect(try await elsewhere.refusal(of: GetMe()).status == 401, "it knows now")
                    #expect(try await service.client(first.token).call(GetMe()).id == first.user.id)
                }
            }
        }
    }

    @Test("On a plain socket whose session has ended it is the same")
    func sockets() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let email = service.newEmail()
            try await service.newUser().register(email)
            let tablet = try await service.signIn(email)
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(tablet.client.token)]).result()
            _ = try await tablet.call(EndSession())
            try await socket.send(
                line: try PlainSocket.request(
                    "sessions.create", ["email": email, "password": goodPassword], id: "again"))
            // The notice that the session has ended may come first.
            var reply = try await socket.reply()
            while reply.id == nil { reply = try await socket.reply() }
            #expect((try reply.result()["token"] as? String)?.hasPrefix("sub_") == true)
            await socket.close()
        }
    }
}
