import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// What must not show in an answer: nothing of the inside is the caller's business.
private let inside = [
    "select ", "insert ", "update ", "sqlstate", "mariadb", "mysql", ".swift", "/home/", "/tmp/", "errno",
]

/// Expects a refusal of bad input that tells nothing of the inside.
func expectClean(_ answer: APIResponse, status: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation)
{
    #expect(answer.status == status, "\(what.prefix(200)): \(answer.text.prefix(400))", sourceLocation: sourceLocation)
    #expect(
        answer.header("content-type") == "application/problem+json", "\(what.prefix(200))",
        sourceLocation: sourceLocation)
    #expect(
        answer.body.count < 20_000, "\(what.prefix(200)): \(answer.body.count) bytes", sourceLocation: sourceLocation)
    let text = answer.text.lowercased()
    for word in inside {
        #expect(!text.contains(word), "\(what.prefix(200)): \(text.prefix(400))", sourceLocation: sourceLocation)
    }
}

@Suite("Bad values", .ownTime)
struct BadValueTests {
    /// Bodies of a new subscription, `PLAN` standing for a plan that exists, and the field that is at fault.
    private static let subscriptions: [(json: String, field: String)] = [
        // Dates
        (#"{"planId":PLAN,"startDate":"0000-00-00"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"0000-01-01"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"10000-01-01"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"9999-12-31"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"2026-02-30"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"2026-02-29"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"2026-13-01"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"2026-1-1"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"2026-01-31T00:00:00Z"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":" 2026-01-31"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"-2026-01-3"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":"٢٠٢٦-٠١-٣١"}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":""}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":20260131}"#, "startDate"),
        (#"{"planId":PLAN,"startDate":["2026-01-31"]}"#, "startDate"),
        (#"{"planId":PLAN,"nextRenewal":"2026-02-30"}"#, "nextRenewal"),
        (#"{"planId":PLAN,"nextRenewal":"0001-01-01"}"#, "nextRenewal"),
        (#"{"planId":PLAN,"nextRenewal":"9999-12-31"}"#, "nextRenewal"),
        (#"{"planId":PLAN,"startDate":"2026-01-01","nextRenewal":"2026-02-01"}"#, "nextRenewal"),
        // Money
        (#"{"planId":PLAN,"fee":"-1"}"#, "fee"), (#"{"planId":PLAN,"fee":"1.234"}"#, "fee"),
        (#"{"planId":PLAN,"fee":"1e30"}"#, "fee"), (#"{"planId":PLAN,"fee":1e30}"#, "fee"),
        (#"{"planId":PLAN,"fee":17.99}"#, "fee"), (#"{"planId":PLAN,"fee":-1}"#, "fee"),
        (#"{"planId":PLAN,"fee":"1,99"}"#, "fee"), (#"{"planId":PLAN,"fee":"+1"}"#, "fee"),
        (#"{"planId":PLAN,"fee":""}"#, "fee"), (#"{"planId":PLAN,"fee":" 1"}"#, "fee"),
        (#"{"planId":PLAN,"fee":"NaN"}"#, "fee"), (#"{"planId":PLAN,"fee":"0x10"}"#, "fee"),
        (#"{"planId":PLAN,"fee":"1000000000000000000000000000000"}"#, "fee"),
        (#"{"planId":PLAN,"fee":"99999999999.01"}"#, "fee"), (#"{"planId":PLAN,"fee":"1.0000000"}"#, "fee"),
        (#"{"planId":PLAN,"fee":true}"#, "fee"), (#"{"planId":PLAN,"fee":{"amount":"1"}}"#, "fee"),
        // Numbers, words, ids
        (#"{"planId":"PLAN"}"#, "planId"), (#"{"planId":PLAN.0}"#, "planId"), (#"{"planId":1e3}"#, "planId"),
        (#"{"planId":-1}"#, "planId"), (#"{"planId":0}"#, "planId"), (#"{"planId":4294967296}"#, "planId"),
        (#"{"planId":9007199254740992}"#, "planId"), (#"{"planId":true}"#, "planId"), (#"{"planId":[]}"#, "planId"),
        (#"{"planId":PLAN,"autoRenew":"yes"}"#, "autoRenew"), (#"{"planId":PLAN,"autoRenew":1}"#, "autoRenew"),
        (#"{"planId":PLAN,"freeTrial":"true"}"#, "freeTrial"), (#"{"planId":PLAN,"freeTrial":0}"#, "freeTrial"),
        (#"{"planId":PLAN,"reminderDays":-1}"#, "reminderDays"),
        (#"{"planId":PLAN,"reminderDays":366}"#, "reminderDays"),
        (#"{"planId":PLAN,"reminderDays":1.5}"#, "reminderDays"),
        (#"{"planId":PLAN,"reminderDays":"3"}"#, "reminderDays"),
        (#"{"planId":PLAN,"muted":"yes"}"#, "muted"), (#"{"planId":PLAN,"muted":1}"#, "muted"),
        (#"{"planId":PLAN,"id":"not-a-uuid"}"#, "id"), (#"{"planId":PLAN,"id":""}"#, "id"),
        (#"{"planId":PLAN,"id":7}"#, "id"),
        (#"{"planId":PLAN,"id":"00000000-0000-0000-0000-00000000000g"}"#, "id"),
        (#"{"planId":PLAN,"id":"{00000000-0000-0000-0000-000000000001}"}"#, "id"),
        (#"{"planId":PLAN,"label":7}"#, "label"), (#"{"planId":PLAN,"label":"a\u0000b"}"#, "label"),
        (#"{"planId":PLAN,"label":"a\u001bb"}"#, "label"), (#"{"planId":PLAN,"note":"a\u0008"}"#, "note"),
        // Names
        (#"{"planId":PLAN,"userId":"x"}"#, "userId"), (#"{"planId":PLAN,"Note":"x"}"#, "Note"),
        (#"{"planId":PLAN,"endDate":"2026-03-01"}"#, "endDate"), (#"{"planId":PLAN,"version":1}"#, "version"),
        (#"{"planId":PLAN,"__proto__":{}}"#, "__proto__"), (#"{"planId":PLAN,"":1}"#, ""),
        (#"{"planId":null}"#, "planId"), (#"{}"#, "planId"),
    ]

    /// A plan of the user's own with one thing wrong.
    private static let plans: [(json: String, field: String)] = [
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":0,"unit":"month"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":-1,"unit":"month"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1201,"unit":"day"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1000000000,"unit":"year"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":9007199254740992,"unit":"year"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1.5,"unit":"year"}}"#,
            "plan.duration.value"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"months"}}"#,
            "plan.duration.unit"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":""}}"#,
            "plan.duration.unit"
        ),
        (#"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1}}"#, "plan.duration.unit"),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day","days":1}}"#,
            "plan.duration.days"
        ),
        (#"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":"1 month"}"#, "plan.duration"),
        (#"{"provider":"P","name":"N","fee":"1","currency":"USD"}"#, "plan.duration"),
        (#"{"provider":"P","name":"N","fee":"-1","currency":"USD","duration":{"value":1,"unit":"day"}}"#, "plan.fee"),
        (
            #"{"provider":"P","name":"N","fee":"1.234","currency":"USD","duration":{"value":1,"unit":"day"}}"#,
            "plan.fee"
        ),
        (#"{"provider":"P","name":"N","fee":"1.5","currency":"JPY","duration":{"value":1,"unit":"day"}}"#, "plan.fee"),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"XXZ","duration":{"value":1,"unit":"day"}}"#,
            "plan.currency"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"usd","duration":{"value":1,"unit":"day"}}"#,
            "plan.currency"
        ),
        (#"{"provider":"P","name":"N","fee":"1","currency":"","duration":{"value":1,"unit":"day"}}"#, "plan.currency"),
        (
            #"{"provider":"","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"}}"#,
            "plan.provider"
        ),
        (
            #"{"provider":" ","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"}}"#,
            "plan.provider"
        ),
        (
            #"{"provider":"P","name":"\u0000","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"}}"#,
            "plan.name"
        ),
        (#"{"provider":"P","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"}}"#, "plan.name"),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"},"trialDays":0}"#,
            "plan.trialDays"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"},"noticeDays":1201}"#,
            "plan.noticeDays"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"},"noticeDays":-1}"#,
            "plan.noticeDays"
        ),
        (
            #"{"provider":"P","name":"N","fee":"1","currency":"USD","duration":{"value":1,"unit":"day"},"ownerId":"x"}"#,
            "plan.ownerId"
        ),
        (#"[]"#, "plan"), (#""P""#, "plan"),
    ]

    @Test("Each is a clear 400 that names the field, and nothing is stored")
    func refused() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let made = try await ada.call(CreateSubscription(planId: plan))
            let own = try await ada.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Mine", name: "Own", fee: amount("1"), currency: "USD",
                        duration: .init(value: 1, unit: .month))))
            let before = try await service.rowCounts()
            let bodies =
                Self.subscriptions.map { ($0.json.replacing("PLAN", with: "\(plan)"), $0.field) }
                + Self.plans.map { ("{\"plan\":\($0.json)}", $0.field) }
            for (json, field) in bodies {
                let answer = try await ada.client.send("POST", "/v1/subscriptions", json: json)
                expectClean(answer, status: 400, json)
                let problem = try answer.problem()
                #expect(problem.code == .inputInvalid)
                #expect(problem.errors?.map(\.field) == [field], "\(json): \(problem)")
            }
            // The same values as a change.
            for (json, field) in bodies where !["id", "planId", "plan.name", "plan.duration"].contains(field) {
                let body = json.replacing("\"planId\":\(plan),", with: "")
                guard !body.contains("planId"), !field.hasPrefix("plan") else { continue }
                let answer = try await ada.client.send("PATCH", "/v1/subscriptions/\(made.id)", json: body)
                expectClean(answer, status: 400, body)
                #expect(try answer.problem().errors?.map(\.field) == [field], "\(body)")
            }
            for (json, field) in Self.plans where json.hasPrefix("{") {
                let answer = try await ada.client.send(
                    "PATCH", "/v1/subscriptions/\(own.id)", json: "{\"plan\":\(json)}")
                // What a patch may leave out is no fault there.
                let mayBeLeftOut =
                    field == "plan.name" && !json.contains("\"name\"")
                    || field == "plan.duration" && !json.contains("duration")
                guard !mayBeLeftOut else {
                    #expect(answer.status == 200)
                    continue
                }
                expectClean(answer, status: 400, json)
                #expect(try answer.problem().errors?.map(\.field) == [field], "\(json)")
            }
            #expect(try await service.rowCounts() == before)
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
        }
    }

    @Test("Several faults of one kind are all said; an input of thousands of unknown names gets a short answer")
    func several() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let two = try await ada.client.send("POST", "/v1/subscriptions", json: #"{"a":1,"b":2,"planId":1}"#)
            #expect(try two.problem().errors?.map(\.field) == ["a", "b"])
            let names = (0..<5000).map { "\"\(String(repeating: "n", count: 100))\($0)\":1" }.joined(separator: ",")
            let many = try await ada.client.send("POST", "/v1/subscriptions", json: "{\(names)}")
            expectClean(many, status: 400, "5000 names")
        }
    }

    @Test("Queries: unknown names, doubled names, limits and cursors that are none")
    func queries() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            for _ in 0..<3 { try await ada.call(CreateSubscription(planId: plan)) }
            let lists = [
                "/v1/countries", "/v1/providers", "/v1/plans?country=US", "/v1/subscriptions",
                "/v1/subscriptions/\(made.id)/periods",
            ]
            for path in lists {
                let join = path.contains("?") ? "&" : "?"
                for (query, field) in [
                    ("limit=0", "limit"), ("limit=-1", "limit"), ("limit=abc", "limit"), ("limit=1.5", "limit"),
                    ("limit=", "limit"), ("limit=99999999999999999999", "limit"), ("limit=%2B1", "limit"),
                    ("limit=1e2", "limit"),
                    ("cursor=abc", "cursor"), ("cursor=", "cursor"), ("cursor=%00", "cursor"),
                    ("cursor=\(String(repeating: "A", count: 5000))", "cursor"), ("cursor=4oCi4oCi", "cursor"),
                    ("cursor=%27%20OR%201%3D1", "cursor"), ("Limit=1", "Limit"), ("page=2", "page"),
                ] {
                    let answer = try await ada.client.send("GET", path + join + query)
                    expectClean(answer, status: 400, path + join + query)
                    #expect(try answer.problem().errors?.map(\.field) == [field], "\(path) \(query)")
                }
                let twice = try await ada.client.send("GET", path + join + "limit=1&limit=2")
                expectClean(twice, status: 400, path)
                #expect(try await ada.client.send("GET", path + join + "limit=9223372036854775807").status == 200)
            }
            // A cursor of one list is none of another.
            var cursors: [String: String] = [:]
            try await service.addPlan(provider: "Another")
            for path in lists {
                let page = try await ada.client.send("GET", path + (path.contains("?") ? "&" : "?") + "limit=1")
                cursors[path] = try page.object()["nextCursor"] as? String
            }
            #expect(cursors.count >= 4)
            for path in lists {
                for (other, cursor) in cursors {
                    let join = path.contains("?") ? "&" : "?"
                    let answer = try await ada.client.send("GET", path + join + "cursor=\(cursor)")
                    #expect(answer.status == (other == path ? 200 : 400), "\(other)'s at \(path)")
                }
            }
        }
    }

    @Test("A body on an operation that takes no fields, and a query on one that takes a body, are refused")
    func strays() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let path = "/v1/subscriptions/\(made.id)"
            for (method, path, json) in [
                ("POST", path + "/renew", #"{"periods":0}"#), ("POST", path + "/renew", #"{"id":"\#(made.id)"}"#),
                ("POST", path + "/cancel", #"{"x":1}"#), ("POST", path + "/renew?period=0", ""),
                ("PATCH", path + "?label=x", "{}"), ("PATCH", path, #"{"id":"\#(UUID())"}"#), ("GET", "/v1/me?x=1", ""),
                ("DELETE", path + "?force=1", ""), ("DELETE", path, #"{"force":true}"#), ("DELETE", path, "[]"),
                ("DELETE", path, #"{"id":"\#(made.id)"}"#),
            ] {
                let answer = try await ada.client.send(method, path, body: json.isEmpty ? nil : Data(json.utf8))
                expectClean(answer, status: 400, "\(method) \(path) \(json)")
            }
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
            #expect(try await ada.client.send("POST", path + "/renew", body: Data()).status == 200)
        }
    }
}
