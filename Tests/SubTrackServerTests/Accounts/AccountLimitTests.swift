import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Limits of accounts", .ownTime)
struct AccountLimitTests {
    @Test("Wrong passwords make an account wait, longer each time, whether it exists or not; a known device gets in")
    func guessing() async throws {
        try await TestService.run(at: "2026-01-31T12:00:00Z") { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            func guess(_ email: String) async throws -> Problem {
                try await service.client.refusal(of: CreateSession(email: email, password: "not that one"))
            }
            let unknown = service.newEmail("nobody")
            var waits: [String: [Int?]] = [:]
            for address in [email, unknown] {
                service.clock.set("2026-01-31T12:00:00Z")
                var now = service.clock.now.secondsSince1970
                for number in 0..<11 {
                    // In another case it is the same account.
                    let problem = try await guess(number % 3 == 1 ? address.uppercased() : address)
                    waits[address, default: []].append(problem.retryAfter)
                    #expect(problem.code == (problem.retryAfter == nil ? .credentialsInvalid : .rateLimited))
                    now += Int64(problem.retryAfter ?? 0)
                    service.clock.set(Instant(secondsSince1970: now).description)
                }
            }
            #expect(waits[email] == [nil, nil, nil, nil, nil, nil, 2, nil, 4, nil, 8])
            #expect(waits[email] == waits[unknown], "the same for an address that nobody has")
            let answer = try await service.client.response(to: CreateSession(email: email, password: goodPassword))
            #expect(answer.status == 200, "the wait is over")
            for _ in 0..<6 { _ = try await guess(email) }
            let kept = try await service.client.response(to: CreateSession(email: email, password: goodPassword))
            #expect(kept.status == 429 && kept.header("retry-after") == "2", "\(kept.text)")
            // The owner's own device, and the same device without its token.
            let own = try await ada.signIn(email)
            #expect(own.user.id == ada.user.id)
            let again = try await service.client.call(
                CreateSession(email: email, password: goodPassword, device: .init(id: ada.device.id)))
            #expect(again.user.id == ada.user.id)
            // Which is no way to guess on.
            var codes: [ErrorCode] = []
            for _ in 0..<7 {
                codes.append(
                    try await service.client.refusal(
                        of: CreateSession(email: email, password: "not that one", device: .init(id: ada.device.id))
                    ).code)
            }
            #expect(codes == Array(repeating: .credentialsInvalid, count: 6) + [.rateLimited])
        }
    }

