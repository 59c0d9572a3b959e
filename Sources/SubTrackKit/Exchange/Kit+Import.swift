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

    /// A row that is here already, and was not added again.
    public struct LeftOut: Sendable, Hashable, Codable {
        /// Its place in the file: `line 3`, `entry 3`.
        public var place: String
        /// The name that people give it.
        public var name: String
        /// The reason, for people.
        public var reason: String
        /// The id of the subscription that it is.
        public var subscription: UUID
    }

    /// The names of those that were added.
    public var added: [String] = []
    /// Those that were added, with plan, price and dates.
    public var entries: [Entry] = []
    /// How many were here already.
    public var known = 0
    /// Those that were here already, each with the reason.
    public var leftOut: [LeftOut] = []
    /// What could not be taken: where it stands, and why.
    public var faults: [String] = []
    /// Remarks that a reader of the file might not expect.
    public var remarks: [String] = []
}

extension Kit {
    /// How large a file may be that is imported, in bytes.
    public static let maximumImport = 32 << 20

    /// Adds the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values with a line of
    /// names. A row is left out where the same subscription is here already: by its id, or by provider, plan, price, currency, duration and
    /// label. Each that is here stands for one row, so that two like contracts stay two. Rows that are left out, and those that cannot be
    /// read, are named in the report; all others are added.
    ///
    /// A subscription of an own export keeps its plan and its own fee. Of another file, a row whose provider, plan, price, currency and duration are those of one plan of the catalogue becomes a subscription of
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
                var held = HeldSubscriptions(try subscriptions(in: database))
                // Rows with the id of a subscription come before those that are only like it.
                let known = entries.map { entry in entry.id.flatMap { held.take($0) } }
                var added: [UUID] = []
                for (entry, same) in zip(entries, known) {
                    if let same {
                        report.leaveOut(entry, same)
                        continue
                    }
                    do {
                        let new = try run.subscription(entry)
                        if let same = held.take(new.identities) {
                            report.leaveOut(entry, same)
                            continue
                        }
                        let faults = try self.faults(of: new.create, in: database)
                        guard faults.isEmpty else { throw RowFaults(faults) }
                        added.append(try add(new, today: run.today, in: database))
                        report.added.append(entry.name)
                        report.remarks += new.remarks.map { "\(entry.place): \($0)" }
                        if new.hasUsualCurrency { run.usualCount += 1 }
                    } catch let faults as RowFaults {
                        report.faults.append(entry.told(faults.all))
                    } catch let error as KitError {
                        // The store's own troubles are nobody's row.
                        if case .store = error { throw error }
                        report.faults.append(entry.told([error]))
                    }
                }
                report.remarks += ImportedEntry.unread(entries)
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

extension ImportReport {
    /// Notes that a row is a subscription that is here.
    fileprivate mutating func leaveOut(_ entry: ImportedEntry, _ same: TrackedSubscription) {
        let one = same.subscription
        let price = same.ownFee ?? one.plan.fee
        let label = one.label.map { " \"\($0)\"" } ?? ""
        let standing =
            switch one.status {
            case .active: "renews"
            case .cancelled: "runs out"
            case .ended: "ended"
            }
        known += 1
        leftOut.append(
            .init(
                place: entry.position, name: entry.name,
                reason: "is here already: \(one.plan.title)\(label), \(price) \(one.plan.currency) each "
                    + "\(one.plan.duration.words), \(standing) \(one.endDate)", subscription: same.id))
    }
}

/// An entry of a file: of an export of our own, or of whatever other program.
enum ImportedEntry: Sendable {
    case own(ExportedSubscription, Int)
    case other(ImportedRow)

