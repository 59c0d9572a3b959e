import Foundation
import SubTrackAPI
import Testing

@testable import SubTrackServer

/// What writes its own JSON must write what its `Encodable` conformance says: clients decode by the latter.
@Suite("Values that write their own JSON")
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
            note: isFull ? "\u{1F4B6}\t\u{1}" : nil, version: 9_007_199_254_740_993)
    }

    private static func expectSame(_ value: some Encodable) throws {
        let written = String(decoding: try OutputEncoder.encode(value), as: UTF8.self)
        let encoded = String(decoding: try OutputEncoder.encode(MemberByMember(value: value)), as: UTF8.self)
        #expect(written == encoded)
    }

    @Test("A plan, with and without a trial", arguments: [nil, 30])
    func plan(trialDays: Int?) throws {
        try Self.expectSame(Self.plan(trialDays: trialDays))
    }

    @Test("A subscription, with all members and with as few as can be", arguments: [true, false])
    func subscription(isFull: Bool) throws {
        let subscription = try Self.subscription(isFull: isFull)
        try Self.expectSame(subscription)
        if let next = subscription.next { try Self.expectSame(next) }
    }

    @Test("Lists, empty and not", arguments: [0, 1, 2])
    func lists(count: Int) throws {
        let subscriptions = try (0..<count).map { try Self.subscription(isFull: $0 == 0) }
        try Self.expectSame(
            ListSubscriptions.Output(subscriptions: subscriptions, nextCursor: count == 1 ? nil : "abc"))
        try Self.expectSame(
            ListPlans.Output(plans: subscriptions.map(\.plan), nextCursor: count == 1 ? "a\"b" : nil))
    }

    @Test("A page of changes, with rows of every kind and one that is gone", arguments: [true, false])
    func changes(isFull: Bool) throws {
        let end = try #require(CalendarDate("2027-02-28"))
        let fee = Amount(units: 1799, digits: 2)
        let rows: [Change.Data?] = [
            .me(
                StoredUser(
                    userName: isFull ? "Ann" : nil, country: "US", timeZone: "UTC",
                    accounts: isFull ? [.init(email: "a@b", verified: true), .init(email: "c@d", verified: false)] : [])
            ),
            .subscription(
                StoredSubscription(
                    planId: 7, label: isFull ? "mine" : nil, startDate: end, endDate: end, freeTrial: true,
                    anchorDate: end, anchorCount: 0, period: 3, fee: fee, currency: "USD", ownFee: isFull ? fee : nil,
                    autoRenew: true, cancelledOn: isFull ? end : nil, reminderDays: isFull ? 0 : nil,
                    note: isFull ? "\u{1}" : nil)),
            .period(
                StoredPeriod(
                    subscriptionId: UUID(), number: 2, startDate: end, endDate: end, fee: fee, currency: "USD",
                    freeTrial: false, planId: 7)),
            .plan(
                StoredPlan(
                    provider: "P", name: "N", type: "T", category: isFull ? "C" : nil, country: "US", fee: fee,
                    currency: "USD", feeSince: end, duration: .init(value: 1, unit: .week), trialDays: isFull ? 3 : nil,
                    noticeDays: 0,
                    formerTerms: isFull ? .init(until: end, duration: .init(value: 2, unit: .day), noticeDays: 4) : nil,
                    withdrawnOn: isFull ? end : nil, private: isFull)),
            .price(StoredPrice(planId: 7, effectiveOn: end, fee: fee, currency: "USD")),
            .provider(
                StoredProvider(category: "C", website: isFull ? "w" : nil, cancelUrl: isFull ? "c" : nil)),
            .country(StoredCountry(name: "Germany", currency: "EUR")),
            .currency(StoredCurrency(name: "Euro", minorDigits: 2)), nil,
        ]
        let changes = zip(SyncEntity.allCases + [.plan], rows).map { entity, data in
            Change(scope: "user", version: 3, entity: entity, id: "1", data: data)
        }
        let output = PullChanges.Output(
            dropped: isFull ? ["catalogue/US", "catalogue/DE"] : [], changes: changes, cursor: "abc", more: isFull,
            total: 4)
        try Self.expectSame(output)
        for change in changes { try Self.expectSame(change) }
        let bytes = try OutputEncoder.encode(output)
        #expect(try JSONDecoder().decode(PullChanges.Output.self, from: Data(bytes)) == output)
        #expect(!String(decoding: try OutputEncoder.encode(changes[8]), as: UTF8.self).contains("data"))
    }
}
