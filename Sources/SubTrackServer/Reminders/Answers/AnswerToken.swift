import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The use of a token of a notification.
enum AnswerPurpose: String, Sendable, SQLCodable {
    /// It answers the reminders of its notification.
    case answer
    /// It ends the mails.
    case unsubscribe
}

/// A token of a notification, as somebody sends it. It is good for one notification and one purpose, and the database has its hash
/// alone.
struct AnswerToken: Sendable {
    /// How many days a token is good for.
    private static let daysValid: Int64 = 30

    private let hash: [UInt8]
    private let purpose: AnswerPurpose

    /// Reads a token.
    /// - Throws: `input_invalid` where it cannot be one.
    init(_ text: String, _ purpose: AnswerPurpose) throws {
        guard text.utf8.count <= 1_000, let token = Token(text) else { throw Self.bad }
        hash = try token.hash.bytes
        self.purpose = purpose
    }

    /// The problem of a token that is none, is over, or is another's.
    static let bad = Problem.input("token", .missing, "is not one of a mail, or is too old; open the app to answer")

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

    /// The holder of a token: the user that was notified.
    struct Holder: Sendable {
        let notification: NotificationReference
        let country: String
        let timeZone: String

        var user: UserID { notification.user }

        /// The user's today.
        func today(at now: Instant) -> CalendarDate {
            LocalDay.today(at: now, timeZone: timeZone) ?? now.date(secondsFromUTC: 0)
        }
    }

    /// The user that was notified.
    /// - Throws: `input_invalid` for a token that is none, is over, or is of another purpose.
    func holder(now: Instant, on connection: Connection) async throws -> Holder {
        let found = try await connection.query(
            """
            SELECT s.User_ID, s.Notification_no, u.Country_ID, u.Time_zone
            FROM Answer_secret s JOIN `User` u ON u.User_ID = s.User_ID
            WHERE s.Secret_hash = \(hash) AND s.Purpose = \(purpose) AND s.Expires_at > \(now)
              AND NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = s.User_ID)
            """
        ).decode((UUID, Int64, String, String).self).first
        guard let found else { throw Self.bad }
        return Holder(
            notification: .init(user: UserID(uuid: found.0), number: found.1), country: found.2, timeZone: found.3)
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
