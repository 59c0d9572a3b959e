import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

@testable import SubTrackServer

extension PushedChange {
    /// The text of a field.
    func text(_ field: String) throws -> String {
        guard case .string(let text)? = fields[field] else { throw Problem.input(field, .required, "is needed") }
        return text
    }

    /// The row's id.
    var rowID: UUID {
        get throws {
            guard let id = UUID(uuidString: mutation.id) else {
                throw Problem.input("id", .malformed, "must be a UUID")
            }
            return id
        }
    }
}

extension PushChanges.Mutation {
    /// The UUID of a field.
    fileprivate func uuid(_ field: String) throws -> UUID {
        guard case .string(let text)? = fields?[field], let id = UUID(uuidString: text) else {
            throw Problem.input(field, .required, "is needed: a UUID")
        }
        return id
    }
}

/// What the changes of all rows of teams have in common.
enum TeamRights {
    static let unknown = Problem(.notFound, "There is no such thing.")

    /// Sees that the sender is a member, under the locks.
    static func require(_ user: UserID, in team: UUID, on connection: Connection) async throws {
        let rows = try await connection.query(
            "SELECT 1 FROM Team_member WHERE User_ID = \(user.uuid) AND Team_ID = \(team)")
        guard !rows.isEmpty else { throw unknown }
    }
}

/// Changes of teams.
struct TeamChanges: ChangeableEntity, ChangePlaces {
    let name = "team"
    var places: (any ChangePlaces)? { self }

    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func place(
        of change: PushChanges.Mutation, by user: UserID, on connection: Connection
    ) async throws -> ChangePlace {
        guard let team = UUID(uuidString: change.id) else { return .own(user) }
        return ChangePlace(.shared(.team, team), writer: user)
    }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await read(id, of: try call.requireSession().user, on: connection)
    }

    private func read(_ id: UUID, of user: UserID, on connection: Connection) async throws -> RowSnapshot? {
        let rows = try await connection.query(
            """
            SELECT t.Team_name, t.Ver, t.Ver_name FROM Team t
            JOIN Team_member m ON m.Team_ID = t.Team_ID AND m.User_ID = \(user.uuid) WHERE t.Team_ID = \(id)
            """
        ).decode((String, Int64, Int64).self)
        guard let (name, version, group) = rows.first else { return nil }
        let values: [String: AnyJSON] = ["name": .string(name)]
        return RowSnapshot(
            id: id.uuidString.lowercased(), version: version, groups: [.notes: group],
            row: try OutputEncoder.encode(AnyJSON.object(values)), values: values)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        let (id, user) = (try change.rowID, change.user)
        if change.op == .create {
            let taken = try await !connection.query("SELECT 1 FROM Team WHERE Team_ID = \(id)").isEmpty
            guard !taken else { throw Problem(.idTaken, "The id is in use.") }
            _ = try await connection.execute(
                "INSERT INTO Team (Team_ID, Team_name) VALUES (\(id), \(try change.text("name")))")
            _ = try await connection.execute(
                "INSERT INTO Team_member (Member_ID, Team_ID, User_ID) VALUES (\(UUID()), \(id), \(user.uuid))")
            return AppliedChange(after: try await read(id, of: user, on: connection))
        }
        guard change.op == .update else { throw Problem.input("op", .range, "of a team there is create and update") }
        guard let before = try await read(id, of: user, on: connection) else { throw TeamRights.unknown }
        let (fields, lost) = change.split(before, group: { $0 == "name" ? .notes : nil })
        if case .string(let name)? = fields["name"] {
            _ = try await connection.execute("UPDATE Team SET Team_name = \(name) WHERE Team_ID = \(id)")
        }
        return AppliedChange(before: before, after: try await read(id, of: user, on: connection), lost: lost)
    }
}

