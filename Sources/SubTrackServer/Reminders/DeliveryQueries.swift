import Foundation
import MariaDB
import SubTrackAPI

/// The statements on notifications that are on their way, by mail and by channels.
enum DeliveryQueries {
    /// The notifications that are on their way by one kind of transport.
    enum Queue: Sendable {
        case mail
        case channels

        fileprivate var table: SQL { self == .mail ? "Mail_delivery" : "Delivery" }
        /// The id of the channel; a mail has none.
        fileprivate var channel: SQL { self == .mail ? "CAST(NULL AS BINARY(16))" : "Channel_ID" }
    }

    /// A notification that is to be delivered.
    struct Claimed: Sendable {
        let user: UserID
        /// The number of the notification.
        let number: Int64
        /// nil: it goes by mail.
        var channel: UUID?
        /// How many attempts there are with this one. It is the fence: a replica that was too slow marks nothing.
        let attempts: Int

        fileprivate var table: SQL { (channel == nil ? Queue.mail : .channels).table }

        fileprivate var key: SQL {
            let key: SQL = "User_ID = \(user.uuid) AND Notification_no = \(number)"
            return channel.map { "\(key) AND Channel_ID = \($0)" } ?? key
        }

        fileprivate var fence: SQL { "\(key) AND Attempts = \(attempts)" }
    }

    /// Puts a notification on its way by all channels that are not paused. A browser is told as long as it is signed in.
    static func fanOut(_ told: [LookQueries.Told], now: Instant, on connection: Connection) async throws {
        guard !told.isEmpty else { return }
        let isTold = SQL.joined(
            told.map { "n.User_ID = \($0.user.uuid) AND n.Notification_no = \($0.number)" }, separator: " OR ")
        _ = try await connection.execute(
            """
            INSERT INTO Delivery (User_ID, Notification_no, Channel_ID, Next_attempt_at)
            SELECT n.User_ID, n.Notification_no, c.Channel_ID, \(now)
            FROM Notification n JOIN Channel c ON c.User_ID = n.User_ID
            WHERE (\(isTold)) AND c.Paused_at IS NULL AND (c.Device_ID IS NULL OR EXISTS (
                SELECT 1 FROM Device d JOIN Session s ON s.Device_ID = d.Device_ID
                WHERE d.Device_ID = c.Device_ID AND d.User_ID = c.User_ID))
            """)
    }

    /// Claims some deliveries that are due, in a transaction of its own.
    /// - Parameters:
    ///   - until: the time at which the claim ends. Another replica may then try.
    ///   - limit: the most deliveries.
    static func claim(
        _ tenant: Tenant, from queue: Queue = .mail, now: Instant, until: Instant, limit: Int
    ) async throws -> [Claimed] {
        try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
            let rows = try await connection.query(
                """
                SELECT User_ID, Notification_no, \(queue.channel), Attempts FROM \(queue.table)
                WHERE Dead_at IS NULL AND Next_attempt_at <= \(now) ORDER BY Next_attempt_at LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
                """
            ).decode((UUID, Int64, UUID?, Int).self)
            guard !rows.isEmpty else { return [] }
            let claimed = rows.map {
                Claimed(user: UserID(uuid: $0.0), number: $0.1, channel: $0.2, attempts: $0.3 + 1)
            }
            // MariaDB reads the whole table for a list of one pair, and so would wait for the claims of other replicas.
            let isClaimed = SQL.joined(claimed.map(\.key), separator: " OR ")
            _ = try await connection.execute(
                """
                UPDATE \(queue.table) SET Attempts = Attempts + 1, Next_attempt_at = \(until)
                WHERE \(isClaimed)
                """)
            return claimed
        }
    }

    /// Removes a delivery that arrived, or of which nothing is left to say.
    static func delete(_ delivery: Claimed, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM \(delivery.table) WHERE \(delivery.fence)")
    }

    /// Notes a failed attempt.
    /// - Parameters:
    ///   - next: the time of the next attempt; nil: the delivery is dead.
    ///   - problem: the reason, for the operator.
    static func fail(
        _ delivery: Claimed, next: Instant?, now: Instant, problem: String, on connection: Connection
    ) async throws {
        let dead = next == nil ? now : nil
        _ = try await connection.execute(
            """
            UPDATE \(delivery.table) SET Next_attempt_at = \(next ?? now), Dead_at = \(dead),
                Last_problem = \(problem.excerpt(200))
            WHERE \(delivery.fence)
            """)
    }

    /// Gives a delivery back without an attempt.
    static func putOff(_ delivery: Claimed, until: Instant, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE \(delivery.table) SET Attempts = Attempts - 1, Next_attempt_at = \(until) WHERE \(delivery.fence)
            """)
    }

    /// How deliveries of a tenant stand.
    struct Status: Sendable, Equatable {
        let waiting: Int
        let dead: Int
        /// The time of the oldest attempt that is to come; nil: nothing waits.
        let oldest: Instant?
    }

    /// Counts the deliveries of a tenant.
    static func status(of queue: Queue = .mail, on connection: Connection) async throws -> Status {
        let rows = try await connection.query(
            """
            SELECT COUNT(CASE WHEN Dead_at IS NULL THEN 1 END), COUNT(Dead_at),
                MIN(CASE WHEN Dead_at IS NULL THEN Next_attempt_at END)
            FROM \(queue.table)
            """
        ).decode((Int, Int, Instant?).self)
        let (waiting, dead, oldest) = rows.first ?? (0, 0, nil)
        return Status(waiting: waiting, dead: dead, oldest: oldest)
    }

    /// Puts dead deliveries back into the queue.
    /// - Returns: how many.
    static func retry(
        of queue: Queue = .mail, now: Instant, limit: Int, on connection: Connection
    ) async throws -> Int {
        let result = try await connection.execute(
            """
            UPDATE \(queue.table) SET Dead_at = NULL, Attempts = 0, Next_attempt_at = \(now)
            WHERE Dead_at IS NOT NULL ORDER BY Dead_at LIMIT \(limit)
            """)
        return Int(clamping: result.affectedRows)
    }
}
