import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Writing JSON", .ownTime)
struct OutputEncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try OutputEncoder.encode(value), as: UTF8.self)
    }

    private static let plan = Plan(
        id: 7, provider: "Netflix \"US\"", name: "Premium", type: "Standard", category: "Video", country: "US",
        fee: amount("24.99"), currency: "USD", duration: .init(value: 1, unit: .month), trialDays: nil, noticeDays: 0,
        withdrawn: false, private: false)

    @Test("A subscription: members as declared, nil as null, exact values as texts, ids in small letters")
    func golden() throws {
        let subscription = Subscription(
            id: try #require(UUID(uuidString: "0190A6E0-0000-7000-8000-0123456789AB")), plan: Self.plan, label: nil,
            startDate: day("2026-01-31"), endDate: day("2026-02-28"), remaining: -3, period: 2, fee: amount("24.99"),
            currency: "USD", next: .init(fee: amount("29.99"), currency: "USD", on: day("2026-02-28")),
            freeTrial: false,
            autoRenew: true, status: .active, cancelBy: day("2026-02-28"), reminderDays: nil, note: "a\nb\u{1}é",
            version: 9_007_199_254_740_993)
        #expect(
            try text(subscription) == #"""
                {"id":"0190a6e0-0000-7000-8000-0123456789ab","plan":{"id":7,"provider":"Netflix \"US\"","name":"Premium",\#
                "type":"Standard","category":"Video","country":"US","fee":"24.99","currency":"USD",\#
                "duration":{"value":1,"unit":"month"},"trialDays":null,"noticeDays":0,"withdrawn":false,"private":false},\#
                "label":null,"startDate":"2026-01-31","endDate":"2026-02-28","remaining":-3,"period":2,"fee":"24.99",\#
                "currency":"USD","next":{"fee":"29.99","currency":"USD","on":"2026-02-28"},"freeTrial":false,\#
                "autoRenew":true,"status":"active","cancelBy":"2026-02-28","reminderDays":null,"muted":false,"note":"a\nb\u0001é",\#
                "version":9007199254740993}
                """#)
    }

    @Test("A plan and its prices stand side by side in one object")
    func merged() throws {
        let output = GetPlan.Output(
            plan: Self.plan,
            prices: [.init(effectiveOn: day("2026-01-01"), fee: amount("24.99"), currency: "USD")])
        let json = try text(output)
        #expect(json.hasPrefix(#"{"id":7,"provider":"#))
        #expect(
            json.hasSuffix(#""private":false,"prices":[{"effectiveOn":"2026-01-01","fee":"24.99","currency":"USD"}]}"#))
        #expect(try JSONDecoder().decode(GetPlan.Output.self, from: Data(json.utf8)) == output)
    }

    @Test("What Foundation's encoder writes means the same, but for the nulls that it leaves out and the case of ids")
    func likeFoundation() throws {
        let user = User(
            id: UUID(), userName: nil, country: "US", timeZone: "UTC",
            accounts: [.init(email: "a@b.c", verified: true)],
            version: 1)
        let values: [any Encodable & Sendable] = [
            Self.plan, user,
            GetDashboard.Output(today: day("2026-01-31"), upcoming: [], overdue: [], spend: [], saved: []),
            ListCountries.Output(countries: [.init(id: "DE", name: "Germany", currency: "EUR")], nextCursor: nil),
            [1, 2, 3], ["a": 1], [[String]](), [Int?.some(1), nil], UInt64.max, Int64.min, true, "x", Empty(),
        ]
        for value in values {
            let ours = try JSONSerialization.jsonObject(
                with: Data(OutputEncoder.encode(value)), options: .fragmentsAllowed)
            let theirs = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value), options: .fragmentsAllowed)
            #expect(Self.same(ours, theirs), "\(value)")
        }
    }

    private static func same(_ ours: Any, _ theirs: Any?) -> Bool {
        switch (ours, theirs) {
        case (is NSNull, nil), (is NSNull, is NSNull): true
        case (let ours as [String: Any], let theirs as [String: Any]):
            Set(theirs.keys).isSubset(of: ours.keys) && ours.allSatisfy { same($0.value, theirs[$0.key]) }
        case (let ours as [Any], let theirs as [Any]):
            ours.count == theirs.count && zip(ours, theirs).allSatisfy { same($0, $1) }
        case (let ours as String, let theirs as String):
            ours == theirs || UUID(uuidString: ours).map { $0 == UUID(uuidString: theirs) } ?? false
        case (let ours as NSNumber, let theirs as NSNumber): ours == theirs
        default: false
        }
    }

    @Test("Any text comes back from our own reader and from Foundation's as it was")
    func texts() throws {
        var generator = SeededGenerator(seed: 3629)
        for _ in 0..<5_000 {
            var original = ""
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let value: UInt32 =
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: UInt32.random(in: 0...0x7F, using: &generator)
                    case 1: UInt32.random(in: 0x80...0x7FF, using: &generator)
                    case 2: UInt32.random(in: 0x800...0xFFFF, using: &generator)
                    default: UInt32.random(in: 0x10000...0x10FFFF, using: &generator)
                    }
                if let scalar = Unicode.Scalar(value) { original.unicodeScalars.append(scalar) }
            }
            let json = try OutputEncoder.encode([original])
            guard case .array(let elements) = try JSONScanner.scan(json), case .string(let read) = elements.first else {
                Issue.record("not a list of a text: \(json)")
                continue
            }
            #expect(Array(read.utf8) == Array(original.utf8))
            let foundation = try JSONSerialization.jsonObject(with: Data(json)) as? [String]
            #expect(foundation?.first?.unicodeScalars.elementsEqual(original.unicodeScalars) == true, "\(json)")
        }
    }

    @Test("Amounts keep their digits, whole numbers their signs")
    func numbers() throws {
        for written in ["0", "0.00", "-0.01", "0.5", "12.345678", "999999999999999999", "-1", "0.000001"] {
            #expect(try text([amount(written)]) == "[\"\(written)\"]")
        }
        #expect(try text([Int64.min, 0, Int64.max]) == "[-9223372036854775808,0,9223372036854775807]")
        #expect(try text([UInt64.max]) == "[18446744073709551615]")
        #expect(throws: EncodingError.self) { try text([1.5]) }
    }
}
