import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// What an import came to.
public struct ImportReport: Sendable, Hashable, Codable {
    /// A subscription that was added, or would be.
    public struct Entry: Sendable, Hashable, Codable {
        /// The subscription, as it stands on this device then.
        public var subscription: Subscription
        /// Whether it has a plan of the catalogue, and not one of the user's own.
        public var isOfCatalogue: Bool
    }

    /// The names of those that were added.
    public var added: [String] = []
    /// Those that were added, with plan, price and dates.
    public var entries: [Entry] = []
    /// How many were here already.
    public var known = 0
    /// What could not be taken: where it stands, and why.
    public var faults: [String] = []
    /// Remarks that a reader of the file might not expect.
    public var remarks: [String] = []
}

extension Kit {
    /// How large a file may be that is imported, in bytes.
    public static let maximumImport = 32 << 20

    /// Adds the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values with a line of
    /// names. Of those with the same provider, plan, currency, duration and label as many are left out as are here already, so that a file
    /// can be imported again, and two like contracts stay two. What cannot be read is told; all others are added.
    ///
    /// A row whose provider, plan, price, currency and duration are those of one plan of the catalogue becomes a subscription of
    /// that plan, others get a plan of the user's own. Cancelled ones are kept as cancelled.
    /// - Parameters:
    ///   - currency: the currency of rows without one, and of a sign that several currencies have; nil: the
    ///     currency of the user's country where a file does not say it.
    ///   - numbered: the currencies of a file that has numbers for them, by number.
    ///   - isTrial: add nothing, and tell what would be added.
    /// - Throws: ``KitError/invalid(field:message:)`` when the file has none of the forms; ``KitError/store(_:)``, and then
    ///   nothing was added.
    public func importFile(
        _ data: Data, currency: String? = nil, numbered: [String: String] = [:], isTrial: Bool = false
    ) throws -> ImportReport {
        let entries = try ImportedEntry.entries(of: data)
        return try store.write { database in
            var report = ImportReport()
            try database.inSavepoint {
                let country = try LocalReading.overlayUser(in: database).country
                var run = ImportRun(
                    currency: currency, numbered: numbered,
                    usual: try currency ?? Self.country(country, in: database)?.currency, country: country,
                    today: try today(in: database), database: database,
                    currencyNumbers: Set(entries.compactMap(\.currencyNumber)))
                var here: [ImportIdentity: Int] = [:]
                for one in try subscriptions(in: database) { here[ImportIdentity(one.subscription), default: 0] += 1 }
                var added: [UUID] = []
                for entry in entries {
                    do {
                        let new = try run.subscription(entry)
                        if let known = new.identities.first(where: { here[$0, default: 0] > 0 }) {
                            here[known, default: 0] -= 1
                            report.known += 1
                            continue
                        }
                        added.append(try add(new, today: run.today, in: database))
                        report.added.append(entry.name)
                        report.remarks += new.remarks.map { "\(entry.place): \($0)" }
                        if new.hasUsualCurrency { run.usualCount += 1 }
                    } catch let error as KitError {
                        // The store's own troubles are nobody's row.
                        if case .store = error { throw error }
                        report.faults.append("\(entry.place): \(entry.told(error))")
                    }
                }
                report.entries = try self.entries(added, in: database)
                if let remark = run.remarkOnCurrency { report.remarks.append(remark) }
                return isTrial ? .rollback : .commit
            }
            return report
        }
    }

    private func add(_ new: ImportedSubscription, today: CalendarDate, in database: Database) throws -> UUID {
        let id = try add(new.create, in: database)
        guard new.isCancelled else { return id }
        try Store.enqueue(.subscription, id: id.lowercased, op: .cancel, today: today, in: database)
        if new.renewsLater {
            try Store.enqueue(
                .subscription, id: id.lowercased, op: .update, fields: ["autoRenew": .bool(true)], today: today,
                in: database)
        }
        return id
    }

    /// The added subscriptions, as they stand now.
    private func entries(_ added: [UUID], in database: Database) throws -> [ImportReport.Entry] {
        guard !added.isEmpty else { return [] }
        let held = Dictionary(
            try subscriptions(in: database).map { ($0.id, $0.subscription) }, uniquingKeysWith: { $1 })
        return added.compactMap { held[$0] }.map { .init(subscription: $0, isOfCatalogue: !$0.plan.private) }
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
        case .own(let one, _): one.label ?? one.plan.title
        case .other(let row): row.label ?? row.name ?? "without name"
        }
    }

    /// The number that the file has for its currency, where it has numbers.
    var currencyNumber: String? {
        switch self {
        case .own: nil
        case .other(let row): row.currencyNumber
        }
    }

    /// An error with the names that the file has for fields.
    func told(_ error: KitError) -> KitError {
        guard case .other = self, case .invalid(let field, let message) = error else { return error }
        return .invalid(field: Self.columns[field] ?? field, message: message)
    }

    /// The columns of a file by the fields that come of them.
    private static let columns = [
        "plan.provider": "name", "plan.name": "plan", "plan.category": "category", "plan.fee": "price", "fee": "price",
        "plan.currency": "currency", "plan.duration": "cycle", "startDate": "start_date",
        "nextRenewal": "next_renewal", "cancellationDate": "cancellation_date", "reminderDays": "reminder_days",
        "autoRenew": "auto_renew",
    ]

    /// Where it stands, for people.
    var place: String {
        switch self {
        case .own(_, let number): "entry \(number), \(name)"
        case .other(let row): "\(row.place), \(name)"
        }
    }
}
