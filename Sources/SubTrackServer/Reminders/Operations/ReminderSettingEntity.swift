import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A user's settings of reminders, as clients hold them. There is no row as long as the usual ones hold.
struct ReminderSettingEntity: SyncedEntity {
    let name = StoredReminderSettings.entity.rawValue
    let number = EntityNumber(integerLiteral: StoredReminderSettings.number)

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, User_ID AS Row_ID, Ver AS Row_ver FROM Reminder_setting
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: "User_ID"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let user = UserID(uuid: scope.id.uuid)
        guard scope.isUser, let row = try await ReminderSettingQueries.settings(of: [user], on: connection)[user] else {
            return [:]
        }
        return [scope.id.bytes: try OutputEncoder.encode(row.stored)]
    }
}

extension ReminderSettingEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { user.uuid.uuidString.lowercased() }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        let user = try call.requireSession().user
        return try Self.snapshot(
            try await ReminderSettingQueries.settings(of: [user], on: connection)[user], of: user)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard UUID(uuidString: change.mutation.id) == change.user.uuid else {
            throw Problem(.notFound, "There is no such user.")
        }
        guard change.op == .update else { throw Problem.input("op", .range, "of \"\(name)\" there is only update") }
        let row = try await ReminderSettingQueries.settings(of: [change.user], on: connection)[change.user]
        let before = try Self.snapshot(row, of: change.user)
        let (fields, lost) = change.split(before, group: { Self.fields.contains($0) ? .settings : nil })
        var after = row
        if !fields.isEmpty {
            after = try await ReminderSettingHandlers.write(
                try change.input(fields, id: nil), over: row, of: change.user, on: connection)
        }
        return AppliedChange(before: before, after: try Self.snapshot(after, of: change.user), lost: lost)
    }

    private static let fields: Set<String> = ["remindAt", "language", "repeatDays", "weeklyOn", "byMail", "leads"]

    private static func snapshot(_ row: ReminderSettingRow?, of user: UserID) throws -> RowSnapshot? {
        guard let row else { return nil }
        guard case .object(let values) = try AnyJSON(encoding: row.stored) else { return nil }
        return RowSnapshot(
            id: user.uuid.uuidString.lowercased(), version: row.version, groups: [.settings: row.version],
            row: try OutputEncoder.encode(row.stored), values: values)
    }
}

extension FieldGroup {
    /// All of a user's settings of reminders.
    static let settings = FieldGroup(rawValue: "settings")
}
