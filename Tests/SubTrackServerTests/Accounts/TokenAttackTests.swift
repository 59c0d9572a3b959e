import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Attacks with tokens, hashes and texts", .serialized, .ownTime)
struct TokenAttackTests {
    @Test("A stolen dump opens nothing: no token, no password, no link; a stored hash is no token")
    func dump() async throws {
        try await MailFolder.with { folder in
            var mail = try folder.settings()
            mail.sweep = .milliseconds(50)
            try await TestService.runAlone(configure: { $0.mail = mail }) { service in
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                try await ada.call(CreateSubscription(planId: plan), headers: [("Idempotency-Key", "one")])
                try await ada.register("ada@example.org")
                let other = try await service.signIn("ada@example.org")
                try await service.client.call(ForgotPassword(email: "ada@example.org"))
                let links = [
                    try await folder.take(to: "ada@example.org", about: "Confirm").token,
                    try await folder.take(to: "ada@example.org", about: "Choose").token,
                ].compactMap(\.self)
                let out = try await other.call(EndSession())
                try folder.refuse(true)
                _ = try await service.client(out.token).call(
                    CreateSession(email: "bob@example.org", password: "bob's good password", createIfMissing: true))
                let all = try await service.everything()
                #expect(all.contains("pbkdf2-sha512") && all.contains("ada@example.org") && links.count == 2)
                for token in links + [ada.client.token, other.client.token, out.token].compactMap(\.self) {
                    #expect(!all.contains(token) && !all.contains(token.dropFirst(4)))
                    let bytes = try #require(Self.bytes(token))
                    let digits = bytes.map { String(format: "%02X", $0) }.joined()
                    #expect(!all.uppercased().contains(digits))
                }
                #expect(!all.contains("sub_") && !all.contains(goodPassword) && !all.contains("bob's good password"))
                // What is stored in a token's place is no token.
                let hashes = try await service.database.run(
                    "SELECT HEX(Token_hash) FROM Session UNION SELECT HEX(Secret_hash) FROM Mail_secret UNION SELECT HEX(Token_hash) FROM Ended_session"
                )
                .split(separator: "\n")
                #expect(hashes.count >= 5)
                for hash in hashes {
                    let token = "sub_" + Self.base64url(Self.bytes(hexadecimal: hash))
                    #expect(try await service.client(token).refusal(of: GetMe()).code == .tokenInvalid)
                    #expect(try await service.client.refusal(of: VerifyEmail(token: token)).code == .inputInvalid)
                    let reset = ResetPassword(token: token, newPassword: "another good one")
                    #expect(try await service.client.refusal(of: reset).code == .inputInvalid)
                }
                // Nor is a stored password hash a password.
                let encoded = try await service.database.run(
                    "SELECT Password FROM Account WHERE Email = 'ada@example.org'"
                )
                .trimmingCharacters(in: .newlines)
                #expect(encoded.hasPrefix("$pbkdf2-sha512$i="))
                let wrong = try await service.client.refusal(
                    of: CreateSession(email: "ada@example.org", password: encoded))
                #expect(wrong.code == .credentialsInvalid)
            }
        }
    }

    @Test(
        "Another replica refuses a token soon after its end, whatever ended it",
        arguments: ["changed password", "reset", "ended from afar", "signed out", "deleted user", "new sign-in"])
    func revocation(way: String) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone(configure: { $0.mail = mail }) { service in
                try await service.runReplica { (replica: TestService) async throws in
                    let ada = try await service.newUser()
                    try await ada.register("ada@example.org")
                    try await service.client.call(
                        VerifyEmail(token: try #require(folder.take(to: "ada@example.org").token)))
                    let tablet = try await service.signIn("ada@example.org", device: .init(name: "Tablet"))
                    let elsewhere = replica.client(try #require(tablet.client.token))
                    let session = try #require(
                        try await ada.call(ListSessions()).sessions.first { $0.device.id == tablet.device.id })
                    // The other replica has just looked it up, and remembers it for as long as it ever does.
                    #expect(try await elsewhere.call(GetMe()).id == ada.user.id)
                    switch way {
                    case "changed password":
                        try await ada.call(
                            ChangePassword(currentPassword: goodPassword, newPassword: "another good one"))
                    case "reset":
                        try await service.client.call(ForgotPassword(email: "ada@example.org"))
                        let token = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
                        #expect(try await elsewhere.call(GetMe()).id == ada.user.id)
                        try await service.client.call(ResetPassword(token: token, newPassword: "another good one"))
                    case "ended from afar": try await ada.call(DeleteSession(id: session.id))
                    case "signed out": _ = try await tablet.call(EndSession())
                    case "deleted user": try await ada.call(DeleteMe(currentPassword: goodPassword))
                    default: _ = try await tablet.signIn("ada@example.org")
                    }
                    #expect(try await tablet.client.response(to: GetMe()).status == 401, "here at once")
                    try await eventually("the other replica knows") {
                        try await elsewhere.response(to: GetMe()).status == 401
                    }
                    let code = try await elsewhere.refusal(of: GetMe()).code
                    #expect(code == (way == "deleted user" ? .userDeleted : .tokenEnded))
                }
            }
        }
    }

