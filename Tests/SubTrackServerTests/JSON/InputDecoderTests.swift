import Foundation
import SubTrackAPI
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Reading an operation's input", .ownTime)
struct InputDecoderTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try InputDecoder.decode(type, from: try JSONScanner.scan(Array(json.utf8), within: .file))
    }

    /// The fields that are at fault.
    private func faults<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> [String] {
        do {
            _ = try decode(type, json)
            return []
        } catch let problem as Problem {
            #expect(problem.code == .inputInvalid)
            return (problem.errors ?? []).map { "\($0.field) \($0.code)" }
        }
    }

    @Test("All fields of an operation, and what is left out or null")
    func fields() throws {
        let id = UUID()
        let input = try decode(
            CreateSubscription.self,
            """
            {"id": "\(id.uuidString.lowercased())", "plan": {"provider": "P", "name": "N", "fee": "1.5", "currency": "EUR",
             "duration": {"value": 2, "unit": "week"}, "trialDays": null}, "startDate": "2026-01-31", "autoRenew": true,
             "fee": null, "reminderDays": 3}
            """)
        #expect(input.id == id && input.planId == nil && input.autoRenew == true && input.reminderDays == 3)
        #expect(input.plan?.duration == .init(value: 2, unit: .week) && input.plan?.fee == amount("1.5"))
        #expect(input.startDate == day("2026-01-31") && input.fee == nil && input.freeTrial == nil)
    }

    @Test("A merge patch tells left out, null and set apart")
    func patches() throws {
        let patch = try decode(
            UpdateSubscription.self,
            #"{"id":"\#(UUID())","label":null,"note":"x","plan":{"fee":"2","trialDays":null},"planId":7}"#)
        #expect(patch.label == .remove && patch.note == .set("x") && patch.fee == .keep && patch.planId == .set(7))
        #expect(patch.plan.value?.fee == .set(amount("2")) && patch.plan.value?.trialDays == .remove)
        #expect(patch.plan.value?.name == .keep)
    }

    @Test("Each fault names its field by the path to it")
    func paths() throws {
        typealias Create = CreateSubscription
        #expect(try faults(Create.self, #"{"planId":"1"}"#) == ["planId malformed"])
        #expect(try faults(Create.self, #"{"planID":1}"#) == ["planID unknown"])
        #expect(try faults(Create.self, #"{"a":1,"b":2}"#) == ["a unknown", "b unknown"])
        let needed = ["name", "fee", "currency", "duration"].map { "plan.\($0) required" }
        #expect(try faults(Create.self, #"{"plan":{}}"#) == ["plan.provider required"] + needed)
        #expect(try faults(Create.self, #"{"plan":{"provider":null}}"#) == ["plan.provider malformed"] + needed)
        let plan = #""provider":"P","name":"N","fee":"1","currency":"EUR""#
        #expect(
            try faults(Create.self, #"{"plan":{\#(plan),"duration":{"value":1}}}"#) == ["plan.duration.unit required"])
        #expect(
            try faults(Create.self, #"{"plan":{\#(plan),"duration":{"value":1,"unit":"eon"}}}"#)
                == ["plan.duration.unit malformed"])
        #expect(
            try faults(Create.self, #"{"plan":{\#(plan),"duration":{"value":1,"unit":"day","x":0}}}"#)
                == ["plan.duration.x unknown"])
        #expect(try faults(Create.self, #"{"plan":[1]}"#) == ["plan malformed"])
        #expect(try faults(Create.self, "[]") == [" malformed"])
        #expect(
            try faults([PlanDuration].self, #"[{"value":1,"unit":"day"},{"value":"x","unit":"day"}]"#) == [
                "1.value malformed"
            ])
        #expect(try faults(GetMe.self, #"{"x":1}"#) == ["x unknown"])
        #expect(try faults(GetMe.self, "{}") == [])
    }

    @Test("All faults of an input are told at once, each once, and none that is not there")
    func allFaults() throws {
        typealias Create = CreateSubscription
        #expect(
            try faults(
                Create.self,
                """
                {"id": "x", "planId": "7", "startDate": "2026-02-30", "freeTrial": 1, "fee": 2, "label": [], "color": "red",
                 "plan": {"provider": 5, "name": "N", "fee": "1,50", "currency": null, "x": 0,
                          "duration": {"unit": "eon", "y": 1}, "trialDays": "ten"}}
                """
            ).sorted() == [
                "color unknown", "fee malformed", "freeTrial malformed", "id malformed", "label malformed",
                "plan.currency malformed", "plan.duration.unit malformed", "plan.duration.value required",
                "plan.duration.y unknown", "plan.fee malformed", "plan.provider malformed", "plan.trialDays malformed",
                "plan.x unknown", "planId malformed", "startDate malformed",
            ])
        #expect(
            try faults(UpdateSubscription.self, #"{"startDate":1,"plan":{"duration":"long","fee":3}}"#).sorted() == [
                "id required", "plan.duration malformed", "plan.fee malformed", "startDate malformed",
            ])
        #expect(
            try faults([PlanDuration].self, #"[{"value":1},5,{"value":"x","unit":"day"},{"unit":"eon","value":2}]"#)
                == [
                    "0.unit required", "1 malformed", "2.value malformed", "3.unit malformed",
                ])
        #expect(
            try faults(ListSubscriptions.self, #"{"dueWithin":"a","status":"b","limit":"c","cursor":1}"#) == [
                "dueWithin malformed", "status malformed", "limit malformed", "cursor malformed",
            ])
    }

    @Test("Of very many faults some are told, in bounded time")
    func manyFaults() throws {
        let many = "[" + repeatElement(#"{"value":"x"}"#, count: 5_000).joined(separator: ",") + "]"
        #expect(try faults([PlanDuration].self, many).count == 20)
        let names = (0..<5_000).map { "\"n\($0)\":1" }.joined(separator: ",")
        #expect(try faults(RegisterDevice.self, "{\(names)}").count == 20)
    }

    /// Counts how often its values are read.
    private struct Counted: Decodable {
        static let readings = Mutex(0)
        let first: Int
        let second: [PlanDuration]
        let third: String

        private enum CodingKeys: String, CodingKey { case first, second, third }

        init(from decoder: any Decoder) throws {
            Self.readings.withLock { $0 += 1 }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            first = try container.decode(Int.self, forKey: .first)
            second = try container.decode([PlanDuration].self, forKey: .second)
            third = try container.decode(String.self, forKey: .third)
        }
    }

    @Test("An input is read once, however many faults it has")
    func oneReading() throws {
        let found = try faults(
            Counted.self, #"{"x":0,"first":"a","second":[{"value":"b"},3,{"value":5000,"unit":"day"}]}"#)
        #expect(
            found == [
                "x unknown", "first malformed", "second.0.value malformed", "second.0.unit required",
                "second.1 malformed", "second.2.value range", "third required",
            ])
        #expect(Counted.readings.withLock { $0 } == 1)
    }

    /// Compares keys by their text, and counts how often one is asked for it.
    private struct CountedKey: CodingKey {
        static let asked = Mutex(0)
        private let name: String
        var stringValue: String {
            Self.asked.withLock { $0 += 1 }
            return name
        }
        var intValue: Int? { nil }
        init?(stringValue: String) { name = stringValue }
        init?(intValue: Int) { return nil }
    }

    private struct Names: Decodable {
        let sum: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CountedKey.self)
            var sum = 0
            for key in container.allKeys { sum += try container.decode(Int.self, forKey: key) }
            self.sum = sum
        }
    }

    @Test("A member is found in a bounded number of steps, however many there are")
    func manyMembers() throws {
        func steps(_ count: Int) throws -> Int {
            let names = (0..<count).map { "\"n\($0)\":1" }.joined(separator: ",")
            CountedKey.asked.withLock { $0 = 0 }
            #expect(try decode(Names.self, "{\(names)}").sum == count)
            return CountedKey.asked.withLock { $0 }
        }
        let (few, many) = (try steps(500), try steps(4_000))
        #expect(many <= 8 * few + 100, "\(few) steps, \(many) steps")
    }

    @Test("Free members are taken as they are, each with its fault")
    func freeMembers() throws {
        let mutation = #""key":"01900000-0000-7000-8000-000000000000","entity":"me","id":"x","op":"update""#
        typealias Mutation = PushChanges.Mutation
        let fields = try decode(Mutation.self, #"{\#(mutation),"fields":{"a":[1,null,{"b":true}],"c":"d"}}"#).fields
        #expect(fields == ["a": .array([.integer(1), .null, .object(["b": .bool(true)])]), "c": .string("d")])
        #expect(
            try faults(Mutation.self, #"{\#(mutation),"fields":{"a":{"b":[0.5]},"c":1,"d":1e3}}"#)
                == ["fields.a.b.0 malformed", "fields.d malformed"])
        #expect(try faults(Mutation.self, #"{\#(mutation),"fields":[]}"#) == ["fields malformed"])
        func names(_ count: Int) -> String { (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",") }
        #expect(try faults(Mutation.self, "{\(mutation),\"fields\":{\(names(32))}}") == [])
        #expect(try faults(Mutation.self, "{\(mutation),\"fields\":{\(names(33))}}") == ["fields range"])
        func values(_ count: Int) -> String { #"{"a":[\#(repeatElement("0", count: count).joined(separator: ","))]}"# }
        #expect(try faults(Mutation.self, "{\(mutation),\"fields\":\(values(1_999))}") == [])
        #expect(try faults(Mutation.self, "{\(mutation),\"fields\":\(values(2_000))}") == ["fields range"])
    }

    @Test("A name is repeated to its sender up to a bound, even where all of it is one character")
    func longNames() throws {
        for name in [
            String(repeating: "n", count: 100_000), String(repeating: "\u{200D}", count: 100_000),
            String(repeating: "\u{1F469}\u{200D}", count: 50_000),
        ] {
            for json in [#"{"\#(name)":1}"#, #"{"mutations":[{"fields":{"\#(name)":0.5}}]}"#] {
                do {
                    _ = try decode(PushChanges.self, json)
                    Issue.record("accepted")
                } catch let problem as Problem {
                    #expect(problem.detail.utf8.count < 2_000)
                    #expect((problem.errors ?? []).allSatisfy { $0.field.utf8.count < 500 })
                }
            }
        }
    }

    @Test("What a list of values allows is said")
    func choices() throws {
        do {
            _ = try decode(PlanDuration.self, #"{"value":1,"unit":"eon"}"#)
            Issue.record("accepted")
        } catch let problem as Problem {
            #expect(problem.detail == "unit: must be one of day, week, month, year")
        }
    }

    @Test("Texts of a path or query are taken for numbers and booleans, texts of JSON are not")
    func texts() throws {
        func read(_ text: JSONValue) -> Int? {
            let input = try? InputDecoder.decode(
                RenewSubscription.self,
                from: .object([
                    .init(name: "id", value: .string(UUID().uuidString)), .init(name: "period", value: text),
                ]))
            return input?.period
        }
        #expect(read(.text("12")) == 12 && read(.text("0")) == 0 && read(.integer(12)) == 12)
        for text in ["", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "१", "9223372036854775808", "-1"] {
            #expect(read(.text(text)) == nil, "\(text)")
        }
        #expect(read(.string("12")) == nil && read(.decimal("12.0")) == nil && read(.bool(true)) == nil)
    }

    @Test("Numbers that the field's type cannot hold are refused")
    func widths() throws {
        #expect(throws: Problem.self) { try decode([Int8].self, "[128]") }
        #expect(try decode([Int8].self, "[127]") == [127])
        #expect(throws: Problem.self) { try decode([UInt].self, "[-1]") }
        #expect(throws: Problem.self) { try decode([Double].self, "[1]") }
    }
}
