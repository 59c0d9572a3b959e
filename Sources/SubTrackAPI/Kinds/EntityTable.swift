/// The kinds of rows of all areas beside those with a form of their own in ``Change/Data``. An area adds a line for each of
/// its kinds.
public enum EntityTable {
    /// The types of the rows that are declared by their fields.
    public static let all: [any DeclaredRow.Type] = [StoredContact.self]
    /// The types of the other rows.
    public static let others: [any EntityRow.Type] = [
        StoredReminderSettings.self, StoredChannel.self, StoredReminder.self,
    ]

    /// The types of both.
    public static var rows: [any EntityRow.Type] { others + all.map { $0 as any EntityRow.Type } }

    /// The declaration of a kind; nil for a kind that is not declared.
    public static func declaration(of kind: SyncEntity) -> EntityDeclaration? {
        all.first { $0.declaration.name == kind }?.declaration
    }
}

/// A row as clients hold it, of a kind that ``Change/Data`` has no form for.
public protocol EntityRow: Codable, Sendable, Hashable {
    /// The kind.
    static var entity: SyncEntity { get }
}

/// A row as clients hold it, of a kind that is declared by its fields.
public protocol DeclaredRow: EntityRow {
    /// The kind.
    static var declaration: EntityDeclaration { get }
}

extension DeclaredRow {
    public static var entity: SyncEntity { declaration.name }
}
