import Foundation
import MariaDB
import SubTrackSQL

/// Compares the views of a database with their text right after this service made them.
///
/// Servers rewrite a view's text, each version in its own way. So a fingerprint of the rewritten text is noted in the
/// database when a view is made, together with the server that rewrote it. On another server's version the fingerprint says
/// nothing: the migrator makes the view again and notes a new one.
enum ViewInventory {
    /// The prefix of the notes' names in the table `Setting`.
    private static let prefix = "view."

    /// Faults of the views of a database.
    struct Drift: Sendable {
        /// Views that are not there.
        var missing: [String] = []
        /// Views that are not as they were made.
        var changed: [String] = []
        /// Views of which nothing is noted for this server.
        var unknown: [String] = []
        /// The files that make them all.
        var files: [SQLFiles.File] = []
    }

    /// The names of the views that a file makes.
    static func names(in file: SQLFiles.File) -> [String] { madeViews[file] }

    private static let madeViews = FileMemory<[String]> { file in
        StatementSplitter.statements(of: file).compactMap { statement in
            let words = statement.split(maxSplits: 8, whereSeparator: \.isWhitespace)
            guard words.first?.uppercased() == "CREATE",
                let view = words.firstIndex(where: { $0.uppercased() == "VIEW" }),
                view + 1 < words.count
            else { return nil }
            return String(words[view + 1])
        }
    }

    /// Compares the views of a database with the notes of the applied views, as far as this service has them.
    static func compare(
        _ plan: MigrationPlan, applied: [String: MigrationQueries.Applied], on connection: Connection
    ) async throws -> Drift {
        var drift = Drift()
        let known = plan.definitions.filter { applied[$0.path]?.checksum == MigrationPlan.checksum($0) }
            .map { (file: $0, views: names(in: $0)) }.filter { !$0.views.isEmpty }
        guard !known.isEmpty else { return drift }
        let live = try await live(on: connection)
        // Without the right SHOW VIEW the texts are empty.
        if live.values.contains(nil) { return drift }
        let notes = try await notes(on: connection)
        let server = try server(connection)
        for (file, views) in known {
            var isGood = true
            for view in views {
                if let found = live[view.lowercased()] {
                    let note = notes[prefix + view]?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
                    if note.first != server {
                        drift.unknown.append(view)
                    } else if note.last != found {
                        drift.changed.append(view)
                    } else {
                        continue
                    }
                } else {
                    drift.missing.append(view)
                }
                isGood = false
            }
            if !isGood { drift.files.append(file) }
        }
        return drift
    }

    /// Notes the views that a file has just made.
    static func note(_ file: SQLFiles.File, on connection: Connection) async throws {
        let views = names(in: file)
        guard !views.isEmpty, try await !MigrationQueries.tables(["Setting"], on: connection).isEmpty else { return }
        let live = try await live(on: connection)
        let server = try server(connection)
        for view in views {
            guard let found = live[view.lowercased()] ?? nil else { continue }
            let (name, value) = (prefix + view, "\(server) \(found)")
            _ = try await connection.execute(
                """
                INSERT INTO Setting (Setting_name, Setting_value) VALUES (\(name), \(value))
                ON DUPLICATE KEY UPDATE Setting_value = VALUES(Setting_value)
                """)
        }
    }

    /// The kind and version of the server that rewrote a view's text: `MariaDB-10.11`.
    private static func server(_ connection: Connection) throws -> String {
        let version = try connection.serverVersion
        return "\(version.isMariaDB ? "MariaDB" : "MySQL")-\(version.major).\(version.minor)"
    }

    private static func notes(on connection: Connection) async throws -> [String: String] {
        Dictionary(
            try await connection.query(
                "SELECT Setting_name, Setting_value FROM Setting WHERE Setting_name LIKE 'view.%'"
            ).decode((String, String).self), uniquingKeysWith: { first, _ in first })
    }

    /// The fingerprints of the views of the connection's database, by their names in small letters; nil where the account may
    /// not see the text.
    private static func live(on connection: Connection) async throws -> [String: String?] {
        let rows = try await connection.query(
            """
            SELECT CONVERT(TABLE_NAME USING utf8mb4), CONVERT(VIEW_DEFINITION USING utf8mb4),
                CONVERT(SECURITY_TYPE USING utf8mb4), CONVERT(CHECK_OPTION USING utf8mb4)
            FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()
            """
        ).decode((String, String?, String, String).self)
        let database = connection.database ?? ""
        return Dictionary(
            rows.map { row -> (String, String?) in
                let (name, text, security, check) = row
                guard let text, !text.isEmpty else { return (name.lowercased(), nil) }
                var hash = StableHash()
                // The text names the database, which may be another one after a dump was loaded.
                hash.combine(text.replacingOccurrences(of: "`\(database)`.", with: ""))
                hash.combine(security)
                hash.combine(check)
                return (name.lowercased(), String(hash.value, radix: 16))
            }, uniquingKeysWith: { first, _ in first })
    }
}
