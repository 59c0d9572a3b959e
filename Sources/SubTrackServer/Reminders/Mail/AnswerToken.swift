import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// The use of a token of a notification.
enum AnswerPurpose: String, Sendable, SQLCodable {
    /// It answers the reminders of its notification.
    case answer
    /// It ends the mails.
    case unsubscribe
}

/// The tokens of notifications. Each is good for one notification and one purpose, and the database has its hash alone.
enum AnswerToken {
    /// How many days a token is good for.
    private static let daysValid: Int64 = 30

    /// Makes a token for a notification that is handed over now.
    static func make(
        _ purpose: AnswerPurpose, of reference: NotificationReference, now: Instant, on connection: Connection
    ) async throws -> Token {
        let token = try Token.generate()
        let expiry = Instant(secondsSince1970: now.secondsSince1970 + daysValid * 86_400)
        _ = try await connection.execute(
            """
            INSERT INTO Answer_secret (Secret_hash, User_ID, Notification_no, Purpose, Expires_at)
            VALUES (\(try token.hash.bytes), \(reference.user.uuid), \(reference.number), \(purpose), \(expiry))
            """)
        return token
    }

    /// The removal of tokens that are good no more.
    static let upkeep = Job(name: "old-answer-tokens") { tenant, now in
        let removed = try await tenant.read { connection in
            try await connection.execute(
                "DELETE FROM Answer_secret WHERE Expires_at < \(now) ORDER BY Expires_at LIMIT \(UserMerge.batch)")
        }
        return Int(clamping: removed.affectedRows) == UserMerge.batch
    }
}
