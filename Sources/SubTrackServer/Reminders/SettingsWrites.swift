import MariaDB
import SubTrackAPI
import SubTrackCore

/// Changes of a user's settings that the service makes itself, in a transaction that has the user's scope locked.
enum SettingsWrites {
    /// Writes fields of all settings of a user. A user without settings gets the usual ones with these fields.
    static func set(_ fields: [String: AnyJSON], of user: UserID, on connection: Connection) async throws {
        let entity = RemindersArea.setting
        let rows = try await entity.read(of: user, where: "TRUE", on: connection)
        for row in rows where !row.isDeleted {
            let edit = DeclaredEdit(fields, to: row.row, of: entity.declaration)
            try await DeclaredWrites(entity: entity, user: user, id: row.id).update(edit, nil, on: connection)
        }
        guard rows.allSatisfy(\.isDeleted) else { return }
        // The id that a client gives the row. One that was deleted says the usual settings no more.
        if rows.contains(where: { $0.id == user.uuid }) {
            _ = try await connection.execute(
                "DELETE FROM Reminder_setting WHERE User_ID = \(user.uuid) AND Reminder_setting_ID = \(user.uuid)")
        }
        let edit = DeclaredEdit(fields, to: nil, of: entity.declaration)
        try await DeclaredWrites(entity: entity, user: user, id: user.uuid).insert(edit, nil, on: connection)
    }
}
