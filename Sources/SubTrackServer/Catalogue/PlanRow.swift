import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A plan as it is stored, with its provider's category and today's price.
struct PlanRow {
    /// The columns that ``init(row:from:today:)`` reads. In the statement `p` is the plan, `r` its public provider, `o` its
    /// owner's, if it has an owner, and `x` one of its further prices.
    static let columns: SQL = "\(ownColumns), x.Effective_on, x.Fee, x.Currency_code"

    private static let ownColumns: SQL =
        """
        p.Plan_ID, p.Provider, p.Plan_name, p.Subscription_type, COALESCE(o.Category, r.Category, 'Other'),
        p.Country_ID, p.Fee, p.Currency_code, p.Duration_value, p.Duration_unit, p.Trial_days, p.Notice_days,
        p.Withdrawn_on, p.Owner_ID, p.Ver, p.Fee_since
        """

    /// The tables beside the plan that the columns are read from. A plan with several prices gives several rows: see
    /// ``PricedRows``. The index of the prices is named, for the database reads all of them where its statistics are from before
    /// they were loaded.
    static let joins: SQL =
        """
        \(providers)
        LEFT JOIN Plan_price x FORCE INDEX (PRIMARY) ON x.Plan_ID = p.Plan_ID
        """

    private static let providers: SQL =
        """
        LEFT JOIN Provider r ON r.Provider = p.Provider AND p.Owner_ID IS NULL
        LEFT JOIN Private_provider o ON o.Owner_ID = p.Owner_ID AND o.Provider = p.Provider
        """

    /// ``columns``, with the further prices of plans or with nothing in their place.
    static func columns(_ join: PricedJoin) -> SQL {
        switch join {
        case .joined: columns
        case .apart: "\(ownColumns), NULL, NULL, NULL"
        }
    }

    /// ``joins``, with the further prices of plans or without.
    static func joins(_ join: PricedJoin) -> SQL {
        switch join {
        case .joined: joins
        case .apart: providers
        }
    }

    let id: Int64
    let provider: String
    let name: String
    let type: String
    let category: String
    let country: String
    let stored: Price
    let duration: PlanDuration
    let trialDays: Int?
    let noticeDays: Int
    let withdrawnOn: CalendarDate?
    let owner: UUID?
    let version: Int64
    /// The first day on which the stored price holds.
    let storedSince: CalendarDate
    private var pricesToday: PriceOnDay

    /// Today's price.
    var today: Price { pricesToday.price }

    /// Reads a plan from the columns that begin at an index.
    init(row: Row, from first: Int, today day: CalendarDate) throws {
        id = try row.decode(Int64.self, at: first)
        provider = try row.decode(String.self, at: first + 1)
        name = try row.decode(String.self, at: first + 2)
        type = try row.decode(String.self, at: first + 3)
        category = try row.decode(String.self, at: first + 4)
        country = try row.decode(String.self, at: first + 5)
        stored = Price(
            fee: try row.decode(Amount.self, at: first + 6), currency: try row.decode(String.self, at: first + 7))
        duration = PlanDuration(
            value: try row.decode(Int.self, at: first + 8), unit: try row.decode(PlanDuration.Unit.self, at: first + 9))
        trialDays = try row.decode(Int?.self, at: first + 10)
        noticeDays = try row.decode(Int.self, at: first + 11)
        withdrawnOn = try row.decode(CalendarDate?.self, at: first + 12)
        owner = try row.decode(UUID?.self, at: first + 13)
        version = try row.decode(Int64.self, at: first + 14)
        storedSince = try row.decode(CalendarDate.self, at: first + 15)
        pricesToday = PriceOnDay(day, effectiveOn: storedSince, price: stored)
        if let entry = try Self.price(of: row, from: first) { pricesToday.consider(entry.effectiveOn, entry.price) }
    }

    /// The further price of a row; nil when the plan has none.
    static func price(of row: Row, from first: Int) throws -> PriceLine.Entry? {
        guard let day = try row.decode(CalendarDate?.self, at: first + 16) else { return nil }
        let price = Price(
            fee: try row.decode(Amount.self, at: first + 17), currency: try row.decode(String.self, at: first + 18))
        return PriceLine.Entry(effectiveOn: day, price: price)
    }

    /// Takes another price of the line.
    mutating func take(_ entry: PriceLine.Entry) { pricesToday.consider(entry.effectiveOn, entry.price) }

    /// Takes the whole line.
    mutating func take(_ line: PriceLine) { pricesToday.take(line) }

    /// The plan as clients see it.
    /// - Parameter digits: the digits of each currency.
    func plan(digits: [String: Int], today day: CalendarDate) -> Plan {
        Plan(
            id: id, provider: provider, name: name, type: type, category: category, country: country,
            fee: today.fee.written(in: today.currency, digits: digits), currency: today.currency, duration: duration,
            trialDays: trialDays, noticeDays: noticeDays, withdrawn: withdrawnOn.map { $0 <= day } ?? false,
            private: owner != nil)
    }
}

extension PlanRow: PricedRow {
    var planID: Int64 { id }

    init(row: Row, today: CalendarDate) throws { try self.init(row: row, from: 0, today: today) }

    func isContinued(by row: Row) throws -> Bool { try row.decode(Int64.self, at: 0) == id }

    mutating func takePrice(of row: Row) throws {
        if let entry = try Self.price(of: row, from: 0) { take(entry) }
    }
}

extension PlanDuration.Unit: SQLCodable {
    public func encode(into binds: inout SQLBinds) { binds.append(text: rawValue) }

    public init(cell: borrowing SQLCell) throws {
        guard let unit = PlanDuration.Unit(rawValue: try cell.text()) else {
            throw SQLCell.Mismatch("is not a unit of the calendar")
        }
        self = unit
    }
}

extension Amount {
    /// The amount with the digits of its currency. One that has more, because its currency has lost some since, is
    /// rounded half away from zero, as the database does.
    func written(in currency: String, digits: [String: Int]) -> Amount {
        let wanted = digits[currency] ?? 2
        if let exact = rescaled(toDigits: wanted) { return exact }
        let divisor = Amount.unitsPerOne(digits: max(self.digits - wanted, 0))
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: divisor)
        let carry: Int64 = remainder.magnitude >= divisor.magnitude.dividedRoundingUp(by: 2) ? units.signum() : 0
        return Amount(units: quotient + carry, digits: wanted)
    }
}

extension UInt64 {
    /// A quotient that is rounded up.
    fileprivate func dividedRoundingUp(by divisor: UInt64) -> UInt64 { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