/// Changes of memberships: a member adds and removes others, and leaves.
struct MemberChanges: ChangeableEntity, ChangePlaces {
    let name = "teamMember"
    var places: (any ChangePlaces)? { self }

    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func place(
        of change: PushChanges.Mutation, by user: UserID, on connection: Connection
    ) async throws -> ChangePlace {
        guard change.op != "create" else {
            let other = UserID(uuid: try change.uuid("userId"))
            return ChangePlace(.shared(.team, try change.uuid("teamId")), writer: user, others: [other])
        }
        guard let id = UUID(uuidString: change.id) else { return .own(user) }
        let rows = try await connection.query(
            "SELECT Team_ID, User_ID FROM Team_member WHERE Member_ID = \(id)"
        ).decode((UUID, UUID).self)
        guard let (team, other) = rows.first else { return .own(user) }
        return ChangePlace(.shared(.team, team), writer: user, others: [UserID(uuid: other)])
    }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await read(id, of: try call.requireSession().user, on: connection)?.row
    }

    private func read(
        _ id: UUID, of user: UserID, on connection: Connection
    ) async throws -> (row: RowSnapshot, team: UUID)? {
        let rows = try await connection.query(
            """
            SELECT x.Team_ID, x.User_ID, x.Ver FROM Team_member x
            JOIN Team_member m ON m.Team_ID = x.Team_ID AND m.User_ID = \(user.uuid) WHERE x.Member_ID = \(id)
            """
        ).decode((UUID, UUID, Int64).self)
        guard let (team, member, version) = rows.first else { return nil }
        let values: [String: AnyJSON] = ["userId": .string(member.uuidString.lowercased())]
        let row = RowSnapshot(
            id: id.uuidString.lowercased(), version: version, groups: [:],
            row: try OutputEncoder.encode(AnyJSON.object(values)), values: values)
        return (row, team)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        let (id, user) = (try change.rowID, change.user)
        switch change.op {
        case .create:
            let (team, other) = (try change.mutation.uuid("teamId"), try change.mutation.uuid("userId"))
            try await TeamRights.require(user, in: team, on: connection)
            let isKnown = try await !connection.query("SELECT 1 FROM `User` WHERE User_ID = \(other)").isEmpty
            guard isKnown else { throw TeamRights.unknown }
            let taken = try await connection.query(
                """
                SELECT 1 FROM Team_member WHERE Team_ID = \(team) AND User_ID = \(other) OR Member_ID = \(id)
                """)
            guard taken.isEmpty else { throw Problem(.idTaken, "The user is a member already.") }
            _ = try await connection.execute(
                "INSERT INTO Team_member (Member_ID, Team_ID, User_ID) VALUES (\(id), \(team), \(other))")
            return AppliedChange(after: try await read(id, of: user, on: connection)?.row)
        case .delete:
            guard let (before, _) = try await read(id, of: user, on: connection) else { throw TeamRights.unknown }
            _ = try await connection.execute("DELETE FROM Team_member WHERE Member_ID = \(id)")
            return AppliedChange(before: before)
        default: throw Problem.input("op", .range, "of a member there is create and delete")
        }
    }
}

/// Changes of the things of a team.
struct ItemChanges: ChangeableEntity, ChangePlaces {
    let name = "teamItem"
    var places: (any ChangePlaces)? { self }

    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func place(
        of change: PushChanges.Mutation, by user: UserID, on connection: Connection
    ) async throws -> ChangePlace {
        if change.op == "create" { return ChangePlace(.shared(.team, try change.uuid("teamId")), writer: user) }
        guard let id = UUID(uuidString: change.id),
            let team = try await connection.query("SELECT Team_ID FROM Team_item WHERE Item_ID = \(id)")
                .decode(UUID.self).first
        else { return .own(user) }
        return ChangePlace(.shared(.team, team), writer: user)
    }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        return try await read(id, of: try call.requireSession().user, on: connection)
    }

    private func read(_ id: UUID, of user: UserID, on connection: Connection) async throws -> RowSnapshot? {
        let rows = try await connection.query(
            """
            SELECT i.Item_name, i.Amount, i.Ver, i.Ver_name, i.Ver_amount FROM Team_item i
            JOIN Team_member m ON m.Team_ID = i.Team_ID AND m.User_ID = \(user.uuid) WHERE i.Item_ID = \(id)
            """
        ).decode((String, String, Int64, Int64, Int64).self)
        guard let row = rows.first else { return nil }
        let values: [String: AnyJSON] = ["name": .string(row.0), "amount": .string(row.1)]
        return RowSnapshot(
            id: id.uuidString.lowercased(), version: row.2, groups: [.notes: row.3, .terms: row.4],
            row: try OutputEncoder.encode(AnyJSON.object(values)), values: values)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        let (id, user) = (try change.rowID, change.user)
        if change.op == .create {
            let team = try change.mutation.uuid("teamId")
            try await TeamRights.require(user, in: team, on: connection)
            let taken = try await !connection.query("SELECT 1 FROM Team_item WHERE Item_ID = \(id)").isEmpty
            guard !taken else { throw Problem(.idTaken, "The id is in use.") }
            _ = try await connection.execute(
                """
                INSERT INTO Team_item (Item_ID, Team_ID, Item_name, Amount)
                VALUES (\(id), \(team), \(try change.text("name")), \(try change.text("amount")))
                """)
            return AppliedChange(after: try await read(id, of: user, on: connection))
        }
        guard let before = try await read(id, of: user, on: connection) else { throw TeamRights.unknown }
        if change.op == .delete {
            _ = try await connection.execute("DELETE FROM Team_item WHERE Item_ID = \(id)")
            return AppliedChange(before: before)
        }
        guard change.op == .update else { throw Problem.input("op", .range, "an item is not cancelled") }
        let (fields, lost) = change.split(before, group: { $0 == "name" ? .notes : $0 == "amount" ? .terms : nil })
        if case .string(let name)? = fields["name"] {
            _ = try await connection.execute("UPDATE Team_item SET Item_name = \(name) WHERE Item_ID = \(id)")
        }
        if case .string(let amount)? = fields["amount"] {
            _ = try await connection.execute("UPDATE Team_item SET Amount = \(amount) WHERE Item_ID = \(id)")
        }
        return AppliedChange(before: before, after: try await read(id, of: user, on: connection), lost: lost)
    }
}
