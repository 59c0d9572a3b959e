import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@Suite("All faults of one input at once")
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
                (
                    "POST", "/v1/devices", #"{"id":5,"name":null,"timezone":"UTC"}"#,
                    ["timezone unknown", "id malformed", "name malformed"]
                ),
                (
                    "POST", "/v1/devices",
                    #"{"id":"00000000-0000-0000-0000-000000000000","name":" ","timeZone":"Moon/Crater"}"#,
                    ["name range", "timeZone missing", "id malformed"]
                ),
                (
                    "PATCH", "/v1/me", #"{"userName":"a\u0007","country":null,"timeZone":"Moon/Crater"}"#,
                    ["userName malformed", "country required", "timeZone missing"]
                ),
                (
                    "POST", "/v1/subscriptions",
                    #"{"planId":\#(plan),"startDate":"1960-01-01","reminderDays":400,"label":"a\u0007","note":"\u0000"}"#,
                    ["startDate range", "label malformed", "note malformed", "reminderDays range"]
                ),
                (
                    "POST", "/v1/subscriptions",
                    #"{"plan":{"provider":"","name":"","fee":"1.00","currency":"USD","duration":{"value":0,"unit":"day"},"trialDays":0},"reminderDays":-1}"#,
                    [
                        "plan.provider range", "plan.name range", "plan.duration.value range", "plan.trialDays range",
                        "reminderDays range",
                    ]
                ),
                (
                    "PATCH", "/v1/subscriptions/\(made.id)",
                    #"{"autoRenew":null,"fee":"1.999","reminderDays":400,"startDate":"2026-01-31","nextRenewal":"2026-02-28"}"#,
                    ["autoRenew required", "fee range", "reminderDays range", "nextRenewal conflict"]
                ),
                (
                    "PATCH", "/v1/subscriptions/\(own.id)",
                    #"{"plan":{"provider":" ","currency":null,"noticeDays":5000,"duration":{"value":0,"unit":"day"}}}"#,
                    [
                        "plan.currency required", "plan.provider range", "plan.duration.value range",
                        "plan.noticeDays range",
                    ]
                ),
                ("GET", "/v1/subscriptions?limit=x&status=y", "", ["status malformed", "limit malformed"]),
            ] as [(String, String, String, [String])] {
                let answer = try await ada.client.send(method, path, body: json.isEmpty ? nil : Data(json.utf8))
                #expect(try faults(answer) == expected, "\(method) \(path) \(json)")
            }
            #expect(try await ada.call(ListSubscriptions()).subscriptions.map(\.version).max() == own.version)
        }
    }
}
