import Foundation
import SubTrackAPI
import SubTrackCore

/// The properties by which a row of a file and a subscription are the same: provider, plan, price, length of a period, and label.
struct ImportIdentity: Hashable {
    /// The plan, as far as a row names it.
    enum PlanName: Hashable {
        /// The plan's name in lower case, and its kind; nil: the row does not say the kind.
        case named(String, kind: String?)
        /// The plan of a row that names none, where the catalogue has no plan at its price.
        case unnamed
        /// The user's own plan of a row that names none, where the catalogue has a plan at its price by now.
        case unnamedOwn
    }

    private let provider: String
    private let plan: PlanName
    private let price: Price
    private let duration: PlanDuration
    private let label: String

    init(provider: String, plan: PlanName, price: Price, duration: PlanDuration, label: String?) {
        self.provider = provider.lowercased()
        self.plan = plan
        self.price = price
        self.duration = duration
        self.label = label?.lowercased() ?? ""
    }

    /// A subscription to a plan.
    /// - Parameter fee: the user's payment, where that is not the plan's fee.
    init(_ plan: Plan, fee: Amount?, label: String?) {
        self.init(
            provider: plan.provider, plan: .of(plan.name, kind: plan.type),
            price: Price(fee: fee ?? plan.fee, currency: plan.currency), duration: plan.duration, label: label)
    }
}

extension ImportIdentity.PlanName {
    /// A plan by its name and kind, without differences of case.
    static func of(_ name: String, kind: String?) -> Self { .named(name.lowercased(), kind: kind?.lowercased()) }
}

/// The subscriptions that are here. Each of them stands for one row of a file at most, so that two like contracts stay two.
struct HeldSubscriptions {
    private let held: [TrackedSubscription]
    private var isTaken: [Bool]
    private var places: [ImportIdentity: [Int]] = [:]
    private let byID: [UUID: Int]

    init(_ held: [TrackedSubscription]) {
        self.held = held
        isTaken = Array(repeating: false, count: held.count)
        byID = Dictionary(held.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        // The last place of a list is taken first.
        for (place, one) in held.enumerated().reversed() {
            for identity in Self.identities(of: one) { places[identity, default: []].append(place) }
        }
    }

    /// The subscription of an id, for the first row that asks for it.
    mutating func take(_ id: UUID) -> TrackedSubscription? {
        guard let place = byID[id], !isTaken[place] else { return nil }
        isTaken[place] = true
        return held[place]
    }

    /// A subscription with one of these identities, the first of them before the others.
    mutating func take(_ identities: [ImportIdentity]) -> TrackedSubscription? {
        for identity in identities {
            while let place = places[identity]?.popLast() {
                guard !isTaken[place] else { continue }
                isTaken[place] = true
                return held[place]
            }
        }
        return nil
    }

    /// All identities that a row of it may have: a file says the price of its day, and may leave out the plan or its kind.
    private static func identities(of tracked: TrackedSubscription) -> [ImportIdentity] {
        let (one, plan) = (tracked.subscription, tracked.subscription.plan)
        var names: [ImportIdentity.PlanName] = [.of(plan.name, kind: plan.type), .of(plan.name, kind: nil)]
        let isUnnamed = plan.private && plan.name.lowercased() == ImportRun.usualPlan.lowercased()
        if isUnnamed || !plan.private { names.append(.unnamed) }
        if isUnnamed { names.append(.unnamedOwn) }
        var prices: Set<Price> = [
            Price(fee: one.fee, currency: one.currency),
            Price(fee: tracked.ownFee ?? plan.fee, currency: plan.currency),
        ]
        if let next = one.next { prices.insert(Price(fee: next.fee, currency: next.currency)) }
        return prices.flatMap { price in
            names.map { name in
                ImportIdentity(
                    provider: plan.provider, plan: name, price: price, duration: plan.duration, label: one.label)
            }
        }
    }
}
