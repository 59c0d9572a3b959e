import Foundation
import MariaDB
import SubTrackAPI

/// The mails of looks: one for each user to whom a look has said something.
enum MailedLooks {
    /// For how many hours it is tried to hand a mail over.
    private static let hoursQueued = 72

    /// Queues the mails of some looks, in their transaction. A user without an address for mails gets none.
    /// - Returns: whether there is one.
    static func queue(_ results: [LookQueries.Result], now: Instant, on connection: Connection) async throws -> Bool {
        let told = results.filter { !$0.look.due.isEmpty }
        guard !told.isEmpty else { return false }
        let readers = try await ReminderReader.read(told.map(\.user), on: connection)
        var hasMails = false
        for result in told {
            guard let reader = readers[result.user], let email = reader.email else { continue }
            try await MailQueries.insert(
                NotificationReference.kind, to: email,
                detail: NotificationReference(user: result.user, number: result.version).text,
                language: reader.language, id: try UUIDv7.make(now: now), hoursQueued: hoursQueued, on: connection)
            hasMails = true
        }
        return hasMails
    }
}
