import Foundation
import SubTrackAPI

extension ImportedRow {
    /// Whether the plan is the user's own; nil: the row does not say whose it is.
    func source() throws -> Bool? {
        guard let text = text(.planSource) else { return nil }
        switch text.lowercased() {
        case "own": return true
        case "catalog", "catalogue": return false
        default: throw fault(.planSource, "\"\(text.prefix(40))\" is neither own nor catalog")
        }
    }

    /// The subscription of a table that ``SubscriptionExport/csv`` gave.
    /// - Parameters:
    ///   - plan: the plan that the row says, with the price that the user pays.
    ///   - country: the user's, for a row that does not say the plan's.
    ///   - digits: the digits of its currency after the point.
    /// - Returns: nil where the row does not say whose the plan is, or has no dates: it is read as a row of another program then.
    /// - Throws: ``KitError/invalid(field:message:)`` where it says something that cannot be read.
    func exported(_ plan: PrivatePlan, country: String, digits: Int) throws -> ExportedSubscription? {
        guard let isOwn = try source(), let start = try startDate(), let end = try nextRenewal() else { return nil }
        let listed = try amount(.planPrice, digits: digits)
        let full = Plan(
            id: 0, provider: plan.provider, name: plan.name, type: plan.type ?? "Standard",
            category: plan.category ?? "Other", country: text(.country) ?? country, fee: listed ?? plan.fee,
            currency: plan.currency, duration: plan.duration, trialDays: try number(.trialDays, in: 1...1200),
            noticeDays: try number(.noticeDays, in: 0...1200) ?? 0, withdrawn: false, private: isOwn)
        return ExportedSubscription(
            subscription: Subscription(
                id: UUID(), plan: full, label: label, startDate: start, endDate: end, remaining: 0, period: 0,
                fee: plan.fee, currency: plan.currency, next: nil, freeTrial: try isTrial(),
                autoRenew: try flag(.autoRenew) ?? false, status: try isActive() ? .active : .cancelled, cancelBy: end,
                reminderDays: try reminderDays(), muted: try isMuted(), note: note, version: 0),
            ownFee: listed == nil ? nil : plan.fee, cancelledOn: nil)
    }
}
