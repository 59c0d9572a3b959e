import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Renewing, cancelling, resuming, deleting", .tags(.otherServers, .everyDay), .ownTime)
struct RenewalTests {
    @Test("Renewing a named period twice renews once")
    func renewOnce() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let first = try await ada.call(RenewSubscription(id: made.id, period: 0))
            let second = try await ada.call(RenewSubscription(id: made.id, period: 0))
            #expect(first.period == 1 && second == first)
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.count == 2)
            expectRefused(try await ada.refusal(of: RenewSubscription(id: made.id, period: 2)), "period", .range)
        }
    }

    @Test("Ten at once that name the same period renew once")
    func renewAtOnce() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let periods = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await ada.call(RenewSubscription(id: made.id, period: 0)).period }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(periods == [Int](repeating: 1, count: 10))
        }
    }

    @Test("A cancelled one runs out at its end, cannot be renewed, and begins anew when resumed")
    func cancelAndResume() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let cancelled = try await ada.call(CancelSubscription(id: made.id))
            #expect(cancelled.status == .cancelled && cancelled.next == nil && cancelled.endDate == made.endDate)
            let again = try await ada.call(CancelSubscription(id: made.id))
            #expect(again == cancelled, "cancelling twice changes nothing")
            let problem = try await ada.refusal(of: RenewSubscription(id: made.id))
            #expect(problem.status == 409 && problem.code == .statusConflict)

            service.clock.set("2026-02-28")
            #expect(try await ada.call(GetSubscription(id: made.id)).status == .cancelled, "on its last day")
            service.clock.set("2026-03-01")
            let ended = try await ada.call(GetSubscription(id: made.id))
            #expect(ended.status == .ended && ended.remaining == -1)

            let resumed = try await ada.call(ResumeSubscription(id: made.id))
            #expect(resumed.status == .active && resumed.startDate == day("2026-03-01") && resumed.period == 1)
            #expect(resumed.next?.on == day("2026-04-01"))
            #expect(try await ada.call(ResumeSubscription(id: made.id)) == resumed)
            #expect(try await ada.call(RenewSubscription(id: made.id)).endDate == day("2026-05-01"))
        }
    }

    @Test("A deleted one is gone: 404, in no list, and its id is not free for anybody")
    func delete() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let plan = try await service.addPlan()
            let kept = try await ada.call(CreateSubscription(planId: plan))
            let made = try await ada.call(CreateSubscription(planId: plan))
            try await ada.call(DeleteSubscription(id: made.id))
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            for problem in [
                try await ada.refusal(of: GetSubscription(id: made.id)),
                try await ada.refusal(of: DeleteSubscription(id: made.id)),
                try await ada.refusal(of: UpdateSubscription(id: made.id, label: .set("x"))),
                try await ada.refusal(of: RenewSubscription(id: made.id)),
                try await ada.refusal(of: CancelSubscription(id: made.id)),
                try await ada.refusal(of: ResumeSubscription(id: made.id)),
                try await ada.refusal(of: ListPeriods(id: made.id)),
            ] {
                #expect(problem.status == 404 && problem.code == .notFound)
            }
            for user in [ada, bob] {
                let problem = try await user.refusal(of: CreateSubscription(id: made.id, planId: plan))
                #expect(problem.status == 409 && problem.code == .idTaken)
            }
            #expect(try await ada.call(GetDashboard(within: 100)).upcoming.map(\.id) == [kept.id])
        }
    }

    @Test("An id of the client's is used, given in lower case, and taken once")
    func ownID() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let plan = try await service.addPlan()
            let id = UUID()
            let json = "{\"id\":\"\(id.uuidString)\",\"planId\":\(plan)}"
            let made = try await ada.client.send("POST", "/v1/subscriptions", json: json)
            #expect(made.status == 201)
            #expect(try made.object()["id"] as? String == id.uuidString.lowercased())
            for user in [ada, bob] {
                let again = try await user.client.send("POST", "/v1/subscriptions", json: json)
                #expect(try again.problem().code == .idTaken)
                #expect(!again.text.contains("SubTrack") && !again.text.lowercased().contains("duplicate"))
            }
            #expect(try await bob.call(ListSubscriptions()).subscriptions.isEmpty)
        }
    }

    @Test("Ten at once with one id of the client's: one is added, nine are told that it is taken")
    func ownIDAtOnce() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let (subscription, device) = (UUID(), UUID())
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        [
                            try await ada.client.response(to: CreateSubscription(id: subscription, planId: plan))
                                .status,
                            try await service.client.response(to: RegisterDevice(id: device, name: "x")).status,
                        ]
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for index in 0...1 {
                #expect(statuses.map { $0[index] }.sorted() == [201] + [Int](repeating: 409, count: 9))
            }
        }
    }

    @Test("Ids that the service makes are version 7 and sort by time")
    func serviceIDs() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let early = try await ada.call(CreateSubscription(planId: plan)).id
            service.clock.advance(days: 1)
            let late = try await ada.call(CreateSubscription(planId: plan)).id
            for id in [early, late] {
                let text = Array(id.uuidString.lowercased())
                #expect(text[14] == "7" && "89ab".contains(text[19]))
            }
            #expect(early.uuidString < late.uuidString)
        }
    }

    @Test("A plan that was withdrawn stays valid for who has it")
    func withdrawnPlan() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            try await service.database.run("UPDATE Plan SET Withdrawn_on = '2026-02-01' WHERE Plan_ID = \(plan)")
            #expect(try await ada.call(GetSubscription(id: made.id)).plan.withdrawn == false)
            service.clock.set("2026-02-28")
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            #expect(renewed.plan.withdrawn && renewed.endDate == day("2026-03-31"))
            let refused = try await service.database.runFailing("DELETE FROM Plan WHERE Plan_ID = \(plan)")
            #expect(refused.contains("Plan.Plan_ID: it is in use"))
        }
    }

    @Test("A row that an admin renews by SQL is renewed for its user")
    func adminRenewal() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31")))
            let hex = made.id.uuidString.replacing("-", with: "")
            try await service.database.run(
                "UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = UNHEX('\(hex)')")
            let renewed = try await ada.call(GetSubscription(id: made.id))
            #expect(renewed.startDate == day("2026-02-28") && renewed.endDate == day("2026-03-31"))
            #expect(renewed.period == 1 && renewed.version > made.version)
        }
    }
}
