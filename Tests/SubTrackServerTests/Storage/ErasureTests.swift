import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A user of any size is gone at once, and the rows follow.
@Suite("Users are deleted at once, and their rows in batches", .ownTime)
struct ErasureTests {
    /// More than one transaction removes.
    private static let much = StoredAmount(
        subscriptions: 150, periods: 20, plans: 150, deleted: 50, answers: 1200)

    private let erasure = UserErasure(users: UserDataRegistry(SubTrackService.areas()))

    private func counts(_ service: TestService) async throws -> [String: Int] {
        var counts = try await service.rowCounts()
        // What is left says that something was here, and not what.
        // Mails to an address that an administrator removes expire by themselves.
        for table in ["Scope", "Tombstone", "Ended_session", "Mail"] { counts[table] = nil }
        return counts
    }

    @Test("Gone for everybody from the answer on: devices, addresses, replicas; others have what they had")
    func atOnce() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let eve = try await service.newUser()
            try await eve.call(CreateSubscription(planId: plan, note: "Eve's"))
            let before = try await counts(service)
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let tablet = try await service.signIn("ada@example.org")
            try await service.fill(ada.user.id, Self.much, plan: plan)
            try await service.runReplica { (replica: TestService) async throws in
                let elsewhere = TestUser(
                    user: ada.user, device: ada.device, client: replica.client(ada.client.token ?? ""))
                let seen = try await elsewhere.call(ListSubscriptions(limit: 200)).subscriptions
                let own = try #require(try await elsewhere.call(ListPlans(provider: "Gym")).plans.first)
                #expect(seen.count == 150)
                try await ada.call(DeleteMe(currentPassword: goodPassword))
                #expect(try await service.number("SELECT COUNT(*) FROM Erasure") == 1)
                #expect(try await service.number("SELECT COUNT(*) FROM Subscription_period") > 1000)
                for device in [ada, tablet] {
                    for problem in [
                        try await device.refusal(of: GetMe()), try await device.refusal(of: PullChanges()),
                        try await device.refusal(of: ListSubscriptions()),
                    ] {
                        #expect(problem.status == 401 && problem.code == .userDeleted)
                    }
                }
                // A replica remembers sessions for seconds, and still shows nothing and takes nothing.
                do {
                    #expect(try await elsewhere.call(ListSubscriptions()).subscriptions.isEmpty)
                } catch let problem as Problem {
                    #expect(problem.code == .userDeleted)
                }
                let one = try await elsewhere.refusal(of: GetSubscription(id: seen[0].id))
                #expect([.notFound, .userDeleted].contains(one.code))
                for problem in [
                    try await elsewhere.refusal(of: GetMe()), try await elsewhere.refusal(of: PullChanges()),
                    try await elsewhere.refusal(of: ExportMe()),
                    try await elsewhere.refusal(of: CreateSubscription(planId: plan)),
                    try await elsewhere.refusal(of: CreateSubscription(planId: own.id)),
                    try await elsewhere.refusal(of: UpdateMe(userName: .set("Ghost"))),
                    try await elsewhere.refusal(of: RestoreSubscription(id: seen[0].id)),
                    try await elsewhere.refusal(
                        of: PushChanges(mutations: [
                            .init(entity: .subscription, id: seen[0].id.uuidString, op: .delete)
                        ])),
                ] {
                    #expect(problem.status == 401 && problem.code == .userDeleted, "\(problem)")
                }
            }
            let wrong = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(wrong.code == .credentialsInvalid)
            // The address is somebody else's to take, while the rows are still there.
            let next = try await service.newUser()
            try await next.register("ada@example.org")
            #expect(try await next.call(ListSubscriptions()).subscriptions.isEmpty)
            try await service.withTenant { tenant in while try await erasure.step(tenant) {} }
            #expect(try await eve.call(ListSubscriptions()).subscriptions.map(\.note) == ["Eve's"])
            #expect(try await next.call(GetMe()).accounts.count == 1)
            try await next.call(DeleteMe(currentPassword: goodPassword))
            #expect(try await counts(service) == before)
            #expect(
                try await service.number(
                    "SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = \(hex(ada.user.id))") == 1)
        }
    }

    @Test("A plan is removed by what is its own, however many providers the user's other plans have")
    func manyProviders() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            // For the collation of Plan.Provider any two of these are one.
            let reads = try await service.number(
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Fee_since, Duration_value, Duration_unit,
                                  Country_ID, Owner_ID)
                SELECT CONVERT(UNHEX(HEX(0xF09F9880 + seq MOD 64 + 256 * (seq DIV 64))) USING utf8mb4), 'p', 10, 'USD',
                    '2020-01-01', 1, 'month', 'US', \(hex(ada.user.id)) FROM seq_0_to_999;
                FLUSH STATUS;
                DELETE FROM Plan WHERE Owner_ID = \(hex(ada.user.id)) LIMIT 100;
                SELECT CAST(SUM(VARIABLE_VALUE) AS INT) FROM information_schema.SESSION_STATUS
                WHERE VARIABLE_NAME LIKE 'Handler_read%'
                """)
            #expect(try await service.number("SELECT COUNT(*) FROM Private_provider") == 900)
            // Some for each plan, and not as many as there are plans.
            #expect(reads < 100 * 50, "\(reads)")
        }
    }

    @Test("The job goes on where it was cut off, also beside another one, and one user's trouble is nobody else's")
    func job() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let before = try await counts(service)
            let users = [try await service.newUser(), try await service.newUser()]
            for user in users {
                try await service.fill(user.user.id, Self.much, plan: plan)
                try await user.call(DeleteMe())
            }
            try await service.withTenant { tenant in
                // Each transaction leaves less, and nothing half done.
                var left = try await service.number("SELECT COUNT(*) FROM Subscription_period")
                for _ in 0..<2 {
                    _ = try await erasure.removeSome(of: UserID(uuid: users[0].user.id), in: tenant, turns: 1)
                    let now = try await service.number("SELECT COUNT(*) FROM Subscription_period")
                    #expect(now < left)
                    left = now
                    #expect(try await service.number("SELECT COUNT(*) FROM Subscription_period WHERE Ver = 0") == 0)
                }
                // Something of one user's cannot be removed: the other one goes all the same.
                _ = try await service.database.run(
                    """
                    DELIMITER //
                    CREATE TRIGGER Stuck BEFORE DELETE ON Idempotency FOR EACH ROW
                    IF OLD.User_ID = \(hex(users[0].user.id)) THEN SIGNAL SQLSTATE '45000'; END IF//
                    DELIMITER ;
                    """)
                for _ in 0..<3 { _ = try? await erasure.step(tenant) }
                #expect(try await service.number("SELECT COUNT(*) FROM Erasure") == 1)
                _ = try await service.database.run("DROP TRIGGER Stuck")
                // Two at the same time, as when a lease has run out.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { while try await erasure.step(tenant) {} } }
                    try await group.waitForAll()
                }
            }
            #expect(try await counts(service) == before)
        }
    }

    @Test("The service's own jobs do it, without anybody asking")
    func runs() async throws {
        try await TestService.runAlone(configure: { $0.jobInterval = .milliseconds(20) }) { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            try await service.fill(ada.user.id, Self.much, plan: plan)
            try await ada.call(DeleteMe())
            try await eventually("nothing is left") {
                try await service.number("SELECT COUNT(*) FROM `User` WHERE User_ID = \(hex(ada.user.id))") == 0
            }
            #expect(try await service.number("SELECT COUNT(*) FROM Subscription") == 0)
        }
    }

    @Test("By SQL: a row of Erasure deletes a user of any size, and DELETE FROM User goes on to work, also half-way")
    func bySQL() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let before = try await counts(service)
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            try await ada.register("ada@example.org")
            for user in [ada, bob] {
                try await service.fill(
                    user.user.id, .init(subscriptions: 5, periods: 3, plans: 2, deleted: 1, answers: 3), plan: plan)
            }
            _ = try await service.database.run("INSERT INTO Erasure (User_ID) VALUES (\(hex(ada.user.id)))")
            _ = try await service.database.run("DELETE FROM `User` WHERE User_ID = \(hex(bob.user.id))")
            try await service.runReplica { (replica: TestService) async throws in
                for user in [ada, bob] {
                    let problem = try await replica.client(user.client.token ?? "").refusal(of: GetMe())
                    #expect(problem.code == .userDeleted)
                }
            }
            #expect(try await service.number("SELECT COUNT(*) FROM Account") == 0)
            _ = try await service.database.run("DELETE FROM `User` WHERE User_ID = \(hex(ada.user.id))")
            #expect(try await counts(service) == before)
        }
    }

    @Test("A deleted subscription with a long history is removed in several transactions")
    func longHistory() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let daily = try await service.addPlan(duration: "1 day")
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateSubscription(planId: daily, startDate: day("2022-06-01"), autoRenew: true))
            #expect(made.period > UserErasure.batch)
            try await ada.call(DeleteSubscription(id: made.id))
            _ = try await service.database.run(
                "UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 31 DAY")
            try await service.withTenant { tenant in
                let first = try await tenant.write(scope: UserID(uuid: ada.user.id)) { connection in
                    try await SubscriptionUpkeep.removeDeleted(
                        made.id, of: UserID(uuid: ada.user.id), on: connection)
                }
                #expect(!first)
                #expect(
                    try await service.number("SELECT COUNT(*) FROM Subscription_period")
                        == made.period - UserErasure.batch)
                while try await SubscriptionUpkeep.removeDeleted(tenant) {}
            }
            #expect(try await service.number("SELECT COUNT(*) FROM Subscription") == 0)
            #expect(try await service.number("SELECT COUNT(*) FROM Subscription_period") == 0)
        }
    }
}