    @Test("A token of a user who was merged away says to sign in again, and not to drop what is on the device")
    func mergedElsewhere() async throws {
        try await TestService.run { service in
            try await service.runReplica { (replica: TestService) async throws in
                let plan = try await service.addPlan()
                let email = service.newEmail()
                try await service.newUser().register(email)
                let phone = try await service.newUser()
                let elsewhere = replica.client(try #require(phone.client.token))
                #expect(try await elsewhere.call(GetMe()).id == phone.user.id)
                _ = try await phone.signIn(email)
                let problem = try await elsewhere.refusal(of: CreateSubscription(planId: plan))
                #expect(problem.status == 401 && problem.code == .tokenEnded, "\(problem)")
            }
        }
    }

    @Test("A stronger hash takes a weaker one's place at the next sign-in, and only then")
    func rehash() async throws {
        try await TestService.runAlone(configure: { $0.passwordRounds = 1000 }) { service in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            func rounds() async throws -> String {
                try await service.database.run(
                    "SELECT SUBSTRING_INDEX(SUBSTRING_INDEX(Password, '$', 3), '=', -1) FROM Account")
            }
            _ = try await service.signIn("ada@example.org")
            #expect(try await rounds() == "1000\n")
            let weak = try PasswordHash(of: Password(goodPassword), iterations: 500).encoded
            try await service.database.run("UPDATE Account SET Password = '\(weak)'")
            let wrong = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: "not that one"))
            #expect(wrong.code == .credentialsInvalid)
            #expect(try await rounds() == "500\n")
            _ = try await service.signIn("ada@example.org")
            #expect(try await rounds() == "1000\n")
            _ = try await service.signIn("ada@example.org")
            // A row that somebody spoiled lets nobody in, and is no fault of the service.
            try await service.database.run("UPDATE Account SET Password = '$x$y$z$'")
            let spoiled = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(spoiled.code == .credentialsInvalid)
        }
    }

    @Test("Hostile texts in every field are data: kept as they are, or refused as what they are")
    func injection() async throws {
        try await TestService.runAlone { service in
            let tables = try await service.database.run("SHOW TABLES")
            for (index, text) in InjectionTests.corpus.enumerated() {
                let email = "user\(index)@example.org"
                let password = text + " and some more"
                let made = try await service.client.call(
                    CreateSession(
                        email: email, password: password, userName: text + "x", createIfMissing: true,
                        device: .init(name: text + "y")))
                #expect(made.created && made.user.userName?.hasSuffix("x") == true && made.device.name.hasSuffix("y"))
                let user = TestUser(made, service.client)
                _ = try await user.signIn(email, password)
                for operation in [
                    CreateSession(email: text, password: password),
                    CreateSession(email: "\(text)@example.org", password: password),
                    CreateSession(email: email, password: "\(password)' OR '1'='1"),
                ] {
                    let problem = try await service.client.refusal(of: operation)
                    #expect([400, 401].contains(problem.status), "\(text): \(problem)")
                }
                #expect(try await service.client.refusal(of: VerifyEmail(token: text)).status == 400)
                #expect(
                    try await service.client.refusal(of: ResetPassword(token: text, newPassword: password)).status
                        == 400)
            }
            #expect(try await service.database.run("SHOW TABLES") == tables)
            #expect(
                try await service.database.run("SELECT COUNT(*) FROM Account") == "\(InjectionTests.corpus.count)\n")
            // Mass assignment: what is no input is refused by name.
            for json in [
                #"{"email":"a@b.c","password":"correct horse","verified":true}"#,
                #"{"email":"a@b.c","password":"correct horse","userId":"00000000-0000-7000-8000-000000000000"}"#,
                #"{"email":"a@b.c","password":"correct horse","device":{"name":"x","userId":"1"}}"#,
            ] {
                let answer = try await service.client.send("POST", "/v1/sessions", json: json)
                #expect(answer.status == 400 && answer.text.contains("\"unknown\""), "\(answer.text)")
            }
        }
    }

    private static func bytes(_ token: String) -> [UInt8]? {
        var base64 = token.dropFirst(4).replacing("-", with: "+").replacing("_", with: "/")
        while base64.count % 4 != 0 { base64 += "=" }
        return Data(base64Encoded: String(base64)).map { Array($0) }
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).compactMap { offset in
            UInt8(String(text.dropFirst(offset).prefix(2)), radix: 16)
        }
    }

    private static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
