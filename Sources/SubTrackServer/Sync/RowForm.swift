import Foundation
import MariaDB
import SubTrackAPI

/// The columns of an entity, and the members of JSON that they become. A page of changes is written without a value of
/// each row in between.
struct RowForm: Sendable {
    /// A member of the JSON.
    struct Field: Sendable {
        fileprivate let name: StaticString
        fileprivate let form: Form
        fileprivate let columns: [SQL]
    }

    fileprivate indirect enum Form: Sendable {
        case integer, text, day, flag, id
        /// An amount, with the digits of the currency that the column has so many columns before or after it.
        case amount(currencyAt: Int)
        /// An object; `null` where its first column is.
        case object([Field])
    }

    private let fields: [Field]
    /// The columns, to be selected in this order.
    let columns: SQL

    /// A form of some fields.
    init(_ fields: Field...) {
        self.fields = fields
        columns = SQL.joined(fields.flatMap(\.columns))
    }

    /// Writes a row as a JSON object.
    /// - Parameters:
    ///   - first: the index of the first column.
    ///   - digits: how many digits each currency has.
    func json(_ row: Row, from first: Int, digits: [String: Int] = [:]) throws -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        var column = first
        try Self.write(fields, row, &column, digits, to: &json)
        return json.bytes
    }

    private static func write(
        _ fields: [Field], _ row: Row, _ column: inout Int, _ digits: [String: Int], to json: inout JSONWriter
    ) throws {
        json.beginObject()
        for field in fields {
            json.key(field.name)
            switch field.form {
            case .integer:
                if let number = try row.decode(Int64?.self, at: column) { json.write(number) } else { json.writeNull() }
            case .text: json.write(optional: try row.decode(String?.self, at: column))
            case .day:
                if let day = try row.decode(CalendarDate?.self, at: column) {
                    json.write(day)
                } else {
                    json.writeNull()
                }
            case .flag: json.write(try row.decode(Bool.self, at: column))
            case .id: json.write(try row.decode(UUID.self, at: column))
            case .amount(let offset):
                if let amount = try row.decode(Amount?.self, at: column) {
                    let currency = try row.decode(String.self, at: column + offset)
                    json.write(amount.written(in: currency, digits: digits))
                } else {
                    json.writeNull()
                }
            case .object(let members):
                if row[column].isNull {
                    json.writeNull()
                } else {
                    var inner = column
                    try write(members, row, &inner, digits, to: &json)
                }
            }
            column += field.columns.count
        }
        json.endObject()
    }
}

extension RowForm.Field {
    /// A whole number, or `null`.
    static func integer(_ name: StaticString, _ column: SQL) -> Self {
        .init(name: name, form: .integer, columns: [column])
    }
    /// A text, or `null`.
    static func text(_ name: StaticString, _ column: SQL) -> Self { .init(name: name, form: .text, columns: [column]) }
    /// A day, or `null`.
    static func day(_ name: StaticString, _ column: SQL) -> Self { .init(name: name, form: .day, columns: [column]) }
    /// Whether something holds.
    static func flag(_ name: StaticString, _ column: SQL) -> Self { .init(name: name, form: .flag, columns: [column]) }
    /// A UUID.
    static func id(_ name: StaticString, _ column: SQL) -> Self { .init(name: name, form: .id, columns: [column]) }
    /// An amount of money, or `null`.
    /// - Parameter offset: how many columns behind this one that of its currency is.
    static func amount(_ name: StaticString, _ column: SQL, currencyAt offset: Int) -> Self {
        .init(name: name, form: .amount(currencyAt: offset), columns: [column])
    }
    /// An object of other fields, or `null` where the first of their columns is.
    static func object(_ name: StaticString, _ fields: RowForm.Field...) -> Self {
        .init(name: name, form: .object(fields), columns: fields.flatMap(\.columns))
    }
}
