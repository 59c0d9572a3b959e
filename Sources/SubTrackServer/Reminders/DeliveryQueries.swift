import Foundation
import MariaDB
import SubTrackAPI

/// The statements on notifications that are on their way by mail.
enum DeliveryQueries {
    /// A notification that is to be delivered.
    struct Claimed: Sendable {
        let user: UserID
        /// The number of the notification.
        let number: Int64
        /// How many attempts there are with this one. It is the fence: a replica that was too slow marks nothing.
        let attempts: Int
    }

    /// Claims some deliveries that are due, in a transaction of its own.
    /// - Parameters:
    ///   - until: the time at which the claim ends. Another replica may then try.
    ///   - limit: the most deliveries.
    static func claim(
        _ tenant: Tenant, now: Instant, until: Instant, limit: Int
    ) async throws -> [Claimed] {
        try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
            let rows = try await connection.query(
                """
                SELECT User_ID, Notification_no, Attempts FROM Mail_delivery
                WHERE Dead_at IS NULL AND Next_attempt_at <= \(now) ORDER BY Next_attempt_at LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
                """
            ).decode((UUID, Int64, Int).self)
            guard !rows.isEmpty else { return [] }
            // MariaDB reads the whole table for a list of one pair, and so would wait for the claims of other replicas.
            let isClaimed = SQL.joined(
                rows.map { "User_ID = \($0.0) AND Notification_no = \($0.1)" }, separator: " OR ")
            _ = try await connection.execute(
                """
                UPDATE Mail_delivery SET Attempts = Attempts + 1, Next_attempt_at = \(until)
                WHERE \(isClaimed)
                """)
            return rows.map { Claimed(user: UserID(uuid: $0.0), number: $0.1, attempts: $0.2 + 1) }
        }
    }

    /// Removes a delivery that arrived, or of which nothing is left to say.
    static func delete(_ delivery: Claimed, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Mail_delivery WHERE \(fence(delivery))")
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
            UPDATE Mail_delivery SET Next_attempt_at = \(next ?? now), Dead_at = \(dead),
                Last_problem = \(String(problem.unicodeScalars.prefix(200).map(Character.init)))
            WHERE \(fence(delivery))
            """)
    }

    private static func fence(_ delivery: Claimed) -> SQL {
        """
        User_ID = \(delivery.user.uuid) AND Notification_no = \(delivery.number) AND Attempts = \(delivery.attempts)
        """
    }

    /// How deliveries of a tenant stand.
    struct Status: Sendable, Equatable {
        let waiting: Int
        let dead: Int
        /// The time of the oldest attempt that is to come; nil: nothing waits.
        let oldest: Instant?
    }

    /// Counts the deliveries of a tenant.
    static func status(on connection: Connection) async throws -> Status {
        let rows = try await connection.query(
            """
            SELECT COUNT(CASE WHEN Dead_at IS NULL THEN 1 END), COUNT(Dead_at),
                MIN(CASE WHEN Dead_at IS NULL THEN Next_attempt_at END)
            FROM Mail_delivery
            """
        ).decode((Int, Int, Instant?).self)
        let (waiting, dead, oldest) = rows.first ?? (0, 0, nil)
        return Status(waiting: waiting, dead: dead, oldest: oldest)
    }

    /// Puts dead deliveries back into the queue.
    /// - Returns: how many.
    static func retry(now: Instant, limit: Int, on connection: Connection) async throws -> Int {
        let result = try await connection.execute(
            """
            UPDATE Mail_delivery SET Dead_at = NULL, Attempts = 0, Next_attempt_at = \(now)
            WHERE Dead_at IS NOT NULL ORDER BY Dead_at LIMIT \(limit)
            """)
        return Int(clamping: result.affectedRows)
    }
}
