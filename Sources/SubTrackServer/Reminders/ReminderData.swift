import MariaDB
import SubTrackAPI

/// A user's reminders, with settings, agenda and calendars.
///
/// At a sign-in the account's settings stay. The reminders of the device move with its subscriptions, so that nothing is said twice.
struct ReminderData: UserData {
    private let rows = DeclaredData(entities: RemindersArea.kinds)
    private let reminders = DeclaredData(entities: [RemindersArea.reminder])

    var tables: [UserTable] {
        [
            UserTable(
                name: "Agenda", column: "User_ID", merge: .left(because: "the next look writes it anew"),
                erase: .covered, export: .left(because: "it follows from the other rows"),
                data: .left(because: "each user has one")),
            UserTable(
                name: "Answer_secret", column: "User_ID", merge: .left(because: "a user without account gets no mails"),
                erase: .covered, export: .left(because: "it has the hash of a token alone"),
                data: .left(because: "it is the way to rows that count by themselves")),
            UserTable(
                name: "Calendar_feed", column: "User_ID",
                merge: .left(because: "somebody else may know the address, from before the sign-in"), erase: .covered,
                export: .left(because: "it has the hash of a token, and shows rows that are there by themselves"),
                data: .left(because: "it is the way to rows that count by themselves")),
        ]
            + DeclaredData(entities: [RemindersArea.setting, RemindersArea.lead]).tables.map { table in
                UserTable(
                    name: table.name, column: table.column, merge: .left(because: "the settings of the account stay"),
                    erase: table.erase, export: table.export, data: table.data)
            } + reminders.tables
    }

    var limits: [UserLimit] { rows.limits + [.calendars] }
    let preparations: [any UserPreparation] = []
    var export: [ExportSection] { rows.export }

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        // A deleted row counts as said, and only rows that are not deleted move.
        _ = try await connection.execute(
            """
            UPDATE Reminder SET Deleted_at = NULL, Answer = 'done', Snoozed_until = NULL
            WHERE User_ID = \(merge.former.uuid) AND Deleted_at IS NOT NULL
            """)
        // A row that SQL added may say the same under another id.
        _ = try await connection.execute(
            """
            DELETE f FROM Reminder f JOIN Reminder r ON r.User_ID = \(merge.user.uuid) AND r.Subject_ID = f.Subject_ID
                AND r.Kind = f.Kind AND r.Occurs_on = f.Occurs_on AND r.Lead_days = f.Lead_days
            WHERE f.User_ID = \(merge.former.uuid)
            """)
        try await reminders.merge(merge, into: &merged, on: connection)
        while try await erase(merge.former, upTo: UserMerge.batch, on: connection) == UserMerge.batch {}
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        var room = limit - (try await rows.erase(user, upTo: limit, on: connection))
        for table in ["Calendar_feed", "Answer_secret", "Agenda"] where room > 0 {
            let removed = try await connection.execute(
                "DELETE FROM \(SQL(unsafeText: table)) WHERE User_ID = \(user.uuid) LIMIT \(room)")
            room -= Int(clamping: removed.affectedRows)
        }
        return limit - room
    }
}