    @Test("A hundred guesses at the same moment are no more than the free ones")
    func parallelGuesses() async throws {
        try await TestService.run { service in
            let email = service.newEmail()
            try await service.newUser().register(email)
            let codes = try await withThrowingTaskGroup(of: ErrorCode.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await service.client.refusal(
                            of: CreateSession(email: email, password: "guess number \(number)")
                        ).code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .credentialsInvalid }.count <= 6)
            #expect(codes.filter { $0 == .rateLimited }.count >= 94)
        }
    }

    @Test("A network has so many sign-ins a minute, registrations and mails an hour; then it waits")
    func networks() async throws {
        try await TestService.run(
            at: "2026-01-31T12:00:00Z",
            configure: {
                $0.accountLimits = AccountLimits(signInsPerMinute: 4, registrationsPerHour: 3, mailsPerHour: 5)
            }
        ) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            // Each tells that the address is taken: by registering, by signing in with createIfMissing.
            #expect(
                try await service.newUser().refusal(of: RegisterAccount(email: email, password: goodPassword)).code
                    == .emailTaken)
            let third = CreateSession(email: email, password: "not that one", createIfMissing: true)
            #expect(try await service.client.refusal(of: third).code == .credentialsInvalid)
            let refused = try await service.newUser().client.response(
                to: RegisterAccount(email: service.newEmail(), password: goodPassword))
            #expect(refused.status == 429 && refused.header("retry-after") == "1200", "\(refused.text)")
            #expect(try await service.client.refusal(of: third).code == .rateLimited)
            // That was the second sign-in; a right one is one too.
            _ = try await service.signIn(email)
            _ = try await service.signIn(email)
            let fifth = try await service.client.response(to: CreateSession(email: email, password: goodPassword))
            #expect(fifth.status == 429 && fifth.header("retry-after") == "15")
            service.clock.set("2026-01-31T12:00:15Z")
            _ = try await service.signIn(email)

            for _ in 0..<5 { try await service.client.call(ForgotPassword(email: service.newEmail())) }
            #expect(try await service.client.refusal(of: ForgotPassword(email: email)).code == .rateLimited)
            service.clock.set("2026-01-31T13:00:15Z")
            _ = try await service.newUser().register(service.newEmail("later"))
        }
    }

    @Test("A network has so many new devices an hour, faulty requests not counted; then it waits, and others do not")
    func devices() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            at: "2026-01-31T12:00:00Z",
            configure: {
                $0.accountLimits.devicesPerHour = 3
                $0.trustedProxies = proxies
            }
        ) { service in
            func register(from address: String, name: String = "phone") async throws -> APIResponse {
                try await service.client.response(
                    to: RegisterDevice(name: name), headers: [("X-Forwarded-For", address)])
            }
            for _ in 0..<5 { #expect(try await register(from: "203.0.113.7", name: " ").status == 400) }
            for _ in 0..<3 { #expect(try await register(from: "203.0.113.7").status == 201) }
            let refused = try await register(from: "203.0.113.7")
            #expect(refused.status == 429 && refused.header("retry-after") == "1200", "\(refused.text)")
            #expect(try refused.problem().code == .rateLimited)
            #expect(try await register(from: "203.0.113.8").status == 201)
            service.clock.set("2026-01-31T12:20:00Z")
            #expect(try await register(from: "203.0.113.7").status == 201)
        }
    }

    @Test("A network that asks for mails again and again leaves those of the tenant to the others")
    func mailsOfATenant() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            configure: {
                $0.accountLimits.mailsPerHour = 1
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            func ask(from address: String) async throws -> Int {
                try await service.client.response(
                    to: ForgotPassword(email: service.newEmail()), headers: [("X-Forwarded-For", address)]
                ).status
            }
            #expect(try await ask(from: "203.0.113.7") == 202)
            // The tenant has a hundred.
            for _ in 0..<120 { #expect(try await ask(from: "203.0.113.7") == 429) }
            #expect(try await ask(from: "203.0.113.8") == 202)
        }
    }

    @Test("An account gets a few mails an hour, and nobody is told when it gets no more")
    func mailsOfAnAccount() async throws {
        try await TestService.runAlone(configure: { $0.accountLimits = AccountLimits(mailsPerHour: 9) }) { service in
            for _ in 0..<5 { try await service.client.call(ForgotPassword(email: "ada@example.org")) }
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail") == "3\n")
            service.clock.advance(days: 1)
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail") == "4\n")
        }
    }

    @Test("An address gets a few notices of each kind in an hour, whatever is done with its account and from where")
    func notices() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.runAlone(
            configure: {
                $0.accountLimits.mailsPerHour = 9
                $0.trustedProxies = proxies
            }
        ) { service in
            let (eve, email) = (try await service.newUser(), "victim@example.org")
            func signIn(_ number: Int) async throws {
                let answer = try await service.client.response(
                    to: CreateSession(email: email, password: goodPassword),
                    headers: [("X-Forwarded-For", "203.0.\(number).7")])
                #expect(answer.status == 200)
            }
            func mails(_ kind: MailKind) async throws -> String {
                try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Kind = '\(kind.rawValue)'")
            }
            try await eve.register(email)
            for number in 0..<6 { try await signIn(number) }
            #expect(try await mails(.newDevice) == "3\n")
            var passwords = [goodPassword, "another good one"]
            for _ in 0..<6 {
                try await eve.call(ChangePassword(currentPassword: passwords[0], newPassword: passwords[1]))
                passwords.swapAt(0, 1)
            }
            #expect(try await mails(.passwordChanged) == "3\n")
            var (from, to) = (email, "other@example.org")
            for _ in 0..<10 {
                try await eve.call(ChangeEmail(email: from, newEmail: to, currentPassword: goodPassword))
                (from, to) = (to, from)
            }
            #expect(try await mails(.emailChanged) == "6\n")
            #expect(try await mails(.verifyChange) == "6\n")
            // The next hour has its own.
            service.clock.advance(days: 1)
            try await signIn(7)
            #expect(try await mails(.newDevice) == "4\n")
        }
    }

    @Test("What the database takes for one address is one to the limits too, for every letter there is")
    func spellings() async throws {
        try await TestService.run { service in
            // Letters that are written in another case: all others are only themselves on both sides.
            let scalars = (UInt32(0x41)...0x1FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
                (scalar.properties.changesWhenLowercased || scalar.properties.changesWhenUppercased
                    || scalar.properties.changesWhenCaseFolded)
                    && (try? EmailAddress("a\(scalar)@example.org")) != nil
            }
            #expect(scalars.count > 1500)
            let rows = scalars.map { scalar in
                "(\(scalar.value), 0x\(String(scalar).utf8.map { String(format: "%02X", $0) }.joined()))"
            }
            // By the database's own small letters, which Email_key has.
            let printed = try await service.database.run(
                """
                CREATE TEMPORARY TABLE Letters (Number INT, Letter VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin);
                INSERT INTO Letters VALUES \(rows.joined(separator: ", "));
                SELECT GROUP_CONCAT(Number) FROM Letters GROUP BY LOWER(Letter) HAVING COUNT(*) > 1
                """)
            let groups = printed.split(separator: "\n").map { line in
                line.split(separator: ",").compactMap { UInt32($0).flatMap(Unicode.Scalar.init) }
            }
            #expect(groups.count > 500)
            for group in groups {
                let keys = try Set(group.map { try EmailAddress("a\($0)@example.org").limitKey })
                #expect(keys.count == 1, "\(group.map { String($0.value, radix: 16) }) are one to the database")
            }
        }
    }

    @Test("An owner on a known device gets in while strangers take all the places and the tenant's share")
    func reserved() async throws {
        let held = HeldHasher(waiting: 16)
        try await TestService.run(
            configure: {
                $0.passwordHasher = held.hasher
                $0.accountLimits.tenantSignInsPerMinute = 40
                $0.accountLimits.longestWait = .zero
            }
        ) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let (owner, strangers) = try await held.held {
                let strangers = Task {
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 0..<60 {
                            group.addTask {
                                try await service.client.response(
                                    to: CreateSession(email: "nobody\(number)@example.org", password: "not that one")
                                ).status
                            }
                        }
                        return try await group.reduce(into: [Int]()) { $0.append($1) }
                    }
                }
                try await eventually("strangers have all places that they may have") { held.hasher.waiting == 14 }
                let owner = Task {
                    try await ada.client.response(to: CreateSession(email: email, password: goodPassword))
                }
                try await eventually("the owner waits too") { held.hasher.waiting == 15 }
                let late = try await service.client.refusal(
                    of: CreateSession(email: "late@example.org", password: "not that one"))
                #expect(late.code == .rateLimited, "there is no place for a stranger")
                return (owner, strangers)
            }
            let answer = try await owner.value
            #expect(answer.status == 200, "\(answer.text)")
            let statuses = try await strangers.value
            #expect(statuses.filter { $0 == 401 }.count == 14 && statuses.filter { $0 == 429 }.count == 46)
            // The tenant has had its share of strangers, and none of them gets in; whoever is known does.
            let stranger = try await service.client.refusal(of: CreateSession(email: email, password: "not that one"))
            #expect(stranger.code == .rateLimited)
            let known = CreateSession(email: email, password: goodPassword, device: .init(id: ada.device.id))
            #expect(try await service.client.call(known).user.id == ada.user.id)
        }
    }

    @Test("A password that is tried on ten accounts of a user counts as ten guesses")
    func tenAccounts() async throws {
        try await TestService.runAlone(configure: { $0.accountLimits.signInsPerMinute = 25 }) { service in
            let ada = try await service.newUser()
            try await ada.register("ada0@example.org")
            let hash = try await service.database.run("SELECT Password FROM Account")
            for number in 1..<10 {
                try await service.database.run(
                    "INSERT INTO Account (Email, Password, User_ID) SELECT 'ada\(number)@example.org', Password, User_ID FROM Account LIMIT 1"
                )
            }
            #expect(!hash.isEmpty)
            let guess = DeleteMe(currentPassword: "not that one")
            #expect(try await ada.refusal(of: guess).code == .credentialsInvalid)
            #expect(try await ada.refusal(of: guess).code == .credentialsInvalid)
            #expect(try await ada.refusal(of: guess).code == .rateLimited)
        }
    }

    @Test("A password that was wrong for one account counts, though the network's share ends before the next one")
    func sharedOut() async throws {
        try await TestService.run(
            at: "2026-01-31T12:00:00Z", configure: { $0.accountLimits.signInsPerMinute = 1 }
        ) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            try await ada.register(service.newEmail("other"), "another good one", current: goodPassword)
            var waits = 0
            for _ in 0..<20 {
                service.clock.set(Instant(secondsSince1970: service.clock.now.secondsSince1970 + 60).description)
                let guess = DeleteAccount(email: email, currentPassword: "not that one")
                let problem = try await ada.refusal(of: guess)
                #expect(problem.code == .rateLimited)
                if problem.detail.hasPrefix("Too many wrong passwords") { waits += 1 }
            }
            #expect(waits > 0)
        }
    }
}
