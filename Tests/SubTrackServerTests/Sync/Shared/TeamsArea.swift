import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport

@testable import SubTrackServer

extension ScopeKind {
    static let team = ScopeKind.shared("team", tag: 30)
}

/// An area for tests: teams with members, and things that belong to a team. It is what an area with scopes of several
/// members is made of, and no more.
struct TeamsArea: Area {
    let name = "teams"
    let presence = AreaPresence.always
    let entities: [any SyncedEntity] = [
        TeamRows(name: "team", number: 91, table: "Team", key: "Team_ID", form: RowForm(.text("name", "Team_name"))),
        TeamRows(
            name: "teamMember", number: 92, table: "Team_member", key: "Member_ID",
            form: RowForm(.id("userId", "User_ID"))),
        TeamRows(
            name: "teamItem", number: 93, table: "Team_item", key: "Item_ID",
            form: RowForm(.text("name", "Item_name"), .text("amount", "Amount"))),
    ]
    let changeable: [any ChangeableEntity] = [TeamChanges(), MemberChanges(), ItemChanges()]
    let scopes: [any ScopeSource] = [Teams()]
    /// Tests erase and merge no members.
    let userData: (any UserData)? = nil

    func register(in operations: inout OperationRegistry) {}

    /// Runs a service with the area on databases of its own.
    static func run<Result: Sendable>(
        configure: (inout ServiceSettings) -> Void = { _ in }, _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await TestService.runAlone(configure: {
            $0.furtherAreas = [TeamsArea()]
            configure(&$0)
        }) { service in
            try await service.database.run(TeamTables.sql)
            return try await body(service)
        }
    }
}

/// The teams of users.
struct Teams: SharedScopeSource {
    let kind = ScopeKind.team

    func memberships(
        of users: [UserID], on connection: Connection
    ) async throws -> [(user: UserID, scope: UUID)] {
        try await connection.query(
            "SELECT User_ID, Team_ID FROM Team_member WHERE User_ID IN (\(list: users.map(\.uuid)))"
        ).decode((UUID, UUID).self).map { (user: UserID(uuid: $0.0), scope: $0.1) }
    }
}

/// Rows of a table of a team, by the index of team and version.
struct TeamRows: SyncedEntity {
    let name: String
    let number: EntityNumber
    let table: SQL
    let key: SQL
    let form: RowForm

    init(name: String, number: EntityNumber, table: StaticString, key: StaticString, form: RowForm) {
        (self.name, self.number, self.form) = (name, number, form)
        (self.table, self.key) = (SQL(unsafeText: "\(table)"), SQL(unsafeText: "\(key)"))
    }

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.kind == .team else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, \(key) AS Row_ID, Ver AS Row_ver FROM \(table)
                    WHERE Team_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: key))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        try await connection.query(
            """
            SELECT CAST(\(key) AS BINARY), \(form.columns) FROM \(table)
            WHERE Team_ID = \(scope.id) AND \(key) IN (\(list: keys.map(\.id).filledUp()))
            """
        ).byID { try form.json($0, from: 1) }
    }
}
