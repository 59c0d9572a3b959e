import Foundation
import MariaDB
import SubTrackAPI

/// A user's channels, for exports, sign-ins and deletions.
enum ChannelData {
    /// The tables.
    static let tables = [
        UserTable(
            name: "Channel", column: "User_ID", parts: ["Delivery"], merge: .covered, erase: .covered,
            export: .section("channels"), data: .covered),
        UserTable(
            name: "Delivery", column: "User_ID", merge: .left(because: "it goes with its notification"),
            erase: .covered, export: .left(because: "it is the way of a notification, and goes when that arrives"),
            data: .left(because: "it goes with its channel")),
    ]

    /// The section of an export: the channels as clients hold them.
    static let export = ExportSection(name: "channels") { export in
        let rows = try await ChannelQueries.channels(of: export.session.user, on: export.connection)
        try await export.put(rows.map(\.answer))
    }

    /// Moves the channels of a user without account to another user. Of two channels of one id the other user's stays, and
    /// of two for one browser as well.
    ///
    /// Secrets follow from the salt, which moves with its row: receivers of webhooks notice nothing.
    static func merge(_ merge: UserMerge, on connection: Connection) async throws {
        try await UserLimit.channels.check(merge.limits, merging: merge.former, into: merge.user, on: connection)
        _ = try await connection.execute(
            """
            INSERT INTO Channel (User_ID, Channel_ID, Kind, Channel_name, Target, Sealed, Key_salt, Secret_no,
                Secret_since, Device_ID, Failing_since, Last_problem, Paused_at, Tested_at, Created_at)
            SELECT \(merge.user.uuid), f.Channel_ID, f.Kind, f.Channel_name, f.Target, f.Sealed, f.Key_salt, f.Secret_no,
                f.Secret_since, f.Device_ID, f.Failing_since, f.Last_problem, f.Paused_at, f.Tested_at, f.Created_at
            FROM Channel f
            WHERE f.User_ID = \(merge.former.uuid) AND NOT EXISTS (
                SELECT 1 FROM Channel t WHERE t.User_ID = \(merge.user.uuid)
                  AND (t.Channel_ID = f.Channel_ID OR (t.Kind = 'webpush' AND t.Target = f.Target)))
            """)
    }

    /// Removes some deliveries and channels of a user.
    /// - Returns: how many rows.
    static func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        var room = limit
        for table in ["Delivery", "Channel"] where room > 0 {
            let removed = try await connection.execute(
                "DELETE FROM \(SQL(unsafeText: table)) WHERE User_ID = \(user.uuid) LIMIT \(room)")
            room -= Int(clamping: removed.affectedRows)
        }
        return limit - room
    }
}
