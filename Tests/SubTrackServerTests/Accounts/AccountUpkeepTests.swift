import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("What is left of people who are not coming back", .ownTime)
struct AccountUpkeepTests {
    @Test("Users without account and data go after 30 days without use; nobody else does, and their devices are told")
    func idleUsers() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let idle = try await service.newUser()
            let young = try await service.newUser()
            let busy = try await service.newUser()
            let keeper = try await service.newUser()
            try await keeper.call(CreateSubscription(planId: plan))
            let deleter = try await service.newUser()
            let gone = try await deleter.call(CreateSubscription(planId: plan))
            try await deleter.call(DeleteSubscription(id: gone.id))
            let friendly = try await service.newUser()
            try await friendly.call(CreateContact(firstName: "Bob", lastName: "Young"))
            let former = try await service.newUser()
            let friend = try await former.call(CreateContact(firstName: "Bob", lastName: "Young"))
            try await former.call(DeleteContact(id: friend.id))
            let member = try await service.newUser()
            try await member.register("ada@example.org")
            func ids(_ users: [TestUser]) -> String {
                users.map { "0x" + $0.user.id.uuidString.replacing("-", with: "") }.joined(separator: ", ")
            }
            // The trigger keeps the time of a user's making: an admin who wants another one has to take it away.
            try await service.database.run(
                """
                DROP TRIGGER User_before_update;
                UPDATE `User` SET Created_at = UTC_TIMESTAMP() - INTERVAL 31 DAY
                WHERE User_ID IN (\(ids([idle, busy, keeper, deleter, friendly, former, member])));
                UPDATE Session s JOIN Device d ON d.Device_ID = s.Device_ID
                SET s.Last_used_at = UTC_TIMESTAMP() - INTERVAL 31 DAY
                WHERE d.User_ID IN (\(ids([idle, young, keeper, deleter, friendly, former, member])))
                """)
            try await upkeep(service)
            try await service.runReplica { (replica: TestService) async throws in
                for user in [young, busy, keeper, deleter, friendly, former, member] {
                    #expect(try await replica.client(user.client.token ?? "").call(GetMe()).id == user.user.id)
                }
                let problem = try await replica.client(idle.client.token ?? "").refusal(of: GetMe())
                #expect(problem.code == .tokenEnded, "nobody asked for it: the device keeps what it has")
            }
            #expect(try await service.database.run("SELECT COUNT(*) FROM `User`") == "7\n")
            #expect(try await friendly.call(ListContacts()).contacts.count == 1)
            #expect(try await former.call(RestoreContact(id: friend.id)).lastName == "Young")
        }
    }

    /// Makes all users of a service look as if they had not been here for a month.
    private func makeIdle(_ service: TestService) async throws {
        try await service.database.run(
            """
            DROP TRIGGER IF EXISTS User_before_update;
            UPDATE `User` SET Created_at = UTC_TIMESTAMP() - INTERVAL 31 DAY;
            UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 31 DAY
            """)
    }

    @Test("A push that meets the removal of its user hears that the session has ended: its device keeps what it has")
    func pushMeetsRemoval() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            @Sendable func create() -> PushChanges {
                PushChanges(mutations: [
                    .init(
                        entity: .subscription, id: UUID().uuidString, op: .create, fields: ["planId": .integer(plan)])
                ])
            }
            let idle = try await service.newUser()
            // The session is remembered from here on.
            _ = try await idle.call(GetMe())
            try await makeIdle(service)
            try await upkeep(service)
            #expect(try await idle.refusal(of: create()).code == .tokenEnded)
            #expect(try await idle.refusal(of: GetMe()).code == .tokenEnded)
            // At the same time: it is kept, or its device is told to begin again.
            var users: [TestUser] = []
            for _ in 0..<12 { users.append(try await service.newUser()) }
            for user in users { _ = try await user.call(GetMe()) }
            try await makeIdle(service)
            let kept = try await withThrowingTaskGroup(of: Bool?.self) { group in
                group.addTask {
                    try await upkeep(service)
                    return nil
                }
                for user in users {
                    group.addTask {
                        let response = try await user.client.response(to: create())
                        guard response.status != 200 else {
                            let results = try response.decode(PushChanges.Output.self).results
                            #expect(results.map(\.outcome) == [.applied])
                            return true
                        }
                        #expect(try response.problem().code == .tokenEnded)
                        return false
                    }
                }
                return try await group.reduce(into: [Bool]()) { if let isKept = $1 { $0.append(isKept) } }
            }
            let stored = try await service.database.run("SELECT COUNT(*) FROM Subscription")
            #expect(stored == "\(kept.count { $0 })\n")
        }
    }

    @Test("Sessions end after 400 days without use, and all that is too old to matter is removed; the rest stays")
    func old() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let nobody = try await service.newUser()
            let out = try await service.signIn("ada@example.org").call(EndSession())
            try await service.client.call(ForgotPassword(email: "ada@example.org"))
            try await service.database.run(
                """
                INSERT INTO Mail_secret VALUES (REPEAT('a', 32), 'reset', 'ada@example.org', UTC_TIMESTAMP() - INTERVAL 1 SECOND),
                                               (REPEAT('b', 32), 'reset', 'ada@example.org', UTC_TIMESTAMP() + INTERVAL 1 HOUR);
                UPDATE Mail SET Expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE Kind = 'reset';
                UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 401 DAY;
                INSERT INTO Ended_session (Token_hash, Ended_at) VALUES (REPEAT('a', 32), UTC_TIMESTAMP() - INTERVAL 401 DAY)
                """)
            try await service.database.run(
                "INSERT INTO Subscription (User_ID, Plan_ID, Start_date) SELECT User_ID, \(service.addPlan()), '2026-01-01' FROM `User`"
            )
            try await upkeep(service)
            let left = try await service.database.run(
                """
                SELECT COUNT(*) FROM Session; SELECT COUNT(*) FROM Ended_session; SELECT GROUP_CONCAT(Kind ORDER BY Kind) FROM Mail;
                SELECT COUNT(*) FROM Mail_secret
                """)
            // Those of nobody and of the signed-out device stay; Ada's has ended, as has the one that was signed out.
            #expect(left == "2\n2\nnew_device,verify\n1\n")
            try await service.runReplica { (replica: TestService) async throws in
                #expect(try await replica.client(ada.client.token ?? "").refusal(of: GetMe()).code == .tokenEnded)
                #expect(try await replica.client(nobody.client.token ?? "").call(GetMe()).id == nobody.user.id)
                #expect(try await replica.client(out.token).call(GetMe()).id == out.user.id)
            }
        }
    }

    @Test("The service does it by itself, beside its other jobs")
    func job() async throws {
        try await TestService.runAlone { service in
            try await service.database.run(
                "INSERT INTO Mail_secret VALUES (REPEAT('a', 32), 'reset', 'ada@example.org', UTC_TIMESTAMP() - INTERVAL 1 SECOND)"
            )
            let idle = try await service.newUser()
            try await service.database.run(
                """
                DROP TRIGGER User_before_update;
                UPDATE `User` SET Created_at = UTC_TIMESTAMP() - INTERVAL 31 DAY;
                UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 31 DAY
                """)
            try await service.runReplica(configure: { $0.jobInterval = .milliseconds(20) }) {
                (replica: TestService) async throws in
                try await eventually("what is due is gone") {
                    try await service.database.run("SELECT COUNT(*) FROM `User`; SELECT COUNT(*) FROM Mail_secret")
                        == "0\n0\n"
                }
                #expect(try await replica.client(idle.client.token ?? "").refusal(of: GetMe()).code == .tokenEnded)
            }
        }
    }

    private func upkeep(_ service: TestService) async throws {
        let upkeep = AccountUpkeep(users: UserDataRegistry(SubTrackService.areas()))
        try await service.withTenant { tenant in while try await upkeep.step(tenant) {} }
    }
}
