import SubTrackAPI
import SubTrackCore

/// A new plan of a user's own whose fields were checked, but for the fee, whose digits are its currency's.
struct CheckedPrivatePlan: Sendable {
    let provider: String
    let name: String
    let type: String
    let category: String?
    let fee: Amount
    let currency: String
    let duration: PlanDuration
    let trialDays: Int?
    let noticeDays: Int

    /// Checks a typed plan.
    /// - Parameter faults: gets the faults; the values in their place are not to be used.
    init(_ plan: PrivatePlan, faults: inout InputFaults) throws {
        provider = try faults.check(or: "") {
            try InputText.required(plan.provider, field: "plan.provider", maximum: 100)
        }
        name = try faults.check(or: "") { try InputText.required(plan.name, field: "plan.name", maximum: 100) }
        type = try faults.check(or: "") {
            try InputText.optional(plan.type, field: "plan.type", maximum: 30) ?? "Standard"
        }
        category = try faults.check(or: nil) {
            try InputText.optional(plan.category, field: "plan.category", maximum: 50)
        }
        duration = try faults.check(or: plan.duration) { try SubscriptionInput.duration(plan.duration) }
        trialDays = try faults.check(or: nil) {
            try SubscriptionInput.planDays(plan.trialDays, field: "plan.trialDays", from: 1)
        }
        noticeDays = try faults.check(or: 0) {
            try SubscriptionInput.planDays(plan.noticeDays, field: "plan.noticeDays", from: 0) ?? 0
        }
        fee = plan.fee
        currency = plan.currency
    }
}
