import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Accounts", .tags(.otherServers), .ownTime)
struct AccountTests {
    @Test("A device's user gets an account, and is found again by it from another device, with all data")
    func register() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser(country: "DE", timeZone: "Europe/Berlin")
            let plan = try await service.addPlan(country: "DE")
            let kept = try await ada.call(CreateSubscription(planId: plan))
            let email = service.newEmail()
            let made = try await ada.call(
                RegisterAccount(email: "  \(email) ", password: goodPassword, userName: "Ada"))
            #expect(made.account == User.Account(email: email, verified: false))
            #expect(made.user.id == ada.user.id && made.user.accounts == [made.account] && made.user.userName == "Ada")
            #expect(made.user.version > ada.user.version)
            #expect(try await ada.call(GetMe()) == made.user)

            let other = try await service.client.call(
                CreateSession(email: email.uppercased(), password: goodPassword, device: .init(name: "Tablet")))
            #expect(other.user == made.user && !other.created && other.merged == .init())
            #expect(other.device.name == "Tablet" && other.device.id != ada.device.id)
            let tablet = TestUser(other, service.client)
            #expect(try await tablet.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            #expect(try await ada.call(GetMe()).id == made.user.id, "the first device stays signed in")
        }
    }

    @Test("An address is taken whatever its case, and by another spelling of the same characters; nothing else is it")
    func unique() async throws {
        try await TestService.run { service in
            let tag = UUID().uuidString.prefix(8)
            try await service.newUser().register("José.\(tag)@Exämple.org")
            for same in [
                "José.\(tag)@Exämple.org", "josé.\(tag)@exämple.ORG", "JOSÉ.\(tag)@EXÄMPLE.ORG",
                "Jose\u{301}.\(tag)@Exa\u{308}mple.org",
            ] {
                let problem = try await service.newUser().refusal(
                    of: RegisterAccount(email: same, password: goodPassword))
                #expect(problem.status == 409 && problem.code == .emailTaken, "\(same)")
                _ = try await service.signIn(same)
            }
            for other in [
                "jose.\(tag)@exämple.org", "josé.\(tag)@example.org", "jòsé.\(tag)@exämple.org", "用户\(tag)@例子.广告",
            ] {
                try await service.newUser().register(other)
            }
        }
    }

    @Test("What is no address is refused, and so is what no mail could be sent to")
    func addresses() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for bad in [
                "", "ada", "@example.org", "ada@", "a b@example.org", "ada@exa mple.org", "ada@@", "a@b@",
                ".ada@example.org",
                "ada.@example.org", "a..b@example.org", "ada@example..org", "ada@-example.org", "ada@example-.org",
                "ada@example.org\r\nBcc: eve@example.org", "ada@example.org,eve@example.org", "<ada@example.org>",
                "\"ada\"@example.org", "ada\u{200B}@example.org", "ada\u{202E}@example.org", "ada@[127.0.0.1]",
                "b\u{130}ll@example.org", "ada@\u{130}stanbul.example",
                "\(String(repeating: "a", count: 65))@example.org",
                "ada@\(String(repeating: "a", count: 64)).org", "a@\(String(repeating: "abcdefghi.", count: 25))org",
                String(repeating: "x", count: 100_000),
            ] {
                let problem = try await ada.refusal(of: RegisterAccount(email: bad, password: goodPassword))
                #expect(problem.errors?.map(\.field) == ["email"], "\(bad.prefix(60)): \(problem)")
                #expect(problem.status == 400)
            }
            #expect(try await ada.call(GetMe()).accounts.isEmpty)
        }
    }

    @Test("A current password that is shorter than any can be is wrong as others are; one that is too long is refused")
    func shortCurrentPasswords() async throws {
        try await TestService.run(configure: { $0.accountLimits.freeWrongPasswords = 100 }) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            for wrong in ["", "x", "1234567", "ａｂ"] {
                let problems = [
                    try await service.client.refusal(of: CreateSession(email: email, password: wrong)),
                    try await service.client.refusal(of: CreateSession(email: "no.\(email)", password: wrong)),
                    try await ada.refusal(of: DeleteMe(currentPassword: wrong)),
                    try await ada.refusal(of: ChangePassword(currentPassword: wrong, newPassword: "another good one")),
                    try await ada.refusal(
                        of: ChangeEmail(email: email, newEmail: service.newEmail("new"), currentPassword: wrong)),
                    try await ada.refusal(
                        of: RegisterAccount(
                            email: service.newEmail("two"), password: goodPassword, currentPassword: wrong)),
                ]
                #expect(problems.allSatisfy { $0.code == .credentialsInvalid }, "\(wrong): \(problems)")
            }
            let long = String(repeating: "x", count: 1025)
            expectRefused(
                try await service.client.refusal(of: CreateSession(email: email, password: long)), "password", .range)
            expectRefused(try await ada.refusal(of: DeleteMe(currentPassword: long)), "currentPassword", .range)
            // New ones are looked at, also where the account is made by signing in.
            expectRefused(
                try await ada.refusal(of: ChangePassword(currentPassword: goodPassword, newPassword: "1234567")),
                "newPassword", .range)
            expectRefused(
                try await service.client.refusal(
                    of: CreateSession(email: service.newEmail("new"), password: "1234567", createIfMissing: true)),
                "password", .range)
        }
    }

    @Test("Passwords of 8 to 1,024 bytes, any character; common ones are refused with the reason, and never repeated")
    func passwords() async throws {
        try await TestService.run { service in
            for (bad, reason) in [
                ("", "8"), ("1234567", "8"), (String(repeating: "é→", count: 300), "1024"), ("password", "common"),
                ("P@ssw0rd2024!", "common"), ("12345678", "sequence"), ("qwertyuiop", "sequence"),
                ("aaaaaaaaaa", "repeats"),
                ("abcabcabc", "repeats"), ("31.01.1990", "date"), ("iloveyou1", "common"),
            ] {
                let ada = try await service.newUser()
                let problem = try await ada.refusal(of: RegisterAccount(email: service.newEmail(), password: bad))
                #expect(problem.status == 400 && problem.errors?.map(\.field) == ["password"], "\(problem)")
                #expect(problem.detail.contains(reason), "\(problem.detail)")
                if bad.count > 8 { #expect(!problem.detail.contains(bad)) }
            }
            let email = service.newEmail("grace.hopper")
            let own = try await service.newUser().refusal(of: RegisterAccount(email: email, password: email))
            #expect(own.detail.contains("your own address"))

            for good in [
                "🦄🦄🐴🐎", "   a b  c d ", "\u{0}\u{1}\u{2}\u{7}tab\t\n", (0..<256).map { "\($0) " }.joined(),
                "ｆｕｌｌｗｉｄｔｈ ①",
            ] {
                let address = service.newEmail()
                try await service.newUser().register(address, good)
                _ = try await service.signIn(address, good)
            }
            // The same key on another keyboard.
            let address = service.newEmail()
            try await service.newUser().register(address, "cafe\u{301} cr\u{E8}me")
            _ = try await service.signIn(address, "caf\u{E9} cre\u{300}me")
        }
    }

    @Test("A second account of a user needs the password of the first; both lead to the user")
    func second() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let (first, second) = (service.newEmail(), service.newEmail())
            try await ada.register(first)
            let missing = try await ada.refusal(of: RegisterAccount(email: second, password: "another good one"))
            #expect(missing.errors?.map(\.field) == ["currentPassword"])
            let wrong = try await ada.refusal(
                of: RegisterAccount(email: second, password: "another good one", currentPassword: "not the first one"))
            #expect(wrong.status == 401 && wrong.code == .credentialsInvalid)
            let user = try await ada.register(second, "another good one", current: goodPassword)
            #expect(Set(user.accounts.map(\.email)) == [first, second])
            #expect(try await service.signIn(first).user.id == user.id)
            #expect(try await service.signIn(second, "another good one").user.id == user.id)
            let crossed = try await service.client.refusal(
                of: CreateSession(email: first, password: "another good one"))
            #expect(crossed.code == .credentialsInvalid)
        }
    }

    @Test("Whoever signs in with a wrong password or an unknown address gets the same answer, byte for byte")
    func wrong() async throws {
        try await TestService.run { service in
            let email = service.newEmail()
            try await service.newUser().register(email)
            func answer(_ email: String) async throws -> String {
                let answer = try await service.client.response(
                    to: CreateSession(email: email, password: "not that one"))
                #expect(answer.status == 401)
                return answer.text.replacing(answer.header("x-request-id") ?? "-", with: "*")
            }
            let known = try await answer(email)
            #expect(known.contains("credentials_invalid"))
            #expect(try await answer(service.newEmail("nobody")) == known)
        }
    }

    @Test("A write that takes or gives a secret takes no idempotency key, and nothing is done")
    func noKeys() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let key = [("Idempotency-Key", "one")]
            let before = try await service.rowCounts()
            for problem in [
                try await ada.refusal(of: RegisterAccount(email: "a@b.c", password: goodPassword), headers: key),
                try await ada.refusal(of: CreateSession(email: "a@b.c", password: goodPassword), headers: key),
                try await service.client.refusal(of: RegisterDevice(name: "phone"), headers: key),
            ] {
                expectRefused(problem, "idempotencyKey", .unknown)
            }
            #expect(try await service.rowCounts() == before)
        }
    }
}
