import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The user's own row with the accounts that lead to it, as clients hold it.
struct UserEntity: SyncedEntity {
    let name = "me"
    let number: EntityNumber = 1

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, User_ID AS Row_ID, Ver AS Row_ver FROM `User`
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: "User_ID"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        guard scope.isUser, let user = try await UserQueries.user(UserID(uuid: scope.id.uuid), on: connection) else {
            return [:]
        }
        return [scope.id.bytes: try OutputEncoder.encode(user.stored)]
    }
}

extension UserEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { user.uuid.uuidString.lowercased() }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        try await read(try call.requireSession().user, on: connection)?.snapshot
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard UUID(uuidString: change.mutation.id) == change.user.uuid else {
            throw Problem(.notFound, "There is no such user.")
        }
        guard change.op == .update else { throw Problem.input("op", .range, "of \"me\" there is only update") }
        guard let before = try await read(change.user, on: connection) else {
            throw Problem(.userDeleted, "This user was deleted.")
        }
        let (fields, lost) = change.split(before.snapshot, group: FieldGroup.init(userField:))
        if !fields.isEmpty {
            try await UserHandlers.write(
                try change.input(fields, id: nil), to: before.user, change.call, on: connection)
        }
        return AppliedChange(
            before: before.snapshot, after: try await read(change.user, on: connection)?.snapshot, lost: lost)
    }

    /// The session of the user after a change of the user's row, which may have moved the days to another time zone.
    func session(_ session: Session, after row: RowSnapshot) -> Session {
        guard case .string(let country)? = row.values["country"], case .string(let zone)? = row.values["timeZone"]
        else { return session }
        return session.with(country: country, timeZone: zone)
    }

    /// A user with the versions of its merge groups; nil when the user was deleted.
    private func read(_ user: UserID, on connection: Connection) async throws -> (user: User, snapshot: RowSnapshot)? {
        guard let (found, groups) = try await UserQueries.userWithGroups(user, on: connection) else { return nil }
        let snapshot = RowSnapshot(
            id: user.uuid.uuidString.lowercased(), version: found.version, groups: groups,
            row: try OutputEncoder.encode(found.stored),
            values: [
                "userName": found.userName.map { .string($0) } ?? .null, "country": .string(found.country),
                "timeZone": .string(found.timeZone),
            ])
        return (found, snapshot)
    }
}

extension User {
    /// The user as clients hold it.
    fileprivate var stored: StoredUser {
        StoredUser(userName: userName, country: country, timeZone: timeZone, accounts: accounts)
    }
}
