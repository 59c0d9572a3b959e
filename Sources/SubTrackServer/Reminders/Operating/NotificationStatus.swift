import MariaDB
import SubTrackAPI

/// How the reminders of a tenant stand, for its operator.
public struct NotificationStatus: Encodable, Sendable, Hashable {
    /// The tenant's name.
    public let tenant: String
    /// Whether the tenant has reminders.
    public let isOn: Bool
    /// How many users are planned.
    public var users = 0
    /// How many users have rows that were changed since they were planned.
    public var stale = 0
    /// How many looks are due.
    public var due = 0
    /// The seconds since the longest due look should have been; 0: none is due.
    public var lag: Int64 = 0
    /// How many mails of reminders wait.
    public var mails = 0
    /// The most attempts of one of them.
    public var attempts = 0
    /// Why nothing else can be told; nil: it could.
    public var problem: String?

    init(tenant: String, isOn: Bool) {
        self.tenant = tenant
        self.isOn = isOn
    }
}

extension TenantAdministration {
    /// How the reminders of all tenants stand, or of one.
    /// - Throws: ``Refusal`` where there is no such tenant.
    public func notificationStatus(of slug: String? = nil) async throws -> [NotificationStatus] {
        var all: [NotificationStatus] = []
        for row in try await tenants(slug) {
            var status = NotificationStatus(tenant: row.slug, isOn: hasReminders(row))
            if status.isOn {
                do {
                    try await clients.client(of: row.server).withConnection(row.database) { connection in
                        try await NotificationQueries.read(&status, on: connection)
                    }
                } catch let error where !(error is CancellationError) {
                    status.problem = "\(error)"
                }
            }
            all.append(status)
        }
        return all
    }

    /// Has the waiting mails of reminders tried at once: of all tenants, or of one.
    /// - Returns: how many.
    /// - Throws: ``Refusal`` where there is no such tenant; `MariaDBError`.
    public func retryNotifications(of slug: String? = nil) async throws -> Int {
        var count = 0
        for row in try await tenants(slug) where hasReminders(row) {
            count += try await clients.client(of: row.server).withConnection(row.database) { connection in
                try await NotificationQueries.hurry(on: connection)
            }
        }
        return count
    }

    private func tenants(_ slug: String?) async throws -> [TenantQueries.Row] {
        if let slug { return [try await find(slug)] }
        return try await onControl { try await TenantQueries.all(on: $0) }
    }

    private func hasReminders(_ row: TenantQueries.Row) -> Bool {
        row.isMade && areas.names(in: areas.on(row.areas)).contains("reminders")
    }
}

/// The statements on notifications for operators.
enum NotificationQueries {
    static func read(_ status: inout NotificationStatus, on connection: Connection) async throws {
        let looks = try await connection.query(
            """
            SELECT COUNT(*), COUNT(CASE WHEN Next_at <= UTC_TIMESTAMP() THEN 1 END),
                COALESCE(GREATEST(TIMESTAMPDIFF(SECOND, MIN(Next_at), UTC_TIMESTAMP()), 0), 0),
                (SELECT COUNT(*) FROM Scope WHERE Stale = 1)
            FROM Agenda
            """
        ).decode((Int, Int, Int64, Int).self).first
        let mails = try await connection.query(
            """
            SELECT COUNT(*), COALESCE(MAX(Attempts), 0) FROM Mail
            WHERE Kind = \(NotificationReference.kind) AND Expires_at > UTC_TIMESTAMP()
            """
        ).decode((Int, Int).self).first
        if let looks { (status.users, status.due, status.lag, status.stale) = looks }
        if let mails { (status.mails, status.attempts) = mails }
    }

    /// For so many seconds a mail may be with a mail program. It is tried no sooner, so that none goes out twice.
    private static let secondsUnderWay = 120

    static func hurry(on connection: Connection) async throws -> Int {
        let soon: SQL = "UTC_TIMESTAMP() + INTERVAL \(secondsUnderWay) SECOND"
        let changed = try await connection.execute(
            """
            UPDATE Mail SET Next_attempt_at = \(soon)
            WHERE Kind = \(NotificationReference.kind) AND Expires_at > UTC_TIMESTAMP() AND Next_attempt_at > \(soon)
            """)
        return Int(clamping: changed.affectedRows)
    }
}
