/// A kind of row, declared by its fields and its parts. Statements and JSON of the service, the store of devices, and the
/// triggers that track changes follow from it.
///
///     static let declaration = EntityDeclaration(
///         "recipe", number: 10, table: "Recipe", limit: 10_000, restorableDays: 30,
///         fields: [.text("name", 1...100).immutable, .text("note", 0...2000).optional.multiline],
///         parts: [EntityPart("steps", table: "Recipe_step", key: "Step_ID", maximum: 50, fields: [.text("text", 1...200)])])
public struct EntityDeclaration: Sendable, Hashable {
    /// The name on the wire and in outboxes.
    public let name: SyncEntity
    /// The number in the table `Tombstone`, 1 to 99. It is never used for another kind.
    public let number: Int
    /// The table. Its key is `User_ID` and ``key``; it has `Ver`, a `Ver_…` for each merge group, `Created_at` and
    /// `Deleted_at`.
    public let table: String
    /// How many rows a user may have that are not deleted.
    public let limit: Int
    /// How many days a deleted row can be restored.
    public let restorableDays: Int
    /// The fields in the order of the JSON.
    public let fields: [EntityField]
    /// The lists of parts that travel inside of the row.
    public let parts: [EntityPart]
    /// The fields that name a row for people.
    public let title: [String]
    /// The effect of a creation that meets a row of its id.
    public let twin: Twin

    /// The effect of a creation that meets a row of its id, and says something else.
    public enum Twin: Sendable, Hashable {
        /// It is refused: `id_taken`.
        case refused
        /// The row stays as it is. One that was deleted comes back.
        case kept
        /// Values of the creation fill fields that are null. A deleted row stays deleted.
        case completed
    }

    /// A kind of row.
    public init(
        _ name: SyncEntity, number: Int, table: String, limit: Int, restorableDays: Int, title: [String] = [],
        twin: Twin = .refused, fields: [EntityField], parts: [EntityPart] = []
    ) {
        self.name = name
        self.number = number
        self.table = table
        self.limit = limit
        self.restorableDays = restorableDays
        self.title = title
        self.twin = twin
        self.fields = fields
        self.parts = parts
    }

    /// The column of a row's id: `Recipe_ID`.
    public var key: String { "\(table)_ID" }

    /// The names of the merge groups, each once, in the order of the fields. A field that never changes is in none.
    public var groups: [String] {
        fields.filter { !$0.isImmutable }.map(\.group).reduce(into: []) { all, group in
            if !all.contains(group) { all.append(group) }
        }
    }

    /// The column of a merge group's version: `Ver_note`.
    public static func versionColumn(_ group: String) -> String { "Ver_\(column(group).lowercased())" }

    /// The rules of the fields, for the type that is an operation's input or a row.
    public var rules: [String: FieldRule] { Self.rules(fields) }

    fileprivate static func rules(_ fields: [EntityField]) -> [String: FieldRule] {
        Dictionary(fields.compactMap { field in field.rule.map { (field.name, $0) } }) { first, _ in first }
    }

    /// The column of a field: `givenName` is `Given_name`.
    static func column(_ name: String) -> String {
        let words = name.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter)
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

/// A list of parts of a row: each has an id and merges by itself.
public struct EntityPart: Sendable, Hashable {
    /// The name of the list on the wire: `steps`.
    public let name: String
    /// The table. Its key is that of the row with ``key``; it has `Ver`.
    public let table: String
    /// The column of a part's id.
    public let key: String
    /// How many a row may have.
    public let maximum: Int
    /// The fields in the order of the JSON, behind `id`. None of them is immutable, and their groups say nothing.
    public let fields: [EntityField]

    /// A list of parts.
    public init(_ name: String, table: String, key: String, maximum: Int, fields: [EntityField]) {
        self.name = name
        self.table = table
        self.key = key
        self.maximum = maximum
        self.fields = fields
    }

    /// The rules of the fields, for the type of a part.
    public var rules: [String: FieldRule] { EntityDeclaration.rules(fields) }
}
