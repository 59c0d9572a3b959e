import MariaDB

/// A part of the service with operations, entities, jobs and tables of its own. The platform and the sync engine know areas
/// by this alone.
protocol Area: Sendable {
    /// The stable name: `recipes`. It stands in `server.info`, in commands, in the control database and in the paths of
    /// `sql/recipes/`.
    var name: String { get }
    /// Whether tenants have it: always, unless the operator says otherwise, or once the operator says so.
    var presence: AreaPresence { get }
    /// Its tables, triggers and views: the folder `sql/` with its name, unless it brings other files.
    var sql: AreaSQL { get }

    /// The fate of its rows in a backup that is put back, and in a copy of a tenant.
    var restored: RestoredRows { get }

    /// Looks at a tenant, for the doctor.
    func look(on connection: Connection) async throws -> [AreaRemark]

    /// The kinds of rows of which clients hold copies.
    var entities: [any SyncedEntity] { get }
    /// Those of them that clients change.
    var changeable: [any ChangeableEntity] { get }
    /// The kinds of scopes that its rows are in, the user's own left out.
    var scopes: [any ScopeSource] { get }
    /// The tasks that run from time to time.
    var jobs: [Job] { get }
    /// The mails that it writes, by their kinds in the queue.
    var letters: [String: any MailLetters] { get }
    /// The input fields of its columns, by table: of those that triggers check, and whose fault a caller can mend.
    var fields: [String: [String: String]] { get }
    /// The rows that it keeps for users; nil: it keeps none. It has no default, so that no area forgets one.
    var userData: (any UserData)? { get }

    /// Registers the handlers of its operations.
    func register(in operations: inout OperationRegistry)
}

extension Area {
    var sql: AreaSQL { .embedded(name) }
    var restored: RestoredRows { RestoredRows() }
    func look(on connection: Connection) async throws -> [AreaRemark] { [] }
    var entities: [any SyncedEntity] { [] }
    var changeable: [any ChangeableEntity] { [] }
    var scopes: [any ScopeSource] { [] }
    var jobs: [Job] { [] }
    var letters: [String: any MailLetters] { [:] }
    var fields: [String: [String: String]] { [:] }
}

extension ColumnFields {
    /// The fields of some areas. No table has two areas.
    init(_ areas: [any Area]) {
        self.init(areas.map(\.fields).reduce(into: [:]) { all, fields in all.merge(fields) { first, _ in first } })
    }
}

extension AreaList {
    /// The areas as databases and operators know them.
    init(_ areas: [any Area]) {
        self.init(
            areas: areas.map { area in
                AreaSchema(
                    name: area.name, presence: area.presence, sql: area.sql, restored: area.restored,
                    look: { try await area.look(on: $0) })
            })
    }
}

extension SyncRegistry {
    /// A registry of some areas' declarations.
    /// - Parameter all: all areas of the service; nil: the same.
    init(_ areas: [any Area], of all: [any Area]? = nil) {
        self.init(
            entities: areas.flatMap(\.entities), changeable: areas.flatMap(\.changeable),
            scopes: areas.flatMap(\.scopes), preparations: areas.flatMap { $0.userData?.preparations ?? [] },
            known: all?.flatMap(\.scopes))
    }
}

extension SyncRegistries {
    /// The registries of the sets of some areas.
    convenience init(_ areas: [any Area]) {
        self.init(all: SyncRegistry(areas)) { set in
            SyncRegistry(areas.enumerated().filter { set.contains(.place($0.offset)) }.map(\.element), of: areas)
        }
    }
}

extension [any Area] {
    /// The jobs, each with its area.
    var jobs: [Job] {
        enumerated().flatMap { place, area in
            area.jobs.map { job in
                var job = job
                job.area = .place(place)
                return job
            }
        }
    }
}

extension OperationRegistry {
    /// Registers the handlers of some areas' operations.
    mutating func register(_ areas: [any Area]) {
        for (place, area) in areas.enumerated() {
            self.area = .place(place)
            mayBeOff = area.presence != .always
            area.register(in: &self)
        }
        (area, mayBeOff) = ([], false)
    }
}
