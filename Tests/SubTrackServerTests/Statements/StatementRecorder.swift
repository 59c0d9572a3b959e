import MariaDB
import Synchronization

/// The statements that a service sent, each once, with values of its last time.
final class StatementRecorder: Sendable {
    private let statements = Mutex<[String: SQL]>([:])

    /// Notes a statement on a database whose name ends so, of a tenant or else the control database.
    func note(_ sql: SQL) {
        statements.withLock { $0[Self.normalized(sql.text)] = sql }
    }

    /// The statements by their text.
    var all: [String: SQL] { statements.withLock { $0 } }

    /// A statement's text on one line, with lists of values as one.
    static func normalized(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(#/\?(?:, \?)+/#, with: "?…")
    }
}
