import Foundation
import GRDB
import SubTrackAPI

/// A kind of row, as the columns of a table of its own.
protocol StoredColumns {
    /// The table.
    static var table: String { get }
    /// The columns beside `id`, `scope` and `version`.
    static var columns: [String] { get }
    /// The values of ``columns``.
    var values: [(any DatabaseValueConvertible)?] { get }
    /// Reads the values of ``columns``.
    init(_ reader: inout ColumnReader) throws
}

extension StoredColumns {
    /// The columns as a list for a `SELECT`, with the name of the table before each.
    static func selection(_ alias: String) -> String { columns.map { "\(alias).\($0)" }.joined(separator: ", ") }

    /// The statement that takes in a row unless the one that is held is newer.
    static var upsert: String {
        let all = ["id", "scope", "version"] + columns
        return """
            INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (id, scope) DO UPDATE SET \((["version"] + columns).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE excluded.version >= version
            """
    }
}

extension StoredUser: StoredColumns {
    static let table = "me"
    static let columns = ["userName", "country", "timeZone", "accounts"]

    var values: [(any DatabaseValueConvertible)?] {
        [userName, country, timeZone, (try? JSON.text(accounts)) ?? "[]"]
    }

    init(_ reader: inout ColumnReader) throws {
        self.init(
            userName: try reader.optionalText(), country: try reader.text(), timeZone: try reader.text(), accounts: [])
        let accounts = try reader.text()
        if accounts != "[]" { self.accounts = (try? JSON.value([User.Account].self, accounts)) ?? [] }
    }
}

extension StoredSubscription: StoredColumns {
    static let table = "subscription"
    static let columns = [
        "planId", "label", "startDate", "endDate", "freeTrial", "anchorDate", "anchorCount", "period", "fee",
        "currency",
        "ownFee", "autoRenew", "cancelledOn", "reminderDays", "muted", "note",
    ]

    var values: [(any DatabaseValueConvertible)?] {
        [
            planId, label, startDate.stored, endDate.stored, freeTrial, anchorDate.stored, anchorCount, period,
            fee.description, currency, ownFee?.description, autoRenew, cancelledOn?.stored, reminderDays, muted,
            note,
        ]
    }

    init(_ reader: inout ColumnReader) throws {
        self.init(
            planId: try reader.integer(), label: try reader.optionalText(), startDate: try reader.day(),
            endDate: try reader.day(), freeTrial: try reader.flag(), anchorDate: try reader.day(),
            anchorCount: try reader.int(), period: try reader.int(), fee: try reader.amount(),
            currency: try reader.text(), ownFee: try reader.optionalAmount(), autoRenew: try reader.flag(),
            cancelledOn: try reader.optionalDay(), reminderDays: try reader.optionalInt(), muted: try reader.flag(),
            note: try reader.optionalText())
    }
}

extension StoredPeriod: StoredColumns {
    static let table = "period"
    static let columns = ["parent", "number", "startDate", "endDate", "fee", "currency", "freeTrial", "planId"]

    var values: [(any DatabaseValueConvertible)?] {
        [
            subscriptionId.lowercased, number, startDate.stored, endDate.stored, fee.description, currency, freeTrial,
            planId,
        ]
    }

    init(_ reader: inout ColumnReader) throws {
        guard let parent = UUID(stored: try reader.text()) else { throw StoreDamage(place: "the id of a row") }
        self.init(
            subscriptionId: parent, number: try reader.int(), startDate: try reader.day(), endDate: try reader.day(),
            fee: try reader.amount(), currency: try reader.text(), freeTrial: try reader.flag(),
            planId: try reader.integer())
    }
}

extension StoredPlan: StoredColumns {
    static let table = "plan"
    static let columns = [
        "provider", "name", "type", "category", "country", "fee", "currency", "feeSince", "durationValue",
        "durationUnit", "trialDays", "noticeDays", "formerUntil", "formerValue", "formerUnit", "formerNotice",
        "withdrawnOn", "private",
    ]

    var values: [(any DatabaseValueConvertible)?] {
        [
            provider, name, type, category, country, fee.description, currency, feeSince.stored, duration.value,
            duration.unit.rawValue, trialDays, noticeDays, formerTerms?.until.stored, formerTerms?.duration.value,
            formerTerms?.duration.unit.rawValue, formerTerms?.noticeDays, withdrawnOn?.stored, `private`,
        ]
    }

