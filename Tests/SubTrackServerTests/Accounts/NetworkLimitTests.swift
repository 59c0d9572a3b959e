import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Limits of networks and tenants", .ownTime)
struct NetworkLimitTests {
    /// A service behind a proxy that names the callers' addresses.
    private func run(
        _ limits: AccountLimits, _ body: (TestService) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            at: "2026-01-31T12:00:00Z",
            configure: {
                $0.accountLimits = limits
                $0.trustedProxies = proxies
            }, body)
    }

    private func signIn(
        _ service: TestService, from address: String, _ email: String = "nobody@example.org",
        device: UUID? = nil, password: String = "not that one"
    ) async throws -> APIResponse {
        try await service.client.response(
            to: CreateSession(email: email, password: password, device: device.map { .init(id: $0) }),
            headers: [("X-Forwarded-For", address)])
    }

    @Test(
        "A /64 has its sign-ins, a /56 four times as many, a /48 and an IPv4 /24 sixteen times; others are not concerned"
    )
    func sizes() async throws {
        for (name, addresses, expected) in [
            ("/64", (0..<10).map { "2001:db8:1:2::\($0 + 1)" }, 2),
            ("/56", (0..<20).map { "2001:db8:2:\(String($0, radix: 16))::1" }, 8),
            ("/48", (0..<60).map { "2001:db8:3:\(String($0, radix: 16))00::1" }, 32),
            ("/24", (0..<60).map { "203.0.113.\($0)" }, 32),
        ] as [(String, [String], Int)] {
            var limits = AccountLimits(freeWrongPasswords: 1000)
            limits.signInsPerMinute = 2
            try await run(limits) { service in
                var compared = 0
                for address in addresses {
                    let answer = try await signIn(service, from: address, service.newEmail())
                    if answer.status == 401 { compared += 1 } else { #expect(answer.status == 429, "\(answer.text)") }
                }
                #expect(compared == expected, "\(name)")
                #expect(try await signIn(service, from: "2001:db8:ffff::1").status == 401, "another network")
            }
        }
    }

    @Test("A known device gets in while strangers have used up its /48 and the whole tenant's budget")
    func known() async throws {
        var limits = AccountLimits(tenantSignInsPerMinute: 5, freeWrongPasswords: 1000)
        limits.signInsPerMinute = 4
        limits.registrationsPerHour = 100
        limits.longestWait = .zero
        try await run(limits) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            for number in 0..<80 {
                _ = try await signIn(
                    service, from: "2001:db8:1:\(String(number, radix: 16))00::1", service.newEmail())
            }
            let refused = try await signIn(service, from: "2001:db8:1:ff00::1", email, password: goodPassword)
            #expect(refused.status == 429 && Int(refused.header("retry-after") ?? "") ?? 0 >= 1, "\(refused.text)")
            let known = try await signIn(
                service, from: "2001:db8:1:ff00::1", email, device: ada.device.id, password: goodPassword)
            #expect(known.status == 200, "\(known.text)")
            // A session goes on as well, with what compares a password or asks for mail.
            let session = service.client(try known.decode(CreateSession.Output.self).token)
            let header = [("X-Forwarded-For", "2001:db8:1:ff00::1")]
            for status in [
                try await session.response(
                    to: ChangePassword(currentPassword: goodPassword, newPassword: "another good one"), headers: header
                ).status,
                try await session.response(to: ForgotPassword(email: email), headers: header).status,
                try await session.response(to: DeleteMe(currentPassword: "another good one"), headers: header).status,
            ] { #expect(status == 204 || status == 202) }
        }
    }

    @Test("A stranger waits for a tenant's budget and gets in when its turn comes; one that gives up leaves the line")
    func slowed() async throws {
        let clock = ManualClock("2026-01-31T12:00:00Z")
        let lines = WaitingLines(.init(), longestWait: .seconds(600), clock: clock.wall)
        let rate = RateLimiter.Rate(burst: 1, perHour: 60)
        @Sendable func take(_ address: String) async throws {
            try await lines.take("tenant", rate, "sign-ins", from: ClientNetworks(address: address))
        }
        try await take("192.0.2.1")
        let tasks = (0..<3).map { number in Task { try await take("198.51.\(number).7") } }
        try await eventually("they wait") { lines.waiting == 3 }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(lines.waiting == 2)
        clock.set("2026-01-31T12:01:00Z")
        try await eventually("one token came, for one of them") { lines.waiting == 1 }
        clock.set("2026-01-31T12:02:00Z")
        try await tasks[0].value
        try await tasks[2].value
        #expect(lines.waiting == 0)
    }

    @Test("Whoever waited in vain is refused with a time, and the line is empty again")
    func inVain() async throws {
        let lines = WaitingLines(
            .init(), longestWait: .milliseconds(50), clock: ManualClock("2026-01-31T12:00:00Z").wall)
        let rate = RateLimiter.Rate(burst: 1, perHour: 60)
        try await lines.take("tenant", rate, "sign-ins", from: .local)
        let problem = await #expect(throws: Problem.self) {
            try await lines.take("tenant", rate, "sign-ins", from: .local)
        }
        #expect(problem?.code == .rateLimited && problem?.retryAfter ?? 0 >= 1)
        #expect(lines.waiting == 0)
    }

    /// The statuses of answers from several tasks.
    private final class Answers: Sendable {
        private let statuses = Mutex<[Int]>([])

        func add(_ status: Int) { statuses.withLock { $0.append(status) } }
        func count(of status: Int? = nil) -> Int {
            statuses.withLock { $0.count { status == nil || $0 == status } }
        }
    }

    @Test(
        "Known devices and sessions get in while strangers of 128 /48s fill the tenant's line", .timeLimit(.minutes(10))
    )
    func fullLine() async throws {
        var limits = AccountLimits(tenantSignInsPerMinute: 5, freeWrongPasswords: 1000)
        limits.longestWait = .seconds(300)
        try await run(limits) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            // Five take what the budget has, 128 wait, and the others find no place.
            let answers = Answers()
            let count = 5 + 128 + 20
            let emails = (0..<count).map { _ in service.newEmail() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, other) in emails.enumerated() {
                    group.addTask {
                        let address = "2001:db8:\(String(number + 1, radix: 16))::1"
                        answers.add(try await signIn(service, from: address, other).status)
                    }
                }
                try await eventually("the line is full") { answers.count(of: 429) == 20 }
                let stranger = try await signIn(service, from: "2001:db8:ffff::1", email, password: goodPassword)
                #expect(stranger.status == 429, "\(stranger.text)")
                let known = try await signIn(
                    service, from: "2001:db8:ffff::1", email, device: ada.device.id, password: goodPassword)
                #expect(known.status == 200, "\(known.text)")
                let session = service.client(try known.decode(CreateSession.Output.self).token)
                let header = [("X-Forwarded-For", "2001:db8:ffff::1")]
                #expect(try await session.response(to: UpdateMe(userName: .set("Ada")), headers: header).status == 200)
                let changed = try await session.response(
                    to: ChangePassword(currentPassword: goodPassword, newPassword: "another good one"), headers: header)
                #expect(changed.status == 204, "\(changed.text)")
                #expect(answers.count() == 25, "nobody of the line has had a turn")
                // Their turns come, so that the service can end.
                while answers.count() < count {
                    let before = answers.count()
                    service.clock.advance(days: 1)
                    try await eventually("some of the line have their turn") { answers.count() > before }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Links of mails work while strangers have used up the tenant's budget")
    func links() async throws {
        var limits = AccountLimits(tenantSignInsPerMinute: 1, freeWrongPasswords: 1000)
        limits.longestWait = .zero
        try await run(limits) { service in
            for number in 0..<5 { _ = try await signIn(service, from: "192.0.\(number).1", service.newEmail()) }
            let refused = try await service.client.refusal(of: VerifyEmail(token: "x"))
            #expect(refused.code == .inputInvalid, "it is looked at")
        }
    }
}
