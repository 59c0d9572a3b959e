import MariaDB
import SubTrackAPI

extension ReminderKind: SQLCodable {
    /// The name in the database.
    private var column: String { self == .cancelBy ? "cancel_by" : rawValue }

    /// The kind of a name in the database; nil: there is none.
    init?(column: String) {
        guard let kind = Self.allCases.first(where: { $0.column == column }) else { return nil }
        self = kind
    }

    public func encode(into binds: inout SQLBinds) { column.encode(into: &binds) }

    public init(cell: borrowing SQLCell) throws {
        guard let kind = Self(column: try String(cell: cell)) else {
            throw SQLCell.Mismatch("holds a value that ReminderKind does not know")
        }
        self = kind
    }
}

extension ReminderAnswer: SQLCodable {}
