/// A part of the service with operations, entities and jobs of its own. The platform and the sync engine know areas by
/// this alone.
protocol Area: Sendable {
    /// The name, for messages.
    var name: String { get }

    /// The kinds of rows of which clients hold copies.
    var entities: [any SyncedEntity] { get }
    /// Those of them that clients change.
    var changeable: [any ChangeableEntity] { get }
    /// The kinds of scopes that its rows are in, the user's own left out.
    var scopes: [any ScopeSource] { get }
    /// The tasks that run from time to time.
    var jobs: [Job] { get }
    /// The input fields of its columns, by table: of those that triggers check, and whose fault a caller can mend.
    var fields: [String: [String: String]] { get }
    /// The rows that it keeps for users; nil: it keeps none. It has no default, so that no area forgets one.
    var userData: (any UserData)? { get }

    /// Registers the handlers of its operations.
    func register(in operations: inout OperationRegistry)
}

extension Area {
    var entities: [any SyncedEntity] { [] }
    var changeable: [any ChangeableEntity] { [] }
    var scopes: [any ScopeSource] { [] }
    var jobs: [Job] { [] }
    var fields: [String: [String: String]] { [:] }
}

extension ColumnFields {
    /// The fields of some areas. No table has two areas.
    init(_ areas: [any Area]) {
        self.init(areas.map(\.fields).reduce(into: [:]) { all, fields in all.merge(fields) { first, _ in first } })
    }
}

extension SyncRegistry {
    /// A registry of some areas' declarations.
    init(_ areas: [any Area]) {
        self.init(
            entities: areas.flatMap(\.entities), changeable: areas.flatMap(\.changeable),
            scopes: areas.flatMap(\.scopes), preparations: areas.flatMap { $0.userData?.preparations ?? [] })
    }
}
