import Foundation
import MariaDB
import SubTrackAPI

// The wire's exact values, read from and bound to columns without a detour.

extension CalendarDate: SQLCodable {
    public func encode(into binds: inout SQLBinds) {
        let (year, month, day) = components
        binds.append(year: year, month: month, day: day)
    }

    public init(cell: borrowing SQLCell) throws {
        let (year, month, day) = try cell.date()
        guard let date = CalendarDate(year: year, month: month, day: day) else {
            throw SQLCell.Mismatch("is not a day of the calendar")
        }
        self = date
    }
}

extension Amount: SQLCodable {
    public func encode(into binds: inout SQLBinds) { binds.append(decimal: description.utf8) }

    public init(cell: borrowing SQLCell) throws {
        guard let amount = Amount(ascii: try cell.decimalDigits()) else {
            throw SQLCell.Mismatch("is not a decimal number of at most 18 digits")
        }
        self = amount
    }
}

extension Instant: SQLCodable {
    public func encode(into binds: inout SQLBinds) {
        Date(timeIntervalSince1970: Double(secondsSince1970)).encode(into: &binds)
    }

    public init(cell: borrowing SQLCell) throws {
        self.init(secondsSince1970: Int64(try Date(cell: cell).timeIntervalSince1970.rounded(.down)))
    }
}
