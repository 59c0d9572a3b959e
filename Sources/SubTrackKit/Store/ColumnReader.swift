import GRDB
import SubTrackAPI

/// Reads the columns of a row in their order, and throws where a file was changed by others.
struct ColumnReader {
    private let row: Row
    private var index: Int

    /// A reader from a column on.
    init(_ row: Row, from index: Int = 0) {
        self.row = row
        self.index = index
    }

    private mutating func next() -> DatabaseValue {
        defer { index += 1 }
        return index < row.count ? row[index] : .null
    }

    private func fault() -> KitError { .store("the file is damaged in column \(index - 1)") }

    mutating func optionalText() throws -> String? {
        switch next().storage {
        case .null: nil
        case .string(let text): text
        default: throw fault()
        }
    }

    mutating func text() throws -> String {
        guard let text = try optionalText() else { throw fault() }
        return text
    }

    mutating func optionalInteger() throws -> Int64? {
        switch next().storage {
        case .null: nil
        case .int64(let number): number
        default: throw fault()
        }
    }

    mutating func integer() throws -> Int64 {
        guard let number = try optionalInteger() else { throw fault() }
        return number
    }

    mutating func int() throws -> Int { Int(clamping: try integer()) }
    mutating func optionalInt() throws -> Int? { try optionalInteger().map { Int(clamping: $0) } }
    mutating func flag() throws -> Bool { try integer() != 0 }
    mutating func day() throws -> CalendarDate { CalendarDate(daysSince1970: Int32(clamping: try integer())) }

    mutating func optionalDay() throws -> CalendarDate? {
        try optionalInteger().map { CalendarDate(daysSince1970: Int32(clamping: $0)) }
    }

    mutating func amount() throws -> Amount {
        guard let amount = Amount(try text()) else { throw fault() }
        return amount
    }

    mutating func optionalAmount() throws -> Amount? {
        guard let text = try optionalText() else { return nil }
        guard let amount = Amount(text) else { throw fault() }
        return amount
    }

    mutating func duration() throws -> PlanDuration {
        let value = try int()
        guard let unit = PlanDuration.Unit(rawValue: try text()) else { throw fault() }
        return PlanDuration(value: value, unit: unit)
    }
}

extension CalendarDate {
    /// The day as it is stored.
    var stored: Int64 { Int64(daysSince1970) }
}
