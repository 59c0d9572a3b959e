import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization

/// Goes through every operation of the service in every way that leads to another statement.
final class StatementTour: Sendable {
    /// The operations that were called, by name.
    var visited: Set<String> { names.withLock { $0 } }
    private let names = Mutex<Set<String>>([])

    /// Calls an operation, whatever it answers.
    @discardableResult
    private func call<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, by client: APIClient, headers: [(String, String)] = []
    ) async throws -> Definition.Output {
        names.withLock { _ = $0.insert(Definition.name) }
        return try await client.call(operation, headers: headers)
    }

    /// The tour.
    /// - Parameter plan: a plan of the catalogue that people subscribe to.
    func run(_ service: TestService, plan: Int64, country: String) async throws {
        let nobody = service.client
        try await call(GetServerInfo(), by: nobody)
        let first = try await call(ListCountries(limit: 2), by: nobody)
        try await call(ListCountries(cursor: first.nextCursor), by: nobody)
        try await catalogue(nobody, country: country, plan: plan)

        let made = try await call(RegisterDevice(name: "Tour", country: country), by: nobody)
        try await call(RegisterDevice(name: "Tour of the default country"), by: nobody)
        var ada = nobody
        ada.token = made.token
        try await call(GetMe(), by: ada)
        try await call(UpdateMe(userName: .set("Ada"), country: .set(country), timeZone: .set("Europe/Paris")), by: ada)
        try await subscriptions(ada, plan: plan)
        try await catalogue(ada, country: country, plan: plan)
    }

    private func catalogue(_ client: APIClient, country: String, plan: Int64) async throws {
        for wanted in client.token == nil ? [country] : [country, nil] {
            let plans = try await call(ListPlans(country: wanted, limit: 3), by: client)
            try await call(ListPlans(country: wanted, limit: 3, cursor: plans.nextCursor), by: client)
            try await call(ListPlans(country: wanted, provider: plans.plans.first?.provider), by: client)
            try await call(ListPlans(country: wanted, search: "um"), by: client)
        }
        for wanted in [country, nil] {
            let providers = try await call(ListProviders(country: wanted, limit: 3), by: client)
            try await call(ListProviders(country: wanted, limit: 3, cursor: providers.nextCursor), by: client)
            try await call(ListProviders(country: wanted, category: "Video"), by: client)
            try await call(ListProviders(country: wanted, search: "um"), by: client)
        }
        try await call(GetPlan(id: plan), by: client)
    }

    private func subscriptions(_ ada: APIClient, plan: Int64) async throws {
        let key = [("Idempotency-Key", "tour")]
        let made = try await call(CreateSubscription(planId: plan), by: ada, headers: key)
        try await call(CreateSubscription(planId: plan), by: ada, headers: key)
        for number in 0..<12 {
            try await call(CreateSubscription(planId: plan, label: "Number \(number)"), by: ada)
        }
        let own = PrivatePlan(
            provider: "Gym", name: "Off-peak", category: "Sports", fee: amount("19"), currency: "EUR",
            duration: PlanDuration(value: 1, unit: .month))
        let private_ = try await call(CreateSubscription(plan: own, autoRenew: true), by: ada)
        // It renews when it is looked at.
        try await call(CreateSubscription(planId: plan, startDate: day("2025-10-31"), autoRenew: true), by: ada)
        for status in [nil] + Subscription.Status.allCases.map(Optional.some) {
            let page = try await call(ListSubscriptions(status: status, limit: 1), by: ada)
            try await call(ListSubscriptions(status: status, limit: 5, cursor: page.nextCursor), by: ada)
        }
        let due = try await call(ListSubscriptions(dueWithin: 400, limit: 2), by: ada)
        try await call(ListSubscriptions(dueWithin: 400, cursor: due.nextCursor), by: ada)
        try await call(GetSubscription(id: made.id), by: ada)
        try await call(
            UpdateSubscription(
                id: made.id, startDate: .set(day("2026-01-02")), freeTrial: .set(false), autoRenew: .set(false),
                fee: .set(amount("3")), label: .set("x"), reminderDays: .set(2), note: .set("y")), by: ada)
        try await call(
            UpdateSubscription(
                id: private_.id,
                plan: .set(
                    PrivatePlanPatch(
                        provider: .set("Club"), name: .set("All day"), type: .set("Standard"), category: .set("Fun"),
                        fee: .set(amount("20")), duration: .set(PlanDuration(value: 1, unit: .year)),
                        trialDays: .set(3), noticeDays: .set(2)))), by: ada)
        try await call(UpdateSubscription(id: made.id, planId: .set(private_.plan.id), fee: .remove), by: ada)
        try await call(RenewSubscription(id: made.id), by: ada)
        let periods = try await call(ListPeriods(id: made.id, limit: 1), by: ada)
        try await call(ListPeriods(id: made.id, cursor: periods.nextCursor), by: ada)
        try await call(CancelSubscription(id: made.id), by: ada)
        try await call(GetDashboard(), by: ada)
        try await call(ResumeSubscription(id: made.id), by: ada)
        try await call(DeleteSubscription(id: made.id), by: ada)
    }
}
