import MariaDB
import SubTrackAPI

/// All entities and scopes that are synced, as the areas declare them.
struct SyncRegistry: Sendable {
    /// The entities in the order of their numbers.
    let entities: [any SyncedEntity]
    /// The kinds of scopes, the user's own left out.
    let scopes: [any ScopeSource]
    /// The preparations before a user's rows are read.
    let preparations: [any UserPreparation]
    /// The numbers of the entities.
    let numbers: Set<Int>
    private let changeable: [String: any ChangeableEntity]
    private let byNumber: [Int: any SyncedEntity]
    private let byTag: [UInt8: any ScopeSource]

    /// A registry of the areas' declarations.
    /// - Parameter known: kinds of scopes that cursors may name, of areas that are off as well; nil: `scopes`.
    init(
        entities: [any SyncedEntity], changeable: [any ChangeableEntity], scopes: [any ScopeSource],
        preparations: [any UserPreparation], known: [any ScopeSource]? = nil
    ) {
        numbers = Set(entities.map(\.number.value))
        self.entities = entities.sorted { $0.number.value < $1.number.value }
        self.scopes = scopes
        self.preparations = preparations
        self.changeable = Dictionary(changeable.map { ($0.name, $0) }) { first, _ in first }
        byNumber = Dictionary(entities.map { ($0.number.value, $0) }) { first, _ in first }
        byTag = Dictionary((known ?? scopes).map { ($0.kind.tag, $0) }) { first, _ in first }
        changeableNames = changeable.map(\.name)
    }

    private let changeableNames: [String]

    /// Two declarations of one name or number, and changeable entities that are not declared; empty where all is well.
    var inconsistencies: [String] {
        func doubled<Key: Hashable>(_ keys: [Key], _ what: String) -> [String] {
            Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.map {
                "\(what) \($0.key) is declared twice"
            }
        }
        let names = entities.map(\.name)
        let faults =
            doubled(names, "entity") + doubled(entities.map(\.number.value), "the entity's number")
            + doubled(changeableNames, "the changeable entity") + doubled(scopes.map(\.kind.name), "scope")
            + doubled(scopes.map(\.kind.tag) + [ScopeKind.user.tag], "the scope's tag")
            + changeableNames.filter { !names.contains($0) }.map { "\($0) is changeable and no entity" }
            + scopes.filter { $0.kind.tag > ScopeKind.highestTag }.map { "the tag of \($0.kind.name) is too high" }
            + entities.filter { !(1..<EntityNumber.live).contains($0.number.value) }.map { "\($0.name) has no number" }
        return faults.sorted()
    }

    /// The entity of a rank; nil for a number that this version does not know.
    func entity(ofRank rank: Int) -> (any SyncedEntity)? { byNumber[rank % EntityNumber.live] }

    /// The entity of a name; nil for one that clients cannot change.
    func changeable(_ name: String) -> (any ChangeableEntity)? { changeable[name] }

    /// Whether there is an entity of a name.
    func knows(_ name: String) -> Bool { entities.contains { $0.name == name } }

    /// The source of a kind of scope, by its number in cursors.
    func scopes(tag: UInt8) -> (any ScopeSource)? { byTag[tag] }

    /// Whether changes of a kind of scope are given.
    func gives(_ kind: ScopeKind) -> Bool { kind == .user || scopes.contains { $0.kind == kind } }

    /// The scopes that every user sees.
    var always: [SyncScope] { scopes.flatMap(\.always) }

    /// The scopes that some users see, their own first.
    func visible(to users: [UserID], on connection: Connection) async throws -> [UserID: [SyncScope]] {
        var visible = Dictionary(users.map { ($0, ScopeList([.user($0)] + always)) }) { first, _ in first }
        for source in scopes {
            for (user, found) in try await source.visible(to: users, on: connection) { visible[user]?.add(found) }
        }
        return visible.mapValues(\.scopes)
    }

    /// Whether a user sees a scope of a kind.
    func sees(_ scope: ScopeID, kind: String, _ user: UserID, on connection: Connection) async throws -> Bool {
        guard kind != ScopeKind.user.name else { return scope == .user(user) }
        guard let source = scopes.first(where: { $0.kind.name == kind }) else { return false }
        return try await source.visible(to: [user], on: connection)[user]?.contains { $0.id == scope } == true
    }
}

/// A preparation before a user's rows are read. An area that keeps rows up to date by the day declares one.
protocol UserPreparation: Sendable {
    /// Whether rows wait for it.
    /// - Parameter version: looks at rows alone that changed after this version of the user's scope; nil: at all.
    func isDue(
        for user: UserID, after version: Int64?, today: CalendarDate, on connection: Connection
    ) async throws -> Bool

    /// Does it, in transactions of its own.
    func prepare(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws
}
