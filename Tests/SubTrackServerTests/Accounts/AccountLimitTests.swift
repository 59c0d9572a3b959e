import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Limits of accounts")
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
                for _ in 0..<11 {
                    // In another case it is the same account.
                    let problem = try await guess(Bool.random() ? address : address.uppercased())
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
}
