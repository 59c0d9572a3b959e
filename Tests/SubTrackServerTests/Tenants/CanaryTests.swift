import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// What is one tenant's never shows in another's answers, whatever goes wrong meanwhile.
@Suite("Canaries of tenants", .ownTime)
struct CanaryTests {
    /// How many requests: a million where there is time for it.
    private static let requests = TestStage.faults ? 1_000_000 : 3_000

    @Test("Many tenants over few connections, some of them killed: no answer has another tenant's canary")
    func none() async throws {
        let slugs = (0..<6).map { "canary\($0)" }
        // A server of its own: what is killed is nobody else's.
        try await PrivateServer.own { server in
            try await TestService.runAlone(on: server, configure: { $0.databaseConnections = 4 }) { service in
                try await service.withTenants { tenants in
                    for slug in slugs { try await tenants.create(slug) }
                    var people: [Person] = []
                    for slug in slugs {
                        try await service.database(of: slug).run(
                            "INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) "
                                + "VALUES ('Kept by \(slug)', 'Plan of \(slug)', 1, 'US', 1, 'month')")
                        let user = try await service.newUser(in: slug)
                        let plan = try #require(try await user.call(ListPlans(country: "US")).plans.first)
                        people.append((slug, user, plan.id))
                    }
                    let (everybody, counts) = (people, Counts(left: Self.requests))
                    let killing = Task {
                        while !Task.isCancelled {
                            _ = try? await service.control.run(
                                """
                                SET @id = (SELECT MAX(ID) FROM information_schema.PROCESSLIST
                                           WHERE DB LIKE '\(service.control.name)\\_canary%');
                                SET @kill = IF(@id IS NULL, 'DO 0', CONCAT('KILL ', @id)); EXECUTE IMMEDIATE @kill
                                """, arguments: ["--force"])
                            // As often as some were answered, so that most are, however fast the machine is.
                            let before = counts.answered.load(ordering: .relaxed)
                            try? await eventually("more are answered") {
                                Task.isCancelled || counts.answered.load(ordering: .relaxed) >= before + 50
                            }
                        }
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for worker in 0..<8 {
                            group.addTask {
                                try await Self.hammer(everybody, counts, seed: UInt64(worker), service.log)
                            }
                        }
                        try await group.waitForAll()
                    }
                    killing.cancel()
                    _ = await killing.result
                    let answered = counts.answered.load(ordering: .relaxed)
                    #expect(answered > Self.requests / 2)
                    print("\(Self.requests) requests of \(slugs.count) tenants, \(answered) answered")
                }
            }
        }
    }

    /// Somebody of a tenant, and a plan of its catalogue.
    private typealias Person = (slug: String, user: TestUser, plan: Int64)

    private final class Counts: Sendable {
        let left: Atomic<Int>
        let answered = Atomic(0)
        init(left: Int) { self.left = Atomic(left) }
    }

    /// Sends requests of people at random until there were enough.
    private static func hammer(
        _ everybody: [Person], _ counts: Counts, seed: UInt64, _ log: RecordedLog
    ) async throws {
        var random = SeededGenerator(seed: seed)
        while counts.left.subtract(1, ordering: .relaxed).newValue >= 0 {
            guard let (slug, user, plan) = everybody.randomElement(using: &random) else { return }
            let answer =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: try await user.client.response(to: ListPlans(country: "US"))
                case 1: try await user.client.response(to: ListProviders(country: "US"))
                case 2:
                    try await user.client.response(to: CreateSubscription(planId: plan, note: "note of \(slug)"))
                case 3: try await user.client.response(to: ListSubscriptions(limit: 3))
                default: try await user.client.response(to: GetServerInfo())
                }
            let strange = everybody.map(\.slug).filter { $0 != slug && answer.text.contains($0) }
            #expect(strange.isEmpty, "\(slug) got \(answer.text)")
            if answer.status < 300 {
                #expect(answer.text.contains(slug) || answer.text.contains("\"subscriptions\":[]"))
                counts.answered.add(1, ordering: .relaxed)
            } else {
                #expect(answer.status == 503, "\(answer.text); it logged \(log.lines.suffix(3))")
            }
            // Another tenant's token is no token.
            guard let other = everybody.randomElement(using: &random), other.slug != slug,
                Int.random(in: 0..<10, using: &random) == 0
            else { continue }
            var thief = user.client
            thief.token = other.user.client.token
            let refused = try await thief.response(to: GetMe())
            #expect(refused.status == 401 || refused.status == 503, "\(refused.text)")
        }
    }

    @Test(
        "Names of tenants that are none, and SQL in them, find nothing and do nothing",
        arguments: [
            "'", "\"", "`", "a'--", "default' OR '1'='1", "default\\", "default%00", "%2e%2e", "..%2f", "DEFAULT",
            "default ",
            "%EF%BD%84efault", "mysql", "information_schema", "default;DROP%20DATABASE%20x", "a_b", "%25", "*",
        ])
    func fuzz(_ slug: String) async throws {
        try await TestService.run { service in
            let encoded =
                slug.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["%", ".", "_", "-"])) ?? ""
            for path in ["/t/\(encoded)/v1", "/t/\(encoded)/v1/plans?country=US"] {
                let answer = try await RawHTTP.send("GET", path, port: service.port)
                #expect(answer.status == 404 || answer.status == 400, "\(path): \(answer.status)")
            }
            for host in ["\(encoded).example", "default'--", "x\" OR 1=1"] {
                let answer = try await RawHTTP.send("GET", "/v1", port: service.port, host: host)
                // A host that is no tenant's is the default's; one that is no host is refused.
                #expect(answer.status == 200 || answer.status == 400, "\(host): \(answer.status)")
            }
        }
    }
}
