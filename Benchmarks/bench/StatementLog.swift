import Foundation

/// What MariaDB's general log says of the statements that it was sent.
struct StatementLog {
    struct Entry {
        let thread: String
        let command: String
        let text: [UInt8]
    }

    private static let mark = "SELECT 'what follows is watched'"
    let entries: [Entry]

    /// Begins to log.
    static func begin(_ database: Database) throws {
        try database.sql(
            """
            SET GLOBAL general_log = 0;
            SET GLOBAL log_output = 'TABLE';
            TRUNCATE mysql.general_log;
            SET GLOBAL general_log = 1;
            """)
    }

    /// Notes in the log that what comes now is what counts.
    static func mark(_ database: Database) throws { try database.sql(mark) }

    /// Stops logging.
    /// - Returns: what was logged.
    static func end(_ database: Database) throws -> StatementLog {
        let text = try database.sql(
            """
            SET GLOBAL general_log = 0;
            SELECT thread_id, command_type, HEX(argument) FROM mysql.general_log;
            TRUNCATE mysql.general_log;
            """)
        return StatementLog(
            entries: text.split(separator: "\n").compactMap { line in
                let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
                guard columns.count == 3, let bytes = bytes(columns[2]) else { return nil }
                return Entry(thread: String(columns[0]), command: String(columns[1]), text: bytes)
            })
    }

    private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hexadecimal {
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return bytes
    }

    /// The statements of the request after the mark, and before them those by which the connection was set up.
    func statements() throws -> [Statement] {
        guard let mark = entries.firstIndex(where: { $0.text == Array(Self.mark.utf8) }) else {
            throw BenchFailure("the server's log of statements lacks the mark")
        }
        let watched = entries[mark...].dropFirst().filter { $0.thread != entries[mark].thread }
        guard let first = watched.first(where: { $0.command == "Execute" }) else { return [] }
        let setup = entries[..<mark].filter { $0.thread == first.thread }.drop { $0.command != "Connect" }.dropFirst()
            .prefix { $0.command == "Query" }
        return try setup.map { Statement(way: .setup, text: $0.text, values: []) }
            + watched.compactMap { try statement($0) }
    }

    private func statement(_ entry: Entry) throws -> Statement? {
        switch entry.command {
        case "Execute":
            let prepared = entries.lazy.filter { $0.command == "Prepare" }.compactMap { prepare in
                Statement.values(of: prepare.text, in: entry.text).map { (prepare.text, $0) }
            }.first
            guard let prepared else {
                throw BenchFailure("no prepared statement fits: \(String(decoding: entry.text, as: UTF8.self))")
            }
            return Statement(way: .prepared, text: prepared.0, values: prepared.1)
        case "Query":
            // The service prepares everything else: other text is what triggers run, which the log has as well.
            let word = String(decoding: entry.text.prefix { $0 > 0x20 }, as: UTF8.self).uppercased()
            let own = ["START", "BEGIN", "COMMIT", "ROLLBACK", "SET", "SAVEPOINT", "RELEASE"]
            return own.contains(word) ? Statement(way: .plain, text: entry.text, values: []) : nil
        default: return nil
        }
    }
}
