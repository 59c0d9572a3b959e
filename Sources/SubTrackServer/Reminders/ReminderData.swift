import Foundation
import MariaDB
import SubTrackAPI

/// A user's reminders, with settings and notifications.
///
/// At a sign-in the settings and the answers of the account stay. A user without account was told of nothing by mail, and
/// the next look plans the moved subscriptions anew. Calendars move, so that their addresses stay.
struct ReminderData: UserData {
    let tables =
        [
            UserTable(
                name: "Agenda", column: "User_ID", merge: .left(because: "the next look writes it anew"),
                erase: .covered,
                export: .left(because: "it follows from the other rows"), data: .left(because: "each user has one")),
            UserTable(
                name: "Calendar_feed", column: "User_ID", merge: .covered, erase: .covered,
                export: .left(because: "an address is a secret, and is quickly made anew"),
                data: .left(because: "a calendar shows rows that count by themselves")),
            UserTable(
                name: "Reminder_setting", column: "User_ID", parts: ["Reminder_lead"],
                merge: .left(because: "the settings of the account stay"), erase: .covered,
                export: .section("reminderSettings"), data: .left(because: "settings alone are quickly made again")),
            UserTable(
                name: "Notification", column: "User_ID",
                parts: ["Reminder", "Mail_delivery", "Answer_secret", "Delivery"],
                merge: .left(because: "a reminder belongs to the user that was told"), erase: .covered,
                export: .section("reminders"), data: .left(because: "it tells of rows that count by themselves")),
            UserTable(
                name: "Reminder", column: "User_ID", merge: .left(because: "it goes with its notification"),
                erase: .covered, export: .section("reminders"),
                data: .left(because: "it tells of rows that count by themselves")),
            UserTable(
                name: "Mail_delivery", column: "User_ID", merge: .left(because: "it goes with its notification"),
                erase: .covered, export: .left(because: "it is the way of a notification, and goes when that arrives"),
                data: .left(because: "it tells of rows that count by themselves")),
            UserTable(
                name: "Answer_secret", column: "User_ID", merge: .left(because: "it goes with its notification"),
                erase: .covered, export: .left(because: "it has the hash of a token alone"),
                data: .left(because: "it tells of rows that count by themselves")),
        ] + ChannelData.tables
    let limits: [UserLimit] = [.calendars, .channels]
    let preparations: [any UserPreparation] = []
    let export = [
        ExportSection(name: "reminderSettings") { try await writeSettings(to: &$0) },
        ExportSection(name: "reminders") { try await writeReminders(to: &$0) },
        ChannelData.export,
    ]

    /// How many rows of an export are read at once.
    private static let page = 500

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        try await UserLimit.calendars.check(merge.limits, merging: merge.former, into: merge.user, on: connection)
        try await CalendarQueries.move(merge.former, to: merge.user, on: connection)
        try await ChannelData.merge(merge, on: connection)
        while try await erase(merge.former, upTo: UserMerge.batch, on: connection) == UserMerge.batch {}
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        var room = limit - (try await ChannelData.erase(user, upTo: limit, on: connection))
        for table in [
            "Mail_delivery", "Answer_secret", "Reminder", "Notification", "Reminder_lead", "Reminder_setting", "Agenda",
            "Calendar_feed",
        ] where room > 0 {
            let removed = try await connection.execute(
                "DELETE FROM \(SQL(unsafeText: table)) WHERE User_ID = \(user.uuid) LIMIT \(room)")
            room -= Int(clamping: removed.affectedRows)
        }
        return limit - room
    }

    private static func writeReminders(to export: inout UserExport) async throws {
        var last: Int64 = 0
        var isFirst = true
        try await export.raw("[")
        while true {
            let rows = try await ReminderQueries.reminders(
                of: export.session.user, versions: (last + 1)...Int64.max, limit: page, on: export.connection)
            for row in rows {
                if !isFirst { try await export.raw(",") }
                isFirst = false
                try await export.put(row.stored)
                last = row.version
            }
            guard rows.count == page else { break }
        }
        try await export.raw("]")
    }

    private static func writeSettings(to export: inout UserExport) async throws {
        try await export.put(
            try await ReminderSettingQueries.settings(of: [export.session.user], on: export.connection)[
                export.session.user]?.stored)
    }
}
