import MariaDB
import SubTrackSQL

/// Whether a database has the triggers that it was given, by what is noted in it. A dump that was loaded in part leaves tables
/// without theirs, and the notes of what was applied say nothing of it: nobody would keep the rules, nor would anything that
/// is written get a version by which devices find it.
enum TriggerInventory {
    /// The names of the triggers that a file makes.
    static func names(in file: SQLFiles.File) -> [String] {
        StatementSplitter.statements(of: file.text).compactMap { statement in
            let words = statement.split(maxSplits: 3, whereSeparator: \.isWhitespace)
            guard words.count > 2, words[0].uppercased() == "CREATE", words[1].uppercased() == "TRIGGER" else {
                return nil
            }
            return String(words[2])
        }
    }

    /// A file of which triggers are missing, and their names.
    typealias Lack = (file: SQLFiles.File, triggers: [String])

    /// What a database lacks of what was applied to it as this service has it. What another version has applied is not known.
    /// - Parameters:
    ///   - applied: what is noted in it.
    ///   - connection: one to it, of an account that may see triggers: the migrator's.
    static func lacking(
        _ plan: MigrationPlan, applied: [String: MigrationQueries.Applied], on connection: Connection
    ) async throws -> [Lack] {
        let known = plan.triggers.filter { applied[$0.path]?.checksum == MigrationPlan.checksum($0) }
        guard !known.isEmpty else { return [] }
        let there = Set(
            try await connection.query(
                """
                SELECT CONVERT(TRIGGER_NAME USING utf8mb4) FROM information_schema.TRIGGERS
                WHERE TRIGGER_SCHEMA = DATABASE() AND EVENT_OBJECT_SCHEMA = DATABASE()
                """
            ).decode(String.self).map { $0.lowercased() })
        return known.compactMap { file in
            let missing = names(in: file).filter { !there.contains($0.lowercased()) }
            return missing.isEmpty ? nil : (file, missing)
        }
    }
}
