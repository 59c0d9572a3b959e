import Foundation
import MariaDB
import SubTrackAPI

/// The statements on channels.
enum ChannelQueries {
    /// The channels of a user, the oldest first.
    static func channels(of user: UserID, on connection: Connection) async throws -> [ChannelRow] {
        try await rows(user, "TRUE", on: connection)
    }

    /// A channel of a user; nil: there is none.
    static func channel(_ id: UUID, of user: UserID, on connection: Connection) async throws -> ChannelRow? {
        try await rows(user, "Channel_ID = \(id)", on: connection).first
    }

    /// The browser of a user that has an endpoint; nil: there is none.
    static func browser(_ target: String, of user: UserID, on connection: Connection) async throws -> ChannelRow? {
        try await rows(user, "Kind = 'webpush' AND Target = \(target)", on: connection).first
    }

    /// The channels of a user whose versions are in a range.
    static func channels(
        of user: UserID, versions: ClosedRange<Int64>, on connection: Connection
    ) async throws -> [ChannelRow] {
        try await rows(user, "Ver >= \(versions.lowerBound) AND Ver <= \(versions.upperBound)", on: connection)
    }

    private static func rows(
        _ user: UserID, _ condition: SQL, on connection: Connection
    ) async throws -> [ChannelRow] {
        try await connection.query(
            """
            SELECT Channel_ID, Kind, Channel_name, Target, Sealed, Key_salt, Secret_no, Secret_since, Device_ID,
                Failing_since, Last_problem, Paused_at, Tested_at, Ver
            FROM Channel WHERE User_ID = \(user.uuid) AND \(condition) ORDER BY Created_at, Channel_ID
            """
        ).decode(
            (
                UUID, ChannelKind, String?, String, [UInt8]?, [UInt8], Int64, Instant?, UUID?, Instant?, String?,
                Instant?,
                Instant?, Int64
            ).self
        ).map { row in
            ChannelRow(
                user: user, id: row.0, kind: row.1, name: row.2, target: row.3, sealed: row.4, salt: row.5,
                secretNumber: row.6, secretSince: row.7, device: row.8, failingSince: row.9, lastProblem: row.10,
                pausedAt: row.11, testedAt: row.12, version: row.13)
        }
    }

    // MARK: Changes, in a transaction that has the user's scope locked

    /// Adds a channel.
    static func insert(
        _ id: UUID, of user: UserID, kind: ChannelKind, name: String?, target: String, sealed: [UInt8]?, salt: [UInt8],
        device: UUID?, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Channel (User_ID, Channel_ID, Kind, Channel_name, Target, Sealed, Key_salt, Device_ID)
            VALUES (\(user.uuid), \(id), \(kind), \(name), \(target), \(sealed), \(salt), \(device))
            """)
    }

    /// Writes the fields that a user changes.
    static func update(
        _ channel: ChannelRow, name: String?, target: String, sealed: [UInt8]?, device: UUID?, pausedAt: Instant?,
        on connection: Connection
    ) async throws {
        // Another address, and a channel that goes on, begin without faults.
        let isFresh = target != channel.target || (pausedAt == nil && channel.pausedAt != nil)
        _ = try await connection.execute(
            """
            UPDATE Channel SET Channel_name = \(name), Target = \(target), Sealed = \(sealed), Device_ID = \(device),
                Paused_at = \(pausedAt), Failing_since = \(isFresh ? nil : channel.failingSince),
                Last_problem = \(isFresh ? nil : channel.lastProblem)
            WHERE \(key(channel))
            """)
    }

    /// Removes a channel with its deliveries.
    static func delete(_ channel: ChannelRow, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Channel WHERE \(key(channel))")
    }

    /// Gives a webhook another secret.
    static func rotate(_ channel: ChannelRow, now: Instant, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Channel SET Secret_no = \(channel.secretNumber + 1), Secret_since = \(now) WHERE \(key(channel))
            """)
    }

    /// Notes that the user wants a test.
    static func askTest(_ channel: ChannelRow, now: Instant, on connection: Connection) async throws {
        _ = try await connection.execute("UPDATE Channel SET Test_asked_at = \(now) WHERE \(key(channel))")
    }

    /// Notes a success.
    static func noteSuccess(_ channel: ChannelRow, testedAt: Instant? = nil, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Channel SET Failing_since = NULL, Last_problem = NULL, Tested_at = COALESCE(\(testedAt), Tested_at)
            WHERE \(key(channel))
            """)
    }

    /// Notes the failure of a test. It pauses nothing.
    static func noteFailedTest(
        _ channel: ChannelRow, problem: String, now: Instant, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            UPDATE Channel SET Last_problem = \(problem.excerpt(200)), Tested_at = \(now) WHERE \(key(channel))
            """)
    }

    /// Notes a failure, and pauses a channel that has failed for too long.
    /// - Parameters:
    ///   - since: a channel that fails since then is paused.
    ///   - pauses: whether it is paused in any case.
    static func noteFailure(
        _ channel: ChannelRow, problem: String, now: Instant, since: Instant, pauses: Bool, on connection: Connection
    ) async throws {
        // Assignments are made from left to right: the pause looks at the time before this failure.
        _ = try await connection.execute(
            """
            UPDATE Channel SET
                Paused_at = CASE WHEN Paused_at IS NULL AND (\(pauses) OR Failing_since <= \(since)) THEN \(now)
                    ELSE Paused_at END,
                Failing_since = COALESCE(Failing_since, \(now)), Last_problem = \(problem.excerpt(200))
            WHERE \(key(channel)) AND Target = \(channel.target)
            """)
    }

    private static func key(_ channel: ChannelRow) -> SQL {
        "User_ID = \(channel.user.uuid) AND Channel_ID = \(channel.id)"
    }

    // MARK: Tests

    /// Channels of which a test is to be sent.
    static func asked(limit: Int, on connection: Connection) async throws -> [(user: UserID, id: UUID)] {
        try await connection.query(
            """
            SELECT User_ID, Channel_ID FROM Channel WHERE Test_asked_at IS NOT NULL
            ORDER BY Test_asked_at LIMIT \(limit)
            """
        ).decode((UUID, UUID).self).map { (UserID(uuid: $0.0), $0.1) }
    }

    /// Takes the test of a channel.
    /// - Returns: whether it was still to be sent.
    static func takeTest(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Bool {
        try await connection.execute(
            """
            UPDATE Channel SET Test_asked_at = NULL
            WHERE User_ID = \(user.uuid) AND Channel_ID = \(id) AND Test_asked_at IS NOT NULL
            """
        ).affectedRows == 1
    }
}

extension UserLimit {
    /// Channels.
    static let channels = UserLimit(
        name: "channels", standard: 20, count: { "SELECT COUNT(*) FROM Channel WHERE User_ID = \($0.uuid)" },
        refusal: { "A user may have \($0) channels; delete one." },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) channels; delete some on this device first."
        })
}
