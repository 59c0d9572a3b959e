import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A faulty change of a push is refused alone. A device whose whole push is refused could never send the changes behind it.
@Suite("Faulty changes of a push", .ownTime)
struct PushFaultTests {
    /// A user's subscription, pushed to as text.
    private struct Owner {
        let user: TestUser
        let id: UUID

        func change(_ members: String, key: UUID = UUID()) -> String { #"{"key":"\#(key)",\#(members)}"# }

        /// An update of the subscription.
        func update(_ fields: String, key: UUID = UUID()) -> String {
            change(#""entity":"subscription","id":"\#(id)","op":"update","fields":\#(fields)"#, key: key)
        }

        func push(_ changes: String...) async throws -> [PushChanges.Result] { try await push(changes) }

        func push(_ changes: [String]) async throws -> [PushChanges.Result] {
            let answer = try await user.client.send(
                "POST", "/v1/changes", json: #"{"mutations":[\#(changes.joined(separator: ","))]}"#)
            #expect(answer.status == 200, "\(changes.joined().prefix(300)): \(answer.text.prefix(300))")
            return try answer.decode(PushChanges.Output.self).results
        }
    }

    private func run(_ body: (Owner) async throws -> Void) async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = PrivatePlan(
                provider: "Gym", name: "Off-peak", fee: amount("20"), currency: "USD",
                duration: PlanDuration(value: 1, unit: .month))
            let made = try await ada.call(CreateSubscription(plan: plan, startDate: day("2026-01-01")))
            try await body(Owner(user: ada, id: made.id))
        }
    }

