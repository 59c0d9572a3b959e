import MariaDB
import Synchronization

/// The statements that a service sent, each once, with values of its last time.
final class StatementRecorder: Sendable {
    private let statements = Mutex<[String: SQL]>([:])
    private let counts = Mutex<[String: Int]>([:])

    /// Notes a statement on a database whose name ends so, of a tenant or else the control database.
    func note(_ sql: SQL) {
        let text = Self.normalized(sql.text)
        statements.withLock { $0[text] = sql }
        counts.withLock { $0[text, default: 0] += 1 }
    }

    /// How often a statement was sent that begins so.
    func count(of beginning: String) -> Int {
        counts.withLock { $0.reduce(0) { $0 + ($1.key.hasPrefix(beginning) ? $1.value : 0) } }
    }

    /// The statements by their text.
    var all: [String: SQL] { statements.withLock { $0 } }

    /// A statement's text on one line, with lists of values as one.
    static func normalized(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(#/\?(?:, \?)+/#, with: "?…")
            // A list of one is a list.
            .replacing("IN (?)", with: "IN (?…)")
    }
}
