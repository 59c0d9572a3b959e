import MariaDB
import SubTrackAPI

/// How the reminders of a tenant stand, for its operator.
public struct NotificationStatus: Encodable, Sendable, Hashable {
    /// The tenant's name.
    public let tenant: String
    /// Whether the tenant has reminders.
    public let isOn: Bool
    /// Whether the tenant is suspended. Then nobody is looked at, and mails wait.
    public var isSuspended = false
    /// How many users are planned.
    public var users = 0
    /// How many users have rows that were changed since they were planned, or were never planned.
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

extension NotificationStatus {
    /// The status in words.
    public var words: String {
        if let problem { return problem }
        guard isOn else { return "off (subtrackd tenant areas \(tenant) --enable reminders)" }
        let planned = users == 0 ? "no user is planned" : users.counted("user is planned", "users are planned")
        let changed = stale == 0 ? "" : ", \(stale) to be planned anew"
        let late = due == 1 ? ", for \(Self.time(lag))" : ", the longest for \(Self.time(lag))"
        let looks = due == 0 ? "no look is due" : due.counted("look is due", "looks are due") + late
        let times = attempts == 1 ? "once" : "\(attempts) times"
        let tried = attempts == 0 ? "" : mails == 1 ? ", tried \(times)" : ", tried at most \(times)"
        let waiting = mails == 0 ? "no mail waits" : mails.counted("mail waits", "mails wait") + tried
        let all = "\(planned)\(changed); \(looks); \(waiting)"
        return isSuspended ? "suspended, so that nothing is sent: \(all)" : all
    }

    /// A time in its greatest whole unit.
    private static func time(_ seconds: Int64) -> String {
        let seconds = Int(clamping: seconds)
        return switch seconds {
        case ..<60: seconds.counted("second", "seconds")
        case ..<3600: (seconds / 60).counted("minute", "minutes")
        case ..<86_400: (seconds / 3600).counted("hour", "hours")
        default: (seconds / 86_400).counted("day", "days")
        }
    }
}

/// The waiting mails of a tenant that are tried again.
public struct NotificationRetry: Sendable, Hashable {
    /// The tenant's name.
    public let tenant: String
    /// How many mails.
    public var mails = 0
    /// Why the tenant is left out; nil: it is not.
    public var problem: String?

    /// The mails of some tenants in words.
    public static func words(_ all: [NotificationRetry]) -> String {
        let having = all.filter { $0.mails > 0 }
        let mails = having.reduce(0) { $0 + $1.mails }
        guard mails > 0 else { return "No mail will be tried again." }
        return "\(mails.counted("mail", "mails")) of \(having.count.counted("tenant", "tenants")) will be tried again "
            + "in two minutes."
    }
}

extension TenantAdministration {
    /// How the reminders of all tenants stand, or of one. A tenant whose database is away has a `problem`.
    /// - Throws: ``Refusal`` where there is no such tenant.
    public func notificationStatus(of slug: String? = nil) async throws -> [NotificationStatus] {
        var all: [NotificationStatus] = []
        var away: [String?: String] = [:]
        for row in try await tenants(slug) {
            var status = NotificationStatus(tenant: row.slug, isOn: hasReminders(row))
            status.isSuspended = row.isSuspended
            if status.isOn {
                status.problem = try await problem(of: row, &away) { connection in
                    try await NotificationQueries.read(&status, on: connection)
                }
            }
            all.append(status)
        }
        return all
    }

    /// Has the waiting mails of reminders tried soon: of all tenants that are not suspended, or of one. A tenant whose database
    /// is away stops no other.
    /// - Returns: the tenants that have reminders.
    /// - Throws: ``Refusal`` where there is no such tenant, or it is suspended.
    public func retryNotifications(of slug: String? = nil) async throws -> [NotificationRetry] {
        var all: [NotificationRetry] = []
        var away: [String?: String] = [:]
        for row in try await tenants(slug) where hasReminders(row) {
            guard !row.isSuspended else {
                guard slug == nil else {
                    throw Refusal("\(row.slug) is suspended, and sends no mails: subtrackd tenant resume \(row.slug)")
                }
                continue
            }
            var retry = NotificationRetry(tenant: row.slug)
            retry.problem = try await problem(of: row, &away) { connection in
                retry.mails = try await NotificationQueries.hurry(on: connection)
            }
            all.append(retry)
        }
        return all
    }

    /// Runs a body on the database of a tenant.
    /// - Parameter away: the reasons of servers that are away. Each costs no more time than one of its tenants.
    /// - Returns: why the database cannot be used; nil: the body has run.
    private func problem(
        of row: TenantQueries.Row, _ away: inout [String?: String], _ body: (Connection) async throws -> Void
    ) async throws -> String? {
        if row.isClosed { return Preparation.closed(row.slug) }
        if let reason = away[row.server] { return reason }
        do {
            let client = try clients.client(of: row.server)
            try await DatabaseGone.check(row, client: client)
            try await client.withConnection(row.database, body)
            return nil
        } catch let error where !(error is CancellationError) {
            let reason = "\(error)"
            if Preparation.isOfServer(error) { away[row.server] = reason }
            return reason
        }
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
                (SELECT COUNT(*) FROM Scope s JOIN `User` u ON u.User_ID = s.Scope_ID WHERE s.Stale = 1)
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

    /// Has the waiting mails tried soon.
    /// - Returns: how many wait. Those that would be tried soon anyway are among them.
    static func hurry(on connection: Connection) async throws -> Int {
        let soon: SQL = "UTC_TIMESTAMP() + INTERVAL \(secondsUnderWay) SECOND"
        let waiting: SQL = "Kind = \(NotificationReference.kind) AND Expires_at > UTC_TIMESTAMP()"
        _ = try await connection.execute(
            "UPDATE Mail SET Next_attempt_at = \(soon) WHERE \(waiting) AND Next_attempt_at > \(soon)")
        return try await connection.query("SELECT COUNT(*) FROM Mail WHERE \(waiting)").decode(Int.self).first ?? 0
    }
}
