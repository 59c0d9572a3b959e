import Foundation
import MariaDB
import SubTrackAPI

/// The statements on mails that are to be sent, and on the tokens that were.
enum MailQueries {
    /// A mail in the queue.
    struct Queued: Sendable {
        let id: UUID
        /// A ``MailKind``, or the kind of an area's ``MailLetters``.
        let kind: String
        let email: EmailAddress
        let detail: String?
        let language: MailLanguage
        /// How often it was tried.
        let attempts: Int
    }

    /// For how many hours a mail of an account is due already when it is queued. A person waits for it: it goes before thousands of
    /// mails that an area has queued.
    private static let hoursAhead = 24

    /// Queues a mail. It holds no secret.
    /// - Parameter detail: the value that the text names.
    static func insert(
        _ kind: MailKind, to email: EmailAddress, detail: String? = nil, language: MailLanguage, id: UUID,
        on connection: Connection
    ) async throws {
        try await insert(
            kind.rawValue, to: email, detail: detail, language: language, id: id, hoursQueued: kind.hoursQueued,
            hoursAhead: hoursAhead, on: connection)
    }

    /// Queues a mail of an area.
    /// - Parameters:
    ///   - detail: the reference from which its ``MailLetters`` write it.
    ///   - hoursAhead: for how many hours it is due already.
    static func insert(
        _ kind: String, to email: EmailAddress, detail: String?, language: MailLanguage, id: UUID, hoursQueued: Int,
        hoursAhead: Int = 0, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Mail (Mail_ID, Kind, Email, Detail, Language, Next_attempt_at, Expires_at)
            VALUES (\(id), \(kind), \(email.text), \(detail.map(Self.cut)), \(language),
                    UTC_TIMESTAMP() - INTERVAL \(hoursAhead) HOUR, UTC_TIMESTAMP() + INTERVAL \(hoursQueued) HOUR)
            """)
    }

    /// As much of a text as the column holds, which counts as Unicode does and not as people do.
    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(3000)))
    }

    /// The mails that are due, the longest due first.
    static func due(limit: Int, on connection: Connection) async throws -> [Queued] {
        let rows = try await connection.query(
            """
            SELECT Mail_ID, Kind, Email, Detail, Language, Attempts FROM Mail
            WHERE Next_attempt_at <= UTC_TIMESTAMP() AND Expires_at > UTC_TIMESTAMP()
            ORDER BY Next_attempt_at LIMIT \(limit)
            """)
        return try rows.decode((UUID, String, String, String?, MailLanguage, Int).self).map { row in
            Queued(
                id: row.0, kind: row.1, email: EmailAddress(stored: row.2), detail: row.3, language: row.4,
                attempts: row.5)
        }
    }

    /// The number of mails that wait.
    static func waiting(on connection: Connection) async throws -> Int {
        try await connection.query("SELECT COUNT(*) FROM Mail WHERE Expires_at > UTC_TIMESTAMP()").decode(Int.self)
            .first ?? 0
    }

    /// Takes the right to try once.
    /// - Parameter time: how long nobody else tries: longer than it can take.
    /// - Returns: false when somebody else has taken it.
    static func claim(_ mail: Queued, for time: Duration, on connection: Connection) async throws -> Bool {
        let seconds = max(wait(after: mail.attempts), Int(time.components.seconds))
        let changed = try await connection.execute(
            """
            UPDATE Mail SET Attempts = LEAST(Attempts + 1, 250),
                            Next_attempt_at = UTC_TIMESTAMP() + INTERVAL \(seconds) SECOND
            WHERE Mail_ID = \(mail.id) AND Attempts = \(mail.attempts) AND Next_attempt_at <= UTC_TIMESTAMP()
            """)
        return changed.affectedRows > 0
    }

    /// Gives the right to try back, after a failed attempt. Nobody tries for half a minute, then for twice as long each
    /// time, up to an hour. A claim that has ended meanwhile is somebody else's, and stays.
    static func postpone(_ mail: Queued, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP() + INTERVAL \(wait(after: mail.attempts)) SECOND
            WHERE Mail_ID = \(mail.id) AND Attempts = \(claimed(mail))
            """)
    }

    /// Seconds from one attempt to the next, not the same for all mails that were refused at the same moment.
    private static func wait(after attempts: Int) -> Int {
        let seconds = min(3600, 30 << min(attempts, 7))
        return Int.random(in: seconds...(seconds * 5 / 4))
    }

    /// Removes a mail that was handed over.
    static func delete(_ id: UUID, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Mail WHERE Mail_ID = \(id)")
    }

    /// Removes a mail that need not, or cannot, be handed over. A claim that has ended meanwhile is somebody else's, and stays.
    static func drop(_ mail: Queued, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Mail WHERE Mail_ID = \(mail.id) AND Attempts = \(claimed(mail))")
    }

    /// The number of attempts that a mail has while its claim lasts.
    private static func claimed(_ mail: Queued) -> Int { min(mail.attempts + 1, 250) }

    /// Removes queued mails of an address.
    static func deleteAll(to email: EmailAddress, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Mail WHERE Email = \(email.text)")
    }

    /// Stores the hash of a token that is sent.
    static func insertSecret(
        _ hash: [UInt8], purpose: MailPurpose, email: EmailAddress, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Mail_secret (Secret_hash, Purpose, Email, Expires_at)
            VALUES (\(hash), \(purpose), \(email.text), UTC_TIMESTAMP() + INTERVAL \(purpose.hoursValid) HOUR)
            """)
    }

    /// The address that a token was sent to; nil when it was not, or too long ago. Locks it in a transaction.
    static func email(
        secret hash: [UInt8], purpose: MailPurpose, on connection: Connection
    ) async throws -> EmailAddress? {
        let rows = try await connection.query(
            """
            SELECT Email FROM Mail_secret
            WHERE Secret_hash = \(hash) AND Purpose = \(purpose) AND Expires_at > UTC_TIMESTAMP() FOR UPDATE
            """)
        return try rows.decode(String.self).first.map(EmailAddress.init(stored:))
    }

    /// Removes a token that was not sent after all.
    static func deleteSecret(_ hash: [UInt8], on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Mail_secret WHERE Secret_hash = \(hash)")
    }

    /// Ends the tokens that were sent to an address, for one purpose or all.
    static func deleteSecrets(of email: EmailAddress, purpose: MailPurpose?, on connection: Connection) async throws {
        var filter: SQL = "Email = \(email.text)"
        if let purpose { filter += " AND Purpose = \(purpose)" }
        _ = try await connection.execute("DELETE FROM Mail_secret WHERE \(filter)")
    }
}