    /// Pushes a faulty change between two good ones, and expects that it alone is refused.
    /// - Parameter field: the field that its answer names; nil: another problem than one of a field.
    private func expectAlone(_ bad: String, _ field: String?, of owner: Owner) async throws {
        let note = UUID().uuidString
        let results = try await owner.push(
            owner.update(#"{"label":"a"}"#), bad, owner.update(#"{"note":"\#(note)"}"#))
        #expect(results.map(\.outcome) == [.applied, .refused, .applied], "\(bad.prefix(300))")
        guard results.count == 3 else { return }
        let error = results[1].error
        if let field {
            #expect(error?.code == .inputInvalid, "\(bad.prefix(300))")
            #expect(error?.errors?.map(\.field) == [field], "\(bad.prefix(300)): \(error?.detail.prefix(300) ?? "")")
        } else {
            #expect(error != nil && error?.code != .inputInvalid, "\(bad.prefix(300))")
        }
        #expect(try await owner.user.call(GetSubscription(id: owner.id)).note == note, "\(bad.prefix(300))")
    }

    /// Values of JSON of every kind, and those that no field takes.
    private static let values: [String] = [
        "null", "true", "7", "-1", "9007199254740992", "9007199254740993", "-99999999999999999999", "1.5", "1e3",
        "1e999", "0." + String(repeating: "3", count: 80), "\"\"", "\"x\"", "\"1.999\"", "\"1,5\"", "\"2026-02-30\"",
        "\"99999999999.01\"", #""a\u0007""#, #""\ud800""#, "\"" + String(repeating: #"\u0301"#, count: 40) + "\"",
        "\"" + String(repeating: "x", count: 1_001) + "\"", "[]", "[1.5]", "{}", #"{"a":0.5}"#,
        #"{"value":1.5,"unit":"day"}"#,
    ]

    @Test("Whatever value a field has, the changes before and after it are applied")
    func values() async throws {
        try await run { owner in
            let fields = [
                "planId", "plan", "startDate", "nextRenewal", "freeTrial", "autoRenew", "fee", "label", "reminderDays",
                "muted",
            ]
            var refused = 0
            for field in fields {
                let note = UUID().uuidString
                let changes = Self.values.flatMap { value in
                    [owner.update(#"{"\#(field)":\#(value)}"#), owner.update(#"{"note":"\#(note)"}"#)]
                }
                let results = try await owner.push(changes)
                try #require(results.count == changes.count, "\(field)")
                for (value, pair) in zip(Self.values, stride(from: 0, to: results.count, by: 2)) {
                    #expect([.applied, .refused].contains(results[pair].outcome), "\(field): \(value.prefix(80))")
                    #expect(results[pair + 1].outcome == .applied, "\(field): \(value.prefix(80))")
                    if results[pair].outcome == .refused { refused += 1 }
                }
                #expect(try await owner.user.call(GetSubscription(id: owner.id)).note == note)
            }
            // Most of them make no sense for most fields.
            #expect(refused > fields.count * Self.values.count / 2, "\(refused)")
        }
    }

    @Test("A faulty value refuses its change alone, by the name that the direct operation has for it")
    func fields() async throws {
        try await run { owner in
            for (fields, field) in [
                (#"{"fee":5.5}"#, "fee"), (#"{"fee":5}"#, "fee"), (#"{"fee":1e999}"#, "fee"),
                (#"{"fee":"1.999"}"#, "fee"), (#"{"reminderDays":9007199254740993}"#, "reminderDays"),
                (#"{"reminderDays":"3"}"#, "reminderDays"), (#"{"startDate":"2026-02-30"}"#, "startDate"),
                (#"{"autoRenew":null}"#, "autoRenew"), (#"{"colour":1.5}"#, "colour"), (#"{"colour":"red"}"#, "colour"),
                (#"{"label":"\ud800"}"#, "label"), (#"{"plan":{"fee":5.5}}"#, "plan.fee"),
                (#"{"plan":{"duration":{"value":1.5,"unit":"day"}}}"#, "plan.duration.value"),
                ("[]", "fields"), ("1.5", "fields"), ("\"x\"", "fields"),
                ("{" + (0..<33).map { "\"n\($0)\":0" }.joined(separator: ",") + "}", "fields"),
            ] as [(String, String)] {
                try await expectAlone(owner.update(fields), field, of: owner)
            }
        }
    }

    @Test("A fee that is a number is told how to write it, as a change and as a direct request")
    func fees() async throws {
        try await run { owner in
            for fee in ["5.5", "5"] {
                let result = try #require(try await owner.push(owner.update("{\"fee\":\(fee)}")).first)
                let said = try #require(result.error?.errors?.first)
                #expect(said.message.contains("an amount in quotation marks such as \"17.99\""), "\(said)")
                let answer = try await owner.user.client.send(
                    "PATCH", "/v1/subscriptions/\(owner.id.uuidString)", json: "{\"fee\":\(fee)}")
                let direct = try #require(try answer.problem().errors?.first)
                #expect(direct.message.contains("an amount in quotation marks such as \"17.99\""), "\(direct)")
            }
        }
    }

    @Test("A faulty member beside the fields refuses its change alone")
    func members() async throws {
        try await run { owner in
            let id = owner.id.uuidString
            for (members, field) in [
                (#""entity":"household","id":"\#(id)","op":"update""#, "entity"),
                (#""entity":7.5,"id":"\#(id)","op":"update""#, "entity"), (#""id":"\#(id)","op":"update""#, "entity"),
                (#""entity":"country","id":"US","op":"update","fields":{"name":"x"}"#, "entity"),
                (#""entity":"subscription","id":"x","op":"update","fields":{"label":"x"}"#, "id"),
                (#""entity":"subscription","id":7,"op":"update""#, "id"),
                (#""entity":"subscription","op":"update""#, "id"),
                (#""entity":"subscription","id":"\#(id)","op":"explode""#, "op"),
                (#""entity":"subscription","id":"\#(id)","op":null"#, "op"),
                (#""entity":"subscription","id":"\#(id)","op":"update","baseVersion":1.5"#, "baseVersion"),
                (#""entity":"subscription","id":"\#(id)","op":"update","baseVersion":1e400"#, "baseVersion"),
                (#""entity":"subscription","id":"\#(id)","op":"update","planVersion":"1""#, "planVersion"),
                (#""entity":"subscription","id":"\#(id)","op":"update","after":"x""#, "after"),
                (#""entity":"subscription","id":"\#(id)","op":"update","madeOn":"2026-02-30""#, "madeOn"),
                (#""entity":"subscription","id":"\#(id)","op":"update","more":1"#, "more"),
                (#""entity":"plan","id":"99999999999999999999","op":"delete""#, nil),
            ] as [(String, String?)] {
                try await expectAlone(owner.change(members), field, of: owner)
            }
        }
    }

    @Test("By a socket, too, a value that is never taken refuses its change alone")
    func sockets() async throws {
        try await TestService.run(at: "2026-01-10", configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let made = try await ada.call(CreateSubscription(planId: try await service.addPlan()))
            let owner = Owner(user: ada, id: made.id)
            let token = try #require(ada.client.token)
            let plain = try await service.connectSocket()
            _ = try await plain.call("session.open", ["token": token]).result()
            let web = try await RawWebSocket.open(port: service.port, token: token)
            for value in [
                "1e999", "99999999999999999", #""\ud800""#, String(repeating: "7", count: 80),
                "\"" + String(repeating: #"\u0301"#, count: 40) + "\"",
            ] {
                func push() -> String {
                    let good = owner.update(#"{"note":"\#(UUID().uuidString)"}"#)
                    let params = #"{"mutations":[\#(owner.update(#"{"label":\#(value)}"#)),\#(good)]}"#
                    return #"{"jsonrpc":"2.0","id":7,"method":"changes.push","params":\#(params)}"#
                }
                try await plain.send(line: push())
                let first = try await plain.reply(to: .integer(7))
                try await web.send(push())
                // A WebSocket is told of changes as well.
                var second = try PlainSocket.Reply(try await web.text())
                while second.id == nil { second = try PlainSocket.Reply(try await web.text()) }
                for reply in [first, second] {
                    let results = try reply.result()["results"] as? [[String: Any]]
                    #expect(results?.map { $0["outcome"] as? String } == ["refused", "applied"], "\(value.prefix(80))")
                }
            }
            await plain.close()
            await web.socket.close()
        }
    }

    @Test("A change that cannot be read is answered once and for all, and its key is taken")
    func replay() async throws {
        try await run { owner in
            let key = UUID()
            let first = try #require(try await owner.push(owner.update(#"{"fee":5.5}"#, key: key)).first)
            #expect(first.outcome == .refused && !first.replayed && first.key == key)
            let again = try #require(try await owner.push(owner.update(#"{"fee":5.5}"#, key: key)).first)
            #expect(again.outcome == .refused && again.replayed && again.error?.errors == first.error?.errors)
            let mended = try #require(try await owner.push(owner.update(#"{"fee":"5.50"}"#, key: key)).first)
            #expect(mended.error?.code == .keyReused)
            let anew = try #require(try await owner.push(owner.update(#"{"fee":"5.50"}"#)).first)
            #expect(anew.outcome == .applied)
        }
    }

    @Test("A change that names one that cannot be read as the one before it follows what that one follows")
    func chain() async throws {
        try await run { owner in
            let base = try await owner.user.call(GetSubscription(id: owner.id)).version
            func linked(_ fields: String, key: UUID = UUID(), after: UUID? = nil) -> String {
                let link = after.map { #","after":"\#($0)""# } ?? ""
                return owner.change(
                    #""entity":"subscription","id":"\#(owner.id)","op":"update","baseVersion":\#(base),"fields":\#(fields)\#(link)"#,
                    key: key)
            }
            let (first, second) = (UUID(), UUID())
            #expect(try await owner.push(linked(#"{"note":"1"}"#, key: first)).first?.outcome == .applied)
            let bad = try await owner.push(linked(#"{"note":1.5}"#, key: second, after: first))
            #expect(bad.first?.outcome == .refused)
            let last = try await owner.push(linked(#"{"note":"2"}"#, after: second))
            #expect(last.first?.outcome == .applied && last.first?.lost == [])
        }
    }
}
