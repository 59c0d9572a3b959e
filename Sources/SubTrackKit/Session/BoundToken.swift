/// A bearer token together with what it is for, as one line of text: `https://subtrack.example.org 0198… token`.
///
/// A token opens all that its user has. Kept by itself it would be sent to whatever server is named next.
struct BoundToken: Hashable, Sendable {
    /// The service that gave it, as ``Client/normalized(_:)`` writes it.
    var server: String
    /// The id of its user, in lower case.
    var user: String
    /// The token alone.
    var token: String

    /// A token with what it is for.
    init(server: String, user: String, token: String) {
        self.server = server
        self.user = user
        self.token = token
    }

    /// Reads the line; nil where it is another text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(server: parts[0], user: parts[1], token: parts[2])
    }

    /// The line.
    var text: String { "\(server) \(user) \(token)" }
}
