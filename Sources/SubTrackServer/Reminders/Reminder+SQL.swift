import MariaDB
import SubTrackAPI

extension ReminderKind: SQLCodable {
    /// The kind's name in the database.
    private var name: String { self == .cancelBy ? "cancel_by" : rawValue }

    public func encode(into binds: inout SQLBinds) { name.encode(into: &binds) }

    public init(cell: borrowing SQLCell) throws {
        let name = try String(cell: cell)
        guard let kind = Self.allCases.first(where: { $0.name == name }) else {
            throw SQLCell.Mismatch("holds a value that ReminderKind does not know")
        }
        self = kind
    }
}

extension ReminderAnswer: SQLCodable {}
