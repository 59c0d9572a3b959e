import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// What an import came to.
public struct ImportReport: Sendable, Hashable, Codable {
    /// The names of those that were added.
    public var added: [String] = []
    /// How many were here already.
    public var known = 0
    /// What could not be taken: where it stands, and why.
    public var faults: [String] = []
}

extension Kit {
    /// How large a file may be that is imported, in bytes.
    public static let maximumImport = 32 << 20

    /// Adds the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values with a line of
    /// names. Of those with the same provider, plan, currency, duration and label as many are left out as are here already, so that a file
    /// can be imported again, and two like contracts stay two. What cannot be read is told; all others are added.
    /// - Parameters:
    ///   - currency: what is meant where a file does not say it, or says it by a sign that several currencies have.
    ///   - isTrial: add nothing, and tell what would be added.
    /// - Throws: ``KitError/invalid(field:message:)`` when the file has none of the forms; ``KitError/store(_:)``, and then
    ///   nothing was added.
    public func importFile(_ data: Data, currency: String? = nil, isTrial: Bool = false) throws -> ImportReport {
        let entries = try ImportedEntry.entries(of: data)
        return try store.write { database in
            var report = ImportReport()
            try database.inSavepoint {
                let run = ImportRun(
                    currency: currency, country: try LocalReading.overlayUser(in: database).country,
                    today: try today(in: database), database: database)
                var here: [ImportIdentity: Int] = [:]
                for one in try subscriptions(in: database) { here[ImportIdentity(one.subscription), default: 0] += 1 }
                for entry in entries {
                    do {
                        let identity = try run.identity(entry)
                        if let count = here[identity], count > 0 {
                            here[identity] = count - 1
                            report.known += 1
                            continue
                        }
                        let name = try add(entry, run, in: database)
                        report.added.append(name)
                    } catch let error as KitError {
                        // The store's own troubles are nobody's row.
                        if case .store = error { throw error }
                        report.faults.append("\(entry.place): \(error)")
                    }
                }
                return isTrial ? .rollback : .commit
            }
            return report
        }
    }

    private func add(_ entry: ImportedEntry, _ run: ImportRun, in database: Database) throws -> String {
        let new = try run.subscription(entry)
        _ = try add(new, in: database)
        return entry.name
    }
}

/// An entry of a file: of an export of our own, or of whatever other program.
enum ImportedEntry: Sendable {
    case own(Subscription, Int)
    case other(ImportedRow)

    /// The entries of a file.
    /// - Throws: ``KitError/invalid(field:message:)`` when it has none of the known forms.
    static func entries(of data: Data) throws -> [ImportedEntry] {
        guard data.count <= Kit.maximumImport else {
            throw KitError.invalid(field: "", message: "the file is larger than \(Kit.maximumImport >> 20) MiB")
        }
        let head = try? JSONDecoder().decode(ExportHead.self, from: data)
        guard let head, head.format == SubscriptionExport.format else {
            return try ImportedRow.rows(of: data).map { .other($0) }
        }
        guard head.version <= SubscriptionExport.version else {
            throw KitError.invalid(
                field: "", message: "the file was written by a newer version of this program; update this one")
        }
        do {
            return try JSONDecoder().decode(SubscriptionExport.self, from: data).subscriptions.enumerated()
                .map { .own($1, $0 + 1) }
        } catch {
            throw KitError.invalid(field: "", message: "the file was changed and is no export of this program any more")
        }
    }

    /// What every version of an export begins with.
    private struct ExportHead: Decodable {
        var format: String
        var version: Int
    }

    /// What people call it.
    var name: String {
        switch self {
        case .own(let one, _): one.label ?? "\(one.plan.provider) \(one.plan.name)"
        case .other(let row): row.label ?? row.name ?? "without name"
        }
    }

    /// Where it stands, for people.
    var place: String {
        switch self {
        case .own(_, let number): "entry \(number), \(name)"
        case .other(let row): "\(row.place), \(name)"
        }
    }
}

/// What makes two subscriptions like each other.
struct ImportIdentity: Hashable {
    private let parts: [String]

    private init(_ provider: String, _ plan: String, _ currency: String, _ duration: PlanDuration, _ label: String?) {
        parts = [
            provider.lowercased(), plan.lowercased(), currency, "\(duration.value) \(duration.unit.rawValue)",
            label?.lowercased() ?? "",
        ]
    }

    init(_ one: Subscription) {
        self.init(one.plan.provider, one.plan.name, one.currency, one.plan.duration, one.label)
    }

    init(_ plan: PrivatePlan, label: String?) {
        self.init(plan.provider, plan.name, plan.currency, plan.duration, label)
    }
}

/// Makes subscriptions of entries.
struct ImportRun {
    let currency: String?
    /// The user's.
    let country: String
    let today: CalendarDate
    let database: Database

