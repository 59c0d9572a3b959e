import Foundation
import SubTrackAPI

/// What an import came to.
public struct ImportReport: Sendable, Hashable, Codable {
    /// The names of those that were added.
    public var added: [String] = []
    /// How many were here already.
    public var known = 0
    /// What could not be taken, and why.
    public var faults: [String] = []
}

extension Kit {
    /// Adds the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values with a line of
    /// names. What has a name, fee, currency and duration that is here already is left out, so that a file can be
    /// imported again.
    /// - Parameters:
    ///   - currency: what is meant where a file does not say it, or says it by a sign that several currencies have.
    ///   - isTrial: add nothing, and tell what would be added.
    /// - Throws: ``KitError/invalid(field:message:)`` when the file has none of the forms.
    public func importFile(_ data: Data, currency: String? = nil, isTrial: Bool = false) throws -> ImportReport {
        var report = ImportReport()
        var new: [CreateSubscription] = []
        let today = try today()
        var known = Set(try subscriptions().map { Self.identity($0.subscription) })
        if let own = try? JSONDecoder().decode(SubscriptionExport.self, from: data), own.format == "subtrack" {
            for one in own.subscriptions {
                guard known.insert(Self.identity(one)).inserted else {
                    report.known += 1
                    continue
                }
                guard one.status == .active else {
                    report.faults.append("\(one.plan.provider): it was cancelled and is left out")
                    continue
                }
                new.append(try subscription(one))
                report.added.append(one.label ?? "\(one.plan.provider) \(one.plan.name)")
            }
        } else {
            for (index, row) in try ImportedRow.rows(of: data).enumerated() {
                do {
                    let one = try subscription(row, currency: currency, today: today)
                    guard known.insert(Self.identity(one)).inserted else {
                        report.known += 1
                        continue
                    }
                    new.append(one)
                    report.added.append(one.plan?.provider ?? "")
                } catch let error as KitError {
                    report.faults.append("\(index + 1), \(row.name ?? "without name"): \(error)")
                }
            }
        }
        if !isTrial { _ = try add(new) }
        return report
    }

    /// What makes two subscriptions the same for an import.
    private static func identity(_ one: Subscription) -> [String] {
        [
            one.plan.provider.lowercased(), one.plan.name.lowercased(), one.currency, "\(one.plan.duration)",
            one.label?.lowercased() ?? "",
        ]
    }

    private static func identity(_ one: CreateSubscription) -> [String] {
        guard let plan = one.plan else { return [] }
        return [
            plan.provider.lowercased(), plan.name.lowercased(), plan.currency, "\(plan.duration)",
            one.label?.lowercased() ?? "",
        ]
    }

    /// A subscription of an own export: to the same plan of the catalogue where it is here, else to one of the user's own.
    private func subscription(_ one: Subscription) throws -> CreateSubscription {
        let plan = one.plan
        let same =
            plan.private
            ? nil
            : try plans(matching: plan.provider, limit: 1000).first {
                $0.provider == plan.provider && $0.name == plan.name && $0.type == plan.type
                    && $0.country == plan.country
                    && $0.duration == plan.duration
            }
        var new = CreateSubscription(
            nextRenewal: one.endDate, freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label,
            reminderDays: one.reminderDays, note: one.note)
        if let same {
            new.planId = same.id
            if !one.freeTrial, one.fee != same.fee, one.currency == same.currency { new.fee = one.fee }
        } else {
            new.plan = PrivatePlan(
                provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee,
                currency: plan.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays
            )
        }
        return new
    }

    private func subscription(
        _ row: ImportedRow, currency: String?, today: CalendarDate
    ) throws -> CreateSubscription {
        guard row.isActive else {
            throw KitError.invalid(field: "", message: "it is not active and is left out")
        }
        guard let name = row.name else { throw KitError.invalid(field: "name", message: "is missing") }
        guard let fee = row.fee else { throw KitError.invalid(field: "price", message: "is no amount") }
        guard let currency = row.currency(or: currency) else {
            throw KitError.invalid(field: "currency", message: "is missing; give one for those without (--currency)")
        }
        guard let duration = row.duration else { throw KitError.invalid(field: "cycle", message: "cannot be read") }
        var new = CreateSubscription(
            plan: PrivatePlan(
                provider: name, name: row.plan ?? "Standard", category: row.category, fee: fee, currency: currency,
                duration: duration),
            freeTrial: row.isTrial ? true : nil, autoRenew: row.autoRenew, label: row.label, note: row.note)
        if let end = row.nextRenewal { new.nextRenewal = end } else { new.startDate = row.startDate ?? today }
        return new
    }
}
