import Foundation
import MariaDB
import SubTrackAPI

/// The statements of the operators' pages.
enum OperatorQueries {
    /// A mail that waits.
    struct Mail: Sendable {
        let id: UUID
        let kind: String
        let email: EmailAddress
        let attempts: Int
        let createdAt: Instant
        let nextAttemptAt: Instant
        let expiresAt: Instant
    }

    /// The mails of a tenant that wait, those first that are due first.
    static func mails(limit: Int, on connection: Connection) async throws -> [Mail] {
        try await connection.query(
            """
            SELECT Mail_ID, Kind, Email, Attempts, Created_at, GREATEST(Next_attempt_at, Created_at), Expires_at FROM Mail
            ORDER BY Next_attempt_at LIMIT \(limit)
            """
        ).decode((UUID, String, String, Int, Instant, Instant, Instant).self).map { row in
            Mail(
                id: row.0, kind: row.1, email: EmailAddress(stored: row.2), attempts: row.3, createdAt: row.4,
                nextAttemptAt: row.5, expiresAt: row.6)
        }
    }

    /// Has a mail tried at the next turn.
    static func hurry(_ id: UUID, on connection: Connection) async throws {
        _ = try await connection.execute("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP() WHERE Mail_ID = \(id)")
    }

    /// A revision of the catalogue.
    struct Revision: Sendable {
        let name: String
        let effectiveOn: CalendarDate
        let isComplete: Bool
        let createdAt: Instant
        let isChecked: Bool
        let countries: Int
        let applied: Int
        let rejected: Int
    }

    /// The revisions of a tenant's catalogue, the newest first.
    static func revisions(limit: Int, on connection: Connection) async throws -> [Revision] {
        try await connection.query(
            """
            SELECT v.Revision, v.Effective_on, v.Is_complete, v.Created_at, v.Checked_at IS NOT NULL, COUNT(c.Country_ID),
                COUNT(c.Applied_at), CAST(COALESCE(SUM(c.Rejected), 0) AS SIGNED)
            FROM Revision v LEFT JOIN Revision_country c ON c.Revision = v.Revision
            GROUP BY v.Revision, v.Effective_on, v.Is_complete, v.Created_at, v.Checked_at
            ORDER BY v.Created_at DESC, v.Revision LIMIT \(limit)
            """
        ).decode((String, CalendarDate, Bool, Instant, Bool, Int, Int, Int).self).map { row in
            Revision(
                name: row.0, effectiveOn: row.1, isComplete: row.2, createdAt: row.3, isChecked: row.4,
                countries: row.5,
                applied: row.6, rejected: row.7)
        }
    }
}
