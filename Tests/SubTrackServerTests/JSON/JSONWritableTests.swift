import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

/// Values that write their own JSON must write that of their `Encodable` conformance: clients decode by the latter.
@Suite("Values that write their own JSON", .ownTime)
struct JSONWritableTests {
    /// Hides that a value writes itself, so that its members are encoded one by one.
    private struct MemberByMember<Value: Encodable>: Encodable {
        let value: Value
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private static func plan(trialDays: Int?) -> Plan {
        Plan(
            id: 7, provider: "Caf\u{E9} \"Zwölf\"", name: "Line\nbreak \\ slash", type: "Family", category: "Video",
            country: "DE", fee: Amount(units: 5, digits: 2), currency: "EUR",
            duration: PlanDuration(value: 3, unit: .month), trialDays: trialDays, noticeDays: 14, withdrawn: true,
            private: false)
    }

    private static func subscription(isFull: Bool) throws -> Subscription {
        let end = try #require(CalendarDate("2027-02-28"))
        return Subscription(
            id: UUID(), plan: plan(trialDays: isFull ? 30 : nil), label: isFull ? "mine" : nil,
            startDate: end.adding(days: -28), endDate: end, remaining: -3, period: 12,
            fee: Amount(units: -17_990, digits: 3), currency: "KWD",
            next: isFull ? .init(fee: Amount(units: 990, digits: 0), currency: "JPY", on: end) : nil, freeTrial: false,
            autoRenew: true, status: .ended, cancelBy: end.adding(days: -14), reminderDays: isFull ? 0 : nil,
            muted: isFull, note: isFull ? "\u{1F4B6}\t\u{1}" : nil, version: 9_007_199_254_740_993)
    }

    /// The JSON that a value writes itself.
    private static func written(_ value: some Encodable) throws -> String {
        String(decoding: try OutputEncoder.encode(value), as: UTF8.self)
    }

    /// The JSON of its `Encodable` conformance.
    private static func encoded(_ value: some Encodable) throws -> String {
        try written(MemberByMember(value: value))
    }

    @Test("A plan, with and without a trial", arguments: [nil, 30])
    func plan(trialDays: Int?) throws {
        let plan = Self.plan(trialDays: trialDays)
        #expect(try Self.written(plan) == Self.encoded(plan))
    }

    @Test("A subscription, with all members and with as few as can be", arguments: [true, false])
    func subscription(isFull: Bool) throws {
        let subscription = try Self.subscription(isFull: isFull)
        #expect(try Self.written(subscription) == Self.encoded(subscription))
        #expect((subscription.next != nil) == isFull)
        if let next = subscription.next { #expect(try Self.written(next) == Self.encoded(next)) }
    }

    @Test("Lists have their elements, and null where there is no further page", arguments: [0, 1, 2])
    func lists(count: Int) throws {
        let subscriptions = try (0..<count).map { try Self.subscription(isFull: $0 == 0) }
        let list = ListSubscriptions.Output(subscriptions: subscriptions, nextCursor: count == 1 ? nil : "abc")
        let elements = try subscriptions.map { try Self.encoded($0) }.joined(separator: ",")
        let cursor = count == 1 ? "null" : "\"abc\""
        #expect(try Self.written(list) == "{\"subscriptions\":[\(elements)],\"nextCursor\":\(cursor)}")
        let plans = ListPlans.Output(plans: subscriptions.map(\.plan), nextCursor: count == 1 ? "a\"b" : nil)
        let sold = try subscriptions.map { try Self.encoded($0.plan) }.joined(separator: ",")
        let next = count == 1 ? #""a\"b""# : "null"
        #expect(try Self.written(plans) == "{\"plans\":[\(sold)],\"nextCursor\":\(next)}")
    }
}
