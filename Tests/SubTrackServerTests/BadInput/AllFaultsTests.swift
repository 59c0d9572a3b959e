import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("All faults of one input at once", .ownTime)
struct AllFaultsTests {
    /// What is wrong with which fields, in their order.
    private func faults(_ answer: APIResponse) throws -> [String] {
        let problem = try answer.problem()
        #expect(answer.status == 400 && problem.code == .inputInvalid, "\(answer.text)")
        return (problem.errors ?? []).map { "\($0.field) \($0.code)" }
    }

    @Test("What cannot be read, and what can be read and makes no sense")
    func inputs() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let own = try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "x", fee: amount("1.00"), currency: "USD",
                        duration: .init(value: 1, unit: .month))))
            for (method, path, json, expected) in [
                // What cannot be read, or breaks a rule of its field.
                (
                    "POST", "/v1/devices", #"{"id":5,"name":null,"timezone":"UTC","country":"usa"}"#,
                    ["timezone unknown", "id malformed", "name malformed", "country malformed"]
                ),
                (
                    "PATCH", "/v1/me", #"{"userName":7,"country":null,"timeZone":null}"#,
                    ["userName malformed", "country required", "timeZone required"]
                ),
                (
                    "POST", "/v1/subscriptions",
                    #"{"plan":{"provider":"","name":1,"fee":"-1","currency":"usd","duration":{"value":1,"unit":"eon"}},"reminderDays":-1}"#,
                    [
                        "plan.name malformed", "plan.duration.unit malformed", "plan.provider range",
                        "plan.fee range", "plan.currency malformed", "reminderDays range",
                    ]
                ),
                (
                    "PATCH", "/v1/subscriptions/\(own.id)",
                    #"{"autoRenew":null,"reminderDays":400,"plan":{"provider":"","currency":null,"noticeDays":5000}}"#,
                    [
                        "plan.provider range", "plan.currency required", "plan.noticeDays range", "autoRenew required",
                        "reminderDays range",
                    ]
                ),
                ("GET", "/v1/subscriptions?limit=0&status=y", "", ["status malformed", "limit range"]),
                // What can be read and makes no sense.
                (
                    "POST", "/v1/devices",
                    #"{"id":"00000000-0000-0000-0000-000000000000","name":" ","timeZone":"Moon/Crater"}"#,
                    ["name range", "timeZone missing", "id malformed"]
                ),
                (
                    "PATCH", "/v1/me", #"{"userName":"a\u0007","timeZone":"Moon/Crater"}"#,
                    ["userName malformed", "timeZone missing"]
                ),
                (
                    "POST", "/v1/subscriptions",
                    #"{"planId":\#(plan),"startDate":"1960-01-01","label":"a\u0007","note":"\u0000"}"#,
                    ["startDate range", "label malformed", "note malformed"]
                ),
                (
                    "PATCH", "/v1/subscriptions/\(made.id)",
                    #"{"fee":"1.999","label":"\u0007","startDate":"2026-01-31","nextRenewal":"2026-02-28"}"#,
                    ["fee range", "label malformed", "nextRenewal conflict"]
                ),
                (
                    "PATCH", "/v1/subscriptions/\(own.id)",
                    #"{"plan":{"provider":" ","name":"\u0007"}}"#,
                    ["plan.provider range", "plan.name malformed"]
                ),
            ] as [(String, String, String, [String])] {
                let answer = try await ada.client.send(method, path, body: json.isEmpty ? nil : Data(json.utf8))
                #expect(try faults(answer) == expected, "\(method) \(path) \(json)")
            }
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.version).max() == own.version)
        }
    }
}