    func identity(_ entry: ImportedEntry) throws -> ImportIdentity {
        switch entry {
        case .own(let one, _): return ImportIdentity(one)
        case .other(let row): return ImportIdentity(try plan(row), label: row.label)
        }
    }

    func subscription(_ entry: ImportedEntry) throws -> CreateSubscription {
        switch entry {
        case .own(let one, _): try subscription(one)
        case .other(let row): try subscription(row)
        }
    }

    /// To the same plan of the catalogue where it is here, else to one of the user's own.
    private func subscription(_ one: Subscription) throws -> CreateSubscription {
        guard one.status == .active else {
            throw KitError.invalid(field: "", message: "it was cancelled and is left out")
        }
        let plan = one.plan
        var new = CreateSubscription(
            freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label, reminderDays: one.reminderDays,
            note: one.note)
        if let same = try plan.private ? nil : planHere(like: plan) {
            new.planId = same.id
            if !one.freeTrial, one.fee != same.fee, one.currency == same.currency { new.fee = one.fee }
        } else {
            new.plan = PrivatePlan(
                provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee,
                currency: plan.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays
            )
            if !one.freeTrial, one.fee != plan.fee, one.currency == plan.currency { new.fee = one.fee }
        }
        let terms = try? BillingTerms(plan)
        // A period from its first day keeps the day of the month also where its end was clamped: 31 January to 28 February.
        if let terms,
            (try? BillingState.begin(on: one.startDate, terms: terms, freeTrial: one.freeTrial).end) == one.endDate
        {
            new.startDate = one.startDate
        } else {
            new.nextRenewal = one.endDate
        }
        return new
    }

    private func planHere(like plan: Plan) throws -> Plan? {
        let rows = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM plan WHERE provider = ? AND name = ? AND type = ? AND country = ? AND durationValue = ?
                    AND durationUnit = ? AND NOT private AND (withdrawnOn IS NULL OR withdrawnOn > ?) LIMIT 1
                """,
            arguments: [
                plan.provider, plan.name, plan.type, plan.country, plan.duration.value, plan.duration.unit.rawValue,
                today.stored,
            ])
        guard let id = rows.first else { return nil }
        return try PlanTable([id], in: database).plan(id, today: today)
    }

    private func plan(_ row: ImportedRow) throws -> PrivatePlan {
        if let fault = row.fault { throw KitError.invalid(field: "", message: fault) }
        guard row.isActive else {
            throw KitError.invalid(field: "", message: "it is not active and is left out")
        }
        guard let name = row.name else { throw KitError.invalid(field: "name", message: "is missing") }
        return PrivatePlan(
            provider: name, name: row.plan ?? "Standard", category: row.category, fee: try row.fee(),
            currency: try row.currency(or: currency, country: country), duration: try row.duration())
    }

    private func subscription(_ row: ImportedRow) throws -> CreateSubscription {
        let plan = try plan(row)
        var new = CreateSubscription(
            plan: plan, freeTrial: row.isTrial ? true : nil, autoRenew: row.autoRenew, label: row.label, note: row.note)
        switch (try row.startDate(), try row.nextRenewal()) {
        case (let start, let end?):
            // Where the calendar of the first day leads to the renewal, its day of the month is the one to keep.
            if let start = start.flatMap({ periodStart(from: $0, endingOn: end, plan.duration) }) {
                new.startDate = start
            } else {
                new.nextRenewal = end
            }
        case (let start?, nil):
            // The day on which it began, maybe years ago: it is in the period of today.
            let count = BillingCalendar.countOfFirst(after: today, anchor: start, duration: plan.duration)
            let end = BillingCalendar.date(anchor: start, count: max(count, 1), duration: plan.duration)
            if row.isTrial || count < 2 {
                new.startDate = start
            } else if let end, let first = periodStart(from: start, endingOn: end, plan.duration) {
                new.startDate = first
            } else {
                new.nextRenewal = end
            }
        case (nil, nil): new.startDate = today
        }
        return new
    }

    /// The first day of the period that ends on a day in the calendar of an anchor.
    /// - Returns: nil where the calendar does not lead there, or a period from that day would end on another.
    private func periodStart(
        from anchor: CalendarDate, endingOn end: CalendarDate, _ duration: PlanDuration
    ) -> CalendarDate? {
        guard anchor < end else { return nil }
        let count = BillingCalendar.countOfFirst(after: end.adding(days: -1), anchor: anchor, duration: duration)
        guard BillingCalendar.date(anchor: anchor, count: count, duration: duration) == end,
            let start = BillingCalendar.date(anchor: anchor, count: count - 1, duration: duration),
            BillingCalendar.date(anchor: start, count: 1, duration: duration) == end
        else { return nil }
        return start
    }
}
