/// The declared kinds of rows of all areas. An area adds a line for each of its kinds.
public enum EntityTable {
    /// The types of the rows.
    public static let all: [any DeclaredRow.Type] = [
        StoredContact.self, StoredReminderSetting.self, StoredReminderLead.self, StoredReminder.self,
    ]

    /// The declaration of a kind; nil for a kind that is not declared.
    public static func declaration(of kind: SyncEntity) -> EntityDeclaration? {
        all.first { $0.declaration.name == kind }?.declaration
    }
}

/// A row as clients hold it, of a kind that is declared by its fields.
public protocol DeclaredRow: Codable, Sendable, Hashable {
    /// The kind.
    static var declaration: EntityDeclaration { get }
}
