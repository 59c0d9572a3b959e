import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Taking one's data along, and leaving", .tags(.everyDay), .ownTime)
struct OwnDataTests {
    @Test("An export has all that is the user's and nothing of anybody else's")
    func export() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let eve = try await service.newUser()
            try await eve.call(CreateSubscription(planId: plan, label: "Eve's"))
            let ada = try await service.newUser()
            let email = service.newEmail()
            let kept = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-05"), label: "Ada's"))
            let renewed = try await ada.call(RenewSubscription(id: kept.id))
            let own = try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Off-peak", fee: amount("19.90"), currency: "EUR",
                        duration: .init(value: 1, unit: .month)), autoRenew: true))
            try await ada.register(email)
            let all = try await ada.call(ExportMe())
            #expect(all.user == (try await ada.call(GetMe())) && all.exportedAt == service.clock.now)
            #expect(all.sessions.map(\.device) == [ada.device] && all.sessions.map(\.current) == [true])
            let entry = try #require(all.subscriptions.first { $0.subscription.id == kept.id })
            #expect(all.subscriptions.count == 2 && entry.subscription == renewed)
            #expect(entry.periods.map(\.number) == [0] && entry.periods.map(\.fee) == [amount("17.99")])
            #expect(
                all.plans.map(\.plan) == [own.plan] && all.plans.map { $0.prices.map(\.fee) } == [[amount("19.90")]])
            // What renews by itself has done so.
            service.clock.set("2026-04-15")
            let later = try await ada.call(ExportMe())
            #expect(later.subscriptions.first { $0.subscription.id == own.id }?.periods.count == 2)
            // What was deleted is still kept, and so it is told, until nobody can restore it.
            try await ada.call(DeleteSubscription(id: kept.id))
            let deleted = try await ada.call(ExportMe())
            #expect(deleted.subscriptions.map(\.subscription.id) == [own.id])
            #expect(deleted.deleted.map(\.subscription.id) == [kept.id])
            #expect(deleted.deleted.map { $0.periods.map(\.number) } == [[0]])
            let empty = try await service.newUser().call(ExportMe())
            #expect(empty.subscriptions.isEmpty && empty.plans.isEmpty)
        }
    }

    @Test("A user is deleted with everything, by the password where there is an account; all devices are told")
    func delete() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let before = try await service.rowCounts()
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let tablet = try await service.signIn("ada@example.org")
            try await ada.call(CreateSubscription(planId: plan), headers: [("Idempotency-Key", "one")])
            try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Off-peak", fee: amount("19.90"), currency: "EUR",
                        duration: .init(value: 1, unit: .month))))
            expectRefused(try await ada.refusal(of: DeleteMe()), "currentPassword", .required)
            #expect(try await ada.refusal(of: DeleteMe(currentPassword: "not that one")).code == .credentialsInvalid)
            try await ada.call(DeleteMe(currentPassword: goodPassword))
            for device in [ada, tablet] {
                let problem = try await device.refusal(of: GetMe())
                #expect(problem.status == 401 && problem.code == .userDeleted)
            }
            let signIn = try await service.client.refusal(
                of: CreateSession(email: "ada@example.org", password: goodPassword))
            #expect(signIn.code == .credentialsInvalid)
            var after = try await service.rowCounts()
            // What is left says that something was here, and not what.
            for table in ["Scope", "Tombstone", "Ended_session"] {
                #expect(after[table] ?? 0 > before[table] ?? 0)
                after[table] = before[table]
            }
            #expect(after == before)
            try await service.newUser().register("ada@example.org")

            let nobody = try await service.newUser()
            try await nobody.call(DeleteMe())
            #expect(try await nobody.refusal(of: GetMe()).code == .userDeleted)
        }
    }

    @Test("The password of a deletion goes in the body, as bytes on the wire; one in the address deletes nothing")
    func deleteRaw() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let headers = ["Authorization: Bearer \(ada.client.token ?? "")"]
            let inAddress = try await RawHTTP.send(
                "DELETE", "/v1/me?currentPassword=correct%20horse%20battery", port: service.port, headers: headers)
            #expect(inAddress.status == 400 && inAddress.text.contains("goes in the body"), "\(inAddress.text)")
            #expect(!inAddress.text.contains("horse"))
            let wrong = try await RawHTTP.send(
                "DELETE", "/v1/me", port: service.port, headers: headers,
                body: Array(#"{"currentPassword":"not that one"}"#.utf8))
            #expect(wrong.status == 401 && wrong.text.contains("credentials_invalid"), "\(wrong.text)")
            #expect(try await ada.call(GetMe()).id == ada.user.id)
            let done = try await RawHTTP.send(
                "DELETE", "/v1/me", port: service.port, headers: headers,
                body: Array(#"{"currentPassword":"\#(goodPassword)"}"#.utf8))
            #expect(done.status == 204 && done.body.isEmpty, "\(done.text)")
            #expect(try await ada.refusal(of: GetMe()).code == .userDeleted)
        }
    }

    @Test("A replica that still remembers a session of a deleted user writes nothing for it, and says why")
    func deletedElsewhere() async throws {
        try await TestService.run { service in
            try await service.runReplica { (replica: TestService) async throws in
                let plan = try await service.addPlan()
                let ada = try await service.newUser()
                let elsewhere = replica.client(try #require(ada.client.token))
                #expect(try await elsewhere.call(GetMe()).id == ada.user.id)
                try await ada.call(DeleteMe())
                for operation in [
                    CreateSubscription(planId: plan),
                    CreateSubscription(
                        plan: PrivatePlan(
                            provider: "Gym", name: "x", fee: amount("1"), currency: "EUR",
                            duration: .init(value: 1, unit: .month))),
                ] {
                    let problem = try await elsewhere.refusal(of: operation)
                    #expect(problem.status == 401 && problem.code == .userDeleted)
                }
            }
        }
    }
}