    /// The entries of a file.
    /// - Throws: ``KitError/invalid(field:message:)`` when it has none of the known forms.
    static func entries(of data: Data) throws -> [ImportedEntry] {
        guard data.count <= Kit.maximumImport else {
            throw KitError.invalid(field: "", message: "the file is larger than \(Kit.maximumImport >> 20) MiB")
        }
        // A byte order mark is no part of it.
        let data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(data.dropFirst(3)) : data
        guard data.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) else {
            throw KitError.invalid(field: "", message: "the file is empty")
        }
        let decoder = JSONDecoder()
        let head = try? decoder.decode(ExportHead.self, from: data)
        let isOfDevice = head?.format == SubscriptionExport.format
        guard let head, isOfDevice || head.isOfUser else { return try ImportedRow.rows(of: data).map { .other($0) } }
        guard !isOfDevice || (head.version ?? 0) <= SubscriptionExport.version else {
            throw KitError.invalid(
                field: "", message: "the file was written by a newer version of this program; update this one")
        }
        do {
            let all =
                try isOfDevice
                ? decoder.decode(SubscriptionExport.self, from: data).subscriptions
                : decoder.decode(UserExport.self, from: data).subscriptions.map(\.subscription)
            return all.enumerated().map { .own($1, $0 + 1) }
        } catch let error as DecodingError {
            throw KitError.invalid(
                field: "",
                message: "the file was changed and is no export of this program any more: \(place(of: error))")
        }
    }

    /// Where an export was changed: `entry 3, endDate`.
    private static func place(of error: DecodingError) -> String {
        let path: [any CodingKey] =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: []
            }
        guard let index = path.lazy.compactMap(\.intValue).first else {
            return path.isEmpty ? "it is cut off, or no JSON" : path.map(\.stringValue).joined(separator: ".")
        }
        let members = path.drop { $0.intValue == nil }.dropFirst().map(\.stringValue).joined(separator: ".")
        return members.isEmpty ? "entry \(index + 1)" : "entry \(index + 1), \(members)"
    }

    /// The first members of an export, of a device or of a user.
    private struct ExportHead: Decodable {
        var format: String?
        var version: Int?
        var exportedAt: Instant?
        var user: Owner?

        /// Whether it is an answer of `me.export`, which the web app saves.
        var isOfUser: Bool { exportedAt != nil && user != nil }
    }

    /// A user of the service.
    private struct Owner: Decodable { var id: UUID }

    /// An answer of `me.export`, as far as it is imported.
    private struct UserExport: Decodable {
        struct Entry: Decodable { var subscription: ExportedSubscription }
        var subscriptions: [Entry]
    }

    /// What people call it.
    var name: String {
        switch self {
        case .own(let one, _): one.subscription.label ?? one.subscription.plan.title
        case .other(let row): row.label ?? row.name ?? "without name"
        }
    }

    /// The id that it had where it was exported.
    var id: UUID? {
        switch self {
        case .own(let one, _): one.subscription.id
        case .other: nil
        }
    }

    /// The number that the file has for its currency, where it has numbers.
    var currencyNumber: String? {
        switch self {
        case .own: nil
        case .other(let row): row.currencyNumber
        }
    }

    /// Errors of the entry with its place, and the names that the file has for fields.
    fileprivate func told(_ errors: [KitError]) -> String {
        let said = errors.map { error -> String in
            guard case .other(let row) = self, case .invalid(let field, let message) = error,
                let column = ImportColumn(field: field)
            else { return "\(error)" }
            return "\(KitError.invalid(field: row.name(of: column), message: message))"
        }
        return "\(place): \(said.joined(separator: "; "))"
    }

    /// A remark on the columns of a file that are not read, such as a mistyped one.
    fileprivate static func unread(_ entries: [ImportedEntry]) -> [String] {
        let names = Set(entries.flatMap { if case .other(let row) = $0 { row.unread } else { [String]() } }).sorted()
        guard !names.isEmpty else { return [] }
        let more = names.count > 12 ? " and \(names.count - 12) more" : ""
        let shown = names.prefix(12).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        return ["not read: \(names.count == 1 ? "the column" : "the columns") \(shown)\(more)"]
    }

    /// Where it stands in the file.
    var position: String {
        switch self {
        case .own(_, let number): "entry \(number)"
        case .other(let row): row.place
        }
    }

    /// Where it stands, with its name, for people.
    var place: String { "\(position), \(name)" }
}
