import SubTrackSQL

/// What a kind of database consists of, in the order in which it is applied.
struct MigrationPlan: Sendable {
    /// Numbered steps: tables. Each is applied once; each of its statements can be run again after a kill.
    let steps: [SQLFiles.File]
    /// Triggers, a file for each table: applied anew whenever the file's text differs from what was applied.
    let triggers: [SQLFiles.File]
    /// Views and reference data, likewise.
    let definitions: [SQLFiles.File]

    /// The control database.
    static let control = MigrationPlan(steps: SQLFiles.files(in: "control"), triggers: [], definitions: [])

    /// A tenant's database.
    static let tenant = MigrationPlan(
        steps: SQLFiles.files(in: "tenant"), triggers: SQLFiles.files(in: "tenant/triggers"),
        // Currencies before countries: the latter refer to the former.
        definitions: SQLFiles.files(in: "tenant/views")
            + ["reference/currencies.sql", "reference/countries.sql"].compactMap(SQLFiles.file))

    /// The catalogue that a new embedded database begins with. It can be loaded again: what is there stays as it is.
    static let demo = ["catalog/demo.sql"].compactMap(SQLFiles.file)

    /// A fingerprint of a file's text, to notice that it changed.
    static func checksum(_ file: SQLFiles.File) -> String {
        var hash = StableHash()
        hash.combine(file.text)
        return String(hash.value, radix: 16)
    }
}
