import SubTrackSQL

/// What a kind of database consists of, in the order in which it is applied.
struct MigrationPlan: Sendable {
    /// Numbered steps: tables. Each is applied once; each of its statements can be run again after a kill.
    let steps: [SQLFiles.File]
    /// Triggers, a file for each table: applied anew whenever the file's text differs from what was applied.
    let triggers: [SQLFiles.File]
    /// Views and reference data, likewise.
    let definitions: [SQLFiles.File]
    /// The oldest version of the service that can work on what this makes. It is raised by a step that takes away what
    /// older versions use, or adds a rule that they break.
    var oldestService = ServiceVersion.zero

    /// Which files have to be applied to a database.
    /// - Parameters:
    ///   - applied: what was applied to it.
    ///   - version: the service that would apply them. What a newer one has applied stays: while two versions run side by
    ///     side, the older one must not take the newer one's triggers back.
    func missing(
        from applied: [String: MigrationQueries.Applied], for version: ServiceVersion = .current
    ) -> (steps: [SQLFiles.File], triggers: [SQLFiles.File], definitions: [SQLFiles.File]) {
        func differs(_ file: SQLFiles.File) -> Bool {
            guard let known = applied[file.path] else { return true }
            return known.checksum != Self.checksum(file) && known.version <= version
        }
        return (steps.filter { applied[$0.path] == nil }, triggers.filter(differs), definitions.filter(differs))
    }

    /// Whether nothing has to be applied to a database.
    func isComplete(_ applied: [String: MigrationQueries.Applied]) -> Bool {
        let missing = missing(from: applied)
        return missing.steps.isEmpty && missing.triggers.isEmpty && missing.definitions.isEmpty
    }

    /// The control database.
    static let control = MigrationPlan(steps: SQLFiles.files(in: "control"), triggers: [], definitions: [])

    /// The first step alone.
    var beginning: MigrationPlan {
        MigrationPlan(steps: Array(steps.prefix(1)), triggers: [], definitions: [], oldestService: oldestService)
    }

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
        if let known = known[file.path], known.text == file.text { return known.checksum }
        return fingerprint(file.text)
    }

    private static func fingerprint(_ text: String) -> String {
        var hash = StableHash()
        hash.combine(text)
        return String(hash.value, radix: 16)
    }

    /// Those of the files that are looked at again for each tenant.
    private static let known = Dictionary(
        (tenant.triggers + tenant.definitions).map { ($0.path, (text: $0.text, checksum: fingerprint($0.text))) },
        uniquingKeysWith: { first, _ in first })
}
