import Foundation

/// The reference of a look's mail in the queue: the user and the number of the notification.
struct NotificationReference: Sendable, Hashable {
    /// The kind of such mails.
    static let kind = "reminders"

    let user: UserID
    let number: Int64

    /// A reference to the notification of a user.
    init(user: UserID, number: Int64) {
        self.user = user
        self.number = number
    }

    /// Reads ``text``; nil for another text.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let user = UUID(uuidString: String(parts[0])), let number = Int64(parts[1]) else {
            return nil
        }
        self.init(user: UserID(uuid: user), number: number)
    }

    /// The reference as the queue has it.
    var text: String { "\(user.uuid.uuidString.lowercased()) \(number)" }
}