    init(_ reader: inout ColumnReader) throws {
        self.init(
            provider: try reader.text(), name: try reader.text(), type: try reader.text(),
            category: try reader.optionalText(), country: try reader.text(), fee: try reader.amount(),
            currency: try reader.text(), feeSince: try reader.day(), duration: try reader.duration(),
            trialDays: try reader.optionalInt(), noticeDays: try reader.int(), withdrawnOn: nil, private: false)
        let (until, value) = (try reader.optionalDay(), try reader.optionalInt())
        let (unit, notice) = (try reader.optionalText(), try reader.optionalInt())
        if let until, let value, let unit = unit.flatMap(PlanDuration.Unit.init(rawValue:)), let notice {
            formerTerms = StoredTerms(until: until, duration: .init(value: value, unit: unit), noticeDays: notice)
        }
        withdrawnOn = try reader.optionalDay()
        `private` = try reader.flag()
    }
}

extension StoredPrice: StoredColumns {
    static let table = "price"
    static let columns = ["parent", "effectiveOn", "fee", "currency"]

    var values: [(any DatabaseValueConvertible)?] { [planId, effectiveOn.stored, fee.description, currency] }

    init(_ reader: inout ColumnReader) throws {
        self.init(
            planId: try reader.integer(), effectiveOn: try reader.day(), fee: try reader.amount(),
            currency: try reader.text())
    }
}

extension StoredProvider: StoredColumns {
    static let table = "provider"
    static let columns = ["category", "website", "cancelUrl"]
    var values: [(any DatabaseValueConvertible)?] { [category, website, cancelUrl] }

    init(_ reader: inout ColumnReader) throws {
        self.init(
            category: try reader.text(), website: try reader.optionalText(), cancelUrl: try reader.optionalText())
    }
}

extension StoredCountry: StoredColumns {
    static let table = "country"
    static let columns = ["name", "currency"]
    var values: [(any DatabaseValueConvertible)?] { [name, currency] }
    init(_ reader: inout ColumnReader) throws { self.init(name: try reader.text(), currency: try reader.text()) }
}

extension StoredCurrency: StoredColumns {
    static let table = "currency"
    static let columns = ["name", "minorDigits"]
    var values: [(any DatabaseValueConvertible)?] { [name, minorDigits] }
    init(_ reader: inout ColumnReader) throws { self.init(name: try reader.text(), minorDigits: try reader.int()) }
}

extension UUID {
    /// The text as the service writes it.
    var lowercased: String { uuidString.lowercased() }

    /// Reads the text of a UUID. (`UUID(uuidString:)` of Linux has `sscanf` do it, which takes ten times as long.)
    init?(stored text: String) {
        var text = text
        var value = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isRead = text.withUTF8 { digits in
            withUnsafeMutableBytes(of: &value) { bytes in
                guard digits.count == 36 else { return false }
                var place = 0
                for index in bytes.indices {
                    // 8-4-4-4-12
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        guard digits[place] == UInt8(ascii: "-") else { return false }
                        place += 1
                    }
                    guard let high = Self.digit(digits[place]), let low = Self.digit(digits[place + 1]) else {
                        return false
                    }
                    bytes[index] = high << 4 | low
                    place += 2
                }
                return true
            }
        }
        guard isRead else { return nil }
        self.init(uuid: value)
    }

    /// The value of a hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension SyncEntity {
    /// The columns of the rows of this kind; nil for a kind without a table of its own, whose rows are kept as JSON
    /// (``DeclaredRows``).
    var columns: (any (StoredColumns & Codable & Sendable).Type)? {
        switch self {
        case .me: StoredUser.self
        case .subscription: StoredSubscription.self
        case .period: StoredPeriod.self
        case .plan: StoredPlan.self
        case .price: StoredPrice.self
        case .provider: StoredProvider.self
        case .country: StoredCountry.self
        case .currency: StoredCurrency.self
        default: nil
        }
    }

    /// The table of the rows that go with one of this kind; nil: none do.
    var childTable: String? {
        switch self {
        case .subscription: StoredPeriod.table
        case .plan: StoredPrice.table
        default: nil
        }
    }

    /// An id as it is stored; nil where it is none of this kind.
    func key(_ id: String) -> (any DatabaseValueConvertible & Sendable)? {
        switch self {
        case .plan: Int64(id)
        case .me, .subscription: UUID(uuidString: id)?.lowercased
        default: id
        }
    }
}

/// The tables of the server's rows.
enum StoredTables {
    /// Kinds with a table of their own.
    private static var own: [any StoredColumns.Type] {
        [
            StoredUser.self, StoredSubscription.self, StoredPeriod.self, StoredPlan.self, StoredPrice.self,
            StoredProvider.self, StoredCountry.self, StoredCurrency.self,
        ]
    }
    /// The tables of kinds that have one of their own.
    static let names = own.map { $0.table }
    /// The statements that take in rows, by table.
    static let upserts = Dictionary(own.map { ($0.table, $0.upsert) }) { first, _ in first }
}
