import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Attacks by guessing and by flooding", .serialized, .ownTime)
struct AttackTests {
    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    /// The value below which a part of some durations lie, in milliseconds.
    private static func quantile(_ part: Double, _ durations: [Duration]) -> Double {
        milliseconds(durations.sorted()[Int(Double(durations.count) * part)])
    }

    @Test("The figures are those that are promised")
    func figures() {
        let limits = AccountLimits()
        #expect(limits.registrationsPerHour == 10 && limits.mailsPerHour == 10)
        #expect(limits.signInsPerMinute == 20 && limits.tenantSignInsPerMinute == 1200)
        #expect(limits.freeWrongPasswords == 5 && limits.devicesPerHour == 600)
        #expect(PasswordHash.Current.iterations == 220_000)
        #expect(
            PasswordHasher.Bounds().threads == max(1, ProcessInfo.processInfo.activeProcessorCount - 1))
    }

    // MARK: What an answer tells

    /// An answer as everybody sees it, without what differs from request to request.
    private func shown(_ answer: APIResponse) -> String {
        let id = answer.header("x-request-id") ?? "-"
        let headers = answer.headers.filter { $0.name != "date" }.map { name, value in
            // Ids count requests, and get longer now and then.
            name == "content-length"
                ? "\(name) without the id: \((Int(value) ?? 0) - id.utf8.count)" : "\(name): \(value)"
        }
        return "\(answer.status) \(headers) \(answer.text)".replacing(id, with: "*")
    }

    /// What eight requests come to: their answers, and how often each sent a statement.
    private struct Outcome: Equatable {
        var answers: Set<String> = []
        var statements: [String: Int] = [:]
    }

    /// Sends eight requests, one after the other. What the service sends beside them is fewer than one for each.
    private func outcome(
        _ recorder: StatementRecorder, _ send: (Int) async throws -> APIResponse
    ) async throws -> Outcome {
        func counts() -> [String: Int] {
            recorder.all.keys.reduce(into: [:]) { $0[$1] = recorder.count(of: $1) }
        }
        var outcome = Outcome()
        let before = counts()
        for number in 0..<8 { outcome.answers.insert(shown(try await send(number))) }
        for (text, count) in counts() {
            let each = (count - before[text, default: 0]) / 8
            if each > 0 { outcome.statements[text] = each }
        }
        return outcome
    }

    @Test(
        "A wrong password of a known and of an unknown address costs the same statements and one hash, and gets the same answer; so does asking for a mail"
    )
    func alike() async throws {
        let held = HeldHasher()
        let recorder = StatementRecorder()
        try await TestService.run(configure: { settings in
            settings.passwordHasher = held.hasher
            settings.jobInterval = .seconds(3600)
            settings.tenantReadingInterval = .seconds(3600)
            settings.onStatement = { sql, _ in recorder.note(sql) }
        }) { service in
            var emails: [String] = []
            for _ in 0..<8 {
                let email = service.newEmail()
                try await service.newUser().register(email)
                emails.append(email)
            }
            let (known, unknown) = (emails, (0..<8).map { _ in service.newEmail("nobody") })
            // A hash of fewer rounds is one turn as well.
            let weak = try PasswordHash(of: Password(goodPassword), iterations: 500).encoded
            try await service.database.run("UPDATE Account SET Password = '\(weak)' WHERE Email = '\(known[7])'")

            let guessed = try await outcome(recorder) { try await wrong(known[$0], service) }
            let missed = try await outcome(recorder) { try await wrong(unknown[$0], service) }
            #expect(guessed == missed && guessed.answers.count == 1 && guessed.statements.count >= 2, "\(guessed)")
            #expect(guessed.answers.allSatisfy { $0.hasPrefix("401 ") })
            for email in [known[0], known[7], unknown[0]] {
                let answer = try await held.withOneTurn { try await wrong(email, service) }
                #expect(answer.status == 401, "\(answer.text)")
            }

            let forgotten = try await outcome(recorder) {
                try await service.client.response(to: ForgotPassword(email: known[$0]))
            }
            let others = try await outcome(recorder) {
                try await service.client.response(to: ForgotPassword(email: unknown[$0]))
            }
            #expect(forgotten == others && forgotten.answers.count == 1 && !forgotten.statements.isEmpty)
            #expect(forgotten.answers.allSatisfy { $0.hasPrefix("202 ") })
        }
    }

    // MARK: What time tells

    /// Two kinds of requests that must look the same.
    private struct Twins {
        let name: String
        let status: Int
        let one: @Sendable (Int) async throws -> APIResponse
        let other: @Sendable (Int) async throws -> APIResponse
    }

    /// Sends both in turn, until the quarter of each that was answered soonest took the same time, within a tenth.
    ///
    /// What others do on the machine averages out; a difference that is there stays, however often it is asked.
    private func expectAlike(_ twins: [Twins], _ service: TestService) async throws {
        var times: [String: (one: [Duration], other: [Duration])] = [:]
        var apart = Set(twins.map(\.name))
        for round in 0..<400 where !apart.isEmpty {
            for twin in twins where apart.contains(twin.name) {
                func timed(_ send: (Int) async throws -> APIResponse) async throws -> (Duration, String) {
                    let start = ContinuousClock.now
                    let answer = try await send(round)
                    let taken = ContinuousClock.now - start
                    #expect(answer.status == twin.status, "\(twin.name): \(answer.text)")
                    return (taken, shown(answer))
                }
                // Whoever comes second finds warm caches.
                let isSwapped = round % 2 == 1
                let first = try await timed(isSwapped ? twin.other : twin.one)
                let second = try await timed(isSwapped ? twin.one : twin.other)
                #expect(first.1 == second.1, "\(twin.name): nothing but the time could tell")
                times[twin.name, default: ([], [])].one.append(isSwapped ? second.0 : first.0)
                times[twin.name, default: ([], [])].other.append(isSwapped ? first.0 : second.0)
            }
            // Accounts that wait after wrong passwords do not any more.
            if round % 4 == 3 { service.clock.advance(days: 1) }
            guard round >= 39, round % 10 == 9 else { continue }
            for (name, taken) in times where apart.contains(name) {
                let (one, other) = (Self.quantile(0.25, taken.one), Self.quantile(0.25, taken.other))
                guard 0.9...1.1 ~= one / other else { continue }
                apart.remove(name)
                print("\(name): \(one) and \(other) ms, after \(round + 1) of each")
            }
        }
        for name in apart {
            let taken = times[name] ?? ([.zero], [.zero])
            Issue.record(
                "\(name): \(Self.quantile(0.25, taken.one)) and \(Self.quantile(0.25, taken.other)) ms can be told apart"
            )
        }
    }

    private func wrong(_ email: String, _ service: TestService) async throws -> APIResponse {
        try await service.client.response(to: CreateSession(email: email, password: "not that one"))
    }

    @Test(
        "A wrong password of a known and of an unknown address take the same time and get the same answer; so does asking for a mail",
        .enabled(if: TestStage.full, "script/test --full: measures seconds"), arguments: [1000, 30_000])
    func timing(rounds: Int) async throws {
        // Few rounds show what else differs, such as a statement more.
        try await TestService.run(configure: { $0.passwordRounds = rounds }) { service in
            var emails: [String] = []
            for _ in 0..<8 {
                let email = service.newEmail()
                try await service.newUser().register(email)
                emails.append(email)
            }
            let known = emails
            try await expectAlike(
                [
                    Twins(
                        name: "A wrong password, \(rounds) rounds", status: 401,
                        one: { try await wrong(known[$0 % 8], service) },
                        other: { _ in try await wrong(service.newEmail("nobody"), service) }),
                    Twins(
                        name: "A forgotten password", status: 202,
                        one: { try await service.client.response(to: ForgotPassword(email: known[$0 % 8])) },
                        other: { _ in
                            try await service.client.response(to: ForgotPassword(email: service.newEmail("nobody")))
                        }),
                ], service)
        }
    }

    @Test(
        "A wrong password of an account whose hash has fewer rounds takes as long as one of an unknown address",
        .enabled(if: TestStage.full, "script/test --full: measures seconds"))
    func timingOfWeakerHashes() async throws {
        try await TestService.run(configure: { $0.passwordRounds = 30_000 }) { service in
            let email = service.newEmail()
            try await service.newUser().register(email)
            let weak = try PasswordHash(of: Password(goodPassword), iterations: 1000).encoded
            try await service.database.run("UPDATE Account SET Password = '\(weak)' WHERE Email = '\(email)'")
            try await expectAlike(
                [
                    Twins(
                        name: "A wrong password, its hash of 1,000 rounds", status: 401,
                        one: { _ in try await wrong(email, service) },
                        other: { _ in try await wrong(service.newEmail("nobody"), service) })
                ], service)
        }
    }

    // MARK: A flood

    @Test(
        "Of sign-ins at once those with a place get in, the others are told to wait; all else is answered while no password is hashed"
    )
    func places() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        let held = HeldHasher(bounds: PasswordHasher.Bounds())
        try await TestService.run(configure: { settings in
            settings.passwordHasher = held.hasher
            settings.trustedProxies = proxies
        }) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            @Sendable func signIn(_ number: Int) async throws -> APIResponse {
                // Different accounts, known and unknown: one account alone would have to wait anyway.
                let isKnown = number % 16 == 0
                return try await service.client.response(
                    to: CreateSession(
                        email: isKnown ? email : "nobody\(number)@example.org",
                        password: isKnown ? goodPassword : "not that one"),
                    headers: [("X-Forwarded-For", "203.0.113.\(number % 2)")])
            }
            let waiting = try await held.held {
                var tasks: [Task<Int, any Error>] = []
                // Two networks have 24 places each.
                for number in 0..<48 {
                    tasks.append(Task { try await signIn(number).status })
                    try await eventually("number \(number) has a place") { held.hasher.waiting == number + 1 }
                }
                for number in 48..<60 {
                    let refused = try await signIn(number)
                    #expect(refused.status == 429, "\(refused.text)")
                    #expect(Int(refused.header("retry-after") ?? "") ?? 0 >= 1)
                }
                for _ in 0..<20 { #expect(try await ada.call(GetMe()).id == ada.user.id) }
                #expect(held.hasher.waiting == 48)
                return tasks
            }
            var statuses: [Int: Int] = [:]
            for task in waiting {
                let status = try await task.value
                statuses[status, default: 0] += 1
            }
            #expect(statuses == [200: 3, 401: 45])
        }
    }

    /// How often somebody asks, one request after the other, and how long the slowest hundredth of them take.
    private struct Pace: CustomStringConvertible {
        let perSecond: Double
        let p99: Double

        init(_ taken: [Duration], in length: Duration) {
            perSecond = Double(taken.count) / (length / .seconds(1))
            p99 = taken.isEmpty ? .infinity : AttackTests.quantile(0.99, taken)
        }

        var description: String { "\(Int(perSecond))/s, p99 \(p99) ms" }
    }

    /// What five hundred sign-ins at once came to.
    private struct Flood {
        var statuses: [Int: Int] = [:]
        var before: Pace
        var meanwhile: Pace

        /// Half the rate at least, and at most three times the p99.
        var isBorne: Bool { meanwhile.perSecond >= before.perSecond / 2 && meanwhile.p99 <= 3 * before.p99 }
    }

    @Test(
        "Five hundred sign-ins at once: some get in, the others are told to wait; while passwords are hashed all else keeps half its rate, and p99 at most three times",
        .enabled(if: TestStage.full, "script/test --full: measures a rate"))
    func flood() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(configure: { settings in
            settings.passwordRounds = PasswordHash.Current.iterations
            settings.trustedProxies = proxies
        }) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            // Others use the machine too: one of three times must be undisturbed.
            for attempt in 1...3 {
                let flood = try await flood(of: email, asking: ada, service)
                print("500 sign-ins at once: \(flood.statuses). Others: \(flood.before); meanwhile \(flood.meanwhile)")
                #expect(Set(flood.statuses.keys).isSubset(of: [200, 401, 429]), "\(flood.statuses)")
                // Two networks have 24 places each, and some more are served while the others come.
                #expect(flood.statuses[429, default: 0] > 300)
                #expect(flood.statuses[200, default: 0] + flood.statuses[401, default: 0] >= 48, "\(flood.statuses)")
                if flood.isBorne { break }
                #expect(attempt < 3, "before: \(flood.before), meanwhile: \(flood.meanwhile)")
            }
        }
    }

    private func flood(of email: String, asking ada: TestUser, _ service: TestService) async throws -> Flood {
        // Somebody who asks again and again.
        @Sendable func pace(while isOn: () -> Bool) async throws -> Pace {
            let start = ContinuousClock.now
            var taken: [Duration] = []
            while isOn() {
                let begin = ContinuousClock.now
                _ = try await ada.call(GetMe())
                taken.append(ContinuousClock.now - begin)
            }
            return Pace(taken, in: ContinuousClock.now - start)
        }
        let calm = ContinuousClock.now + .seconds(2)
        let before = try await pace { ContinuousClock.now < calm }
        let done = Counter()
        let statuses = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        // Different accounts, known and unknown: one account alone would have to wait anyway.
                        let isKnown = number % 10 == 0
                        let answer = try await service.client.response(
                            to: CreateSession(
                                email: isKnown ? email : "nobody\(number)@example.org",
                                password: isKnown ? goodPassword : "not that one"),
                            headers: [("X-Forwarded-For", "203.0.113.\(number % 2)")])
                        if answer.status == 429 {
                            #expect(Int(answer.header("retry-after") ?? "") ?? 0 >= 1)
                        }
                        done.add()
                        return answer.status
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
        }
        // The clients of this test run on the same processors. Once all have sent what they send, and those without a
        // place were told so, only the hashing goes on.
        let places = 2 * PasswordHasher.Bounds().waitingInQueue + PasswordHasher.Bounds().threads
        try await eventually("all that have no place are refused") {
            500 - done.value <= places
        }
        let meanwhile = try await pace { done.value < 500 }
        return Flood(statuses: try await statuses.value, before: before, meanwhile: meanwhile)
    }

    /// A number that several tasks raise.
    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }
}
