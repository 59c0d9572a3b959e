import SubTrackAPI

/// What a provider sold on one day, in how many countries as may be, and at what price.
///
/// In a file it is a JSON array of `{country_code, currency, plans: [{name, price}]}`; a price of `null` says that the
/// plan is not sold there. Other fields are not looked at.
public struct PriceSnapshot: Sendable {
    /// What is sold in a country.
    struct Country: Sendable, Equatable {
        /// ISO 3166-1 alpha-2, as the file has it.
        var code: String
        /// ISO 4217, as the file has it.
        var currency: String
        /// The plans that are sold.
        var offers: [Offer] = []
        /// How many plans the file says are not sold.
        var notSold = 0
        /// The names of all its plans, sold or not, readable or not.
        var names: [String] = []
    }

    /// A plan and what it costs.
    struct Offer: Sendable, Equatable {
        var name: String
        var fee: Amount
    }

    /// The file's name, for messages.
    public let name: String
    /// The day from which its prices hold.
    public let effectiveOn: CalendarDate
    /// The countries that could be read, in the file's order.
    let countries: [Country]
    /// What could not be read. Nothing of a snapshot that has a fault is ever loaded.
    let faults: [SnapshotFault]

    /// The largest file that is read, in bytes: a hundred times one with 250 countries.
    public static let maximumBytes = 16 << 20

    /// The number of prices in it.
    public var offerCount: Int { countries.reduce(0) { $0 + $1.offers.count } }

    /// The same snapshot with one country alone.
    func limited(to code: String) -> PriceSnapshot {
        PriceSnapshot(
            name: name, effectiveOn: effectiveOn, countries: countries.filter { $0.code == code }, faults: [])
    }

    /// The day that stands in a file's name, such as `2023-01-07.json`.
    /// - Returns: nil when there is nothing in the name that looks like a day.
    /// - Throws: `SettingsError` when something looks like a day and is none: taking today instead would be a surprise.
    public static func day(inFileName name: String) throws -> CalendarDate? {
        let bytes = Array(name.utf8)
        func isDigit(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
        }
        for start in bytes.indices.dropLast(9) where !isDigit(start - 1) && !isDigit(start + 10) {
            let shape = [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { isDigit(start + $0) }
            guard shape, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-") else { continue }
            let text = String(decoding: bytes[start..<start + 10], as: UTF8.self)
            guard let day = CalendarDate(text) else {
                throw SettingsError("\(text) in the file's name is no day of the calendar; give one by --effective-on")
            }
            return day
        }
        return nil
    }
}

extension CalendarDate {
    /// The days that the database takes for prices and rates.
    public static let ofCatalogue =
        CalendarDate(daysSince1970: 1)...(CalendarDate("2999-12-31") ?? CalendarDate.range.upperBound)
}

/// Why a snapshot cannot be loaded: one reason of perhaps many.
public struct SnapshotFault: Sendable, Hashable, Encodable {
    /// The file's name.
    public let file: String
    /// The country's code, where it is known.
    public var country: String?
    /// The plan's name, where the fault is one plan's.
    public var plan: String?
    /// What is wrong, in words, with the value as it was found.
    public let reason: String
}

extension SnapshotFault: CustomStringConvertible {
    /// `2023-01-07.json: DE, basic: the price is negative: -1`.
    public var description: String {
        let place = [country, plan].compactMap(\.self).map { ShownText.of($0) }.joined(separator: ", ")
        return "\(file): \(place.isEmpty ? "" : place + ": ")\(reason)"
    }
}

/// What is wrong with snapshots. Nothing was written.
public struct SnapshotFaults: Error, CustomStringConvertible {
    /// All faults of all files, in their order.
    public let faults: [SnapshotFault]

    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
