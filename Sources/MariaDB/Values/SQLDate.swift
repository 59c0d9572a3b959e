/// A date without time, as a DATE column holds it: years 1 to 9999 of the proleptic Gregorian calendar.
public struct SQLDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// Nil unless the date exists.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= SQLDate.daysInMonth(year: year, month: month)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// As an ISO 8601 date, `2026-01-31`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Earlier dates first.
    public static func < (left: SQLDate, right: SQLDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    @usableFromInline
    static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension SQLDate: SQLCodable {
    /// Binds a DATE.
    public func encode(into binds: inout SQLBinds) { binds.append(year: year, month: month, day: day) }

    /// Reads a DATE column. A zero date, or one with a zero month or day, is an error.
    @inlinable
    public init(cell: borrowing SQLCell) throws {
        let (year, month, day) = try cell.date()
        guard let date = SQLDate(year: year, month: month, day: day) else {
            throw SQLCell.Mismatch("holds a zero or impossible date")
        }
        self = date
    }
}
