import SubTrackSQL

/// The parts of a kind of database, in the order in which they are applied.
struct MigrationPlan: Sendable {
    /// Numbered steps: tables. Each is applied once; each of its statements can be run again after a kill.
    let steps: [SQLFiles.File]
    /// Triggers, a file for each table and area: applied anew whenever the file's text differs from the applied one.
    let triggers: [SQLFiles.File]
    /// Views and reference data, likewise.
    let definitions: [SQLFiles.File]
    /// Numbered steps that remove rules which triggers take over. They come after the triggers, so that a kill in
    /// between leaves no table without rules, beside replicas that go on writing.
    var lateSteps: [SQLFiles.File] = []
    /// The oldest version of the service that can work on the result. A step raises it that removes a part which older
    /// versions use, or adds a rule that they break.
    var oldestService = ServiceVersion.zero
    /// Areas that this service knows and does not want in the database. Their steps may have been applied to it before.
    var absent: [AreaSQL] = []

    /// All files, in the order in which they are applied to a new database.
    var files: [SQLFiles.File] { steps + triggers + lateSteps + definitions }

    /// Files that have to be applied to a database.
    struct Missing {
        var steps: [SQLFiles.File] = []
        var triggers: [SQLFiles.File] = []
        var lateSteps: [SQLFiles.File] = []
        var definitions: [SQLFiles.File] = []

        /// All of them, in their order.
        var files: [SQLFiles.File] { steps + triggers + lateSteps + definitions }
    }

    /// Which files have to be applied to a database.
    /// - Parameters:
    ///   - applied: the files that were applied to it.
    ///   - version: the service that would apply them. Files that a newer one has applied stay. While two versions run
    ///     side by side, the older one must not take the newer one's triggers back. Of two builds of one version, the
    ///     one that does not know an applied step is older.
    func missing(
        from applied: [String: MigrationQueries.Applied], for version: ServiceVersion = .current
    ) -> Missing {
        let known = Set((steps + lateSteps + absent.flatMap(\.steps)).map(\.path))
        let isOlder = applied.contains { path, last in
            MigrationPath.isStep(path) && !known.contains(path) && last.version >= version
        }
        func differs(_ file: SQLFiles.File) -> Bool {
            guard let last = applied[file.path] else { return true }
            // The first migrator that finds it ends it: its table takes no writes until then.
            if last.isCutOff { return true }
            return last.checksum != Self.checksum(file) && last.version <= version && !isOlder
        }
        return Missing(
            steps: steps.filter { applied[$0.path] == nil }, triggers: triggers.filter(differs),
            lateSteps: lateSteps.filter { applied[$0.path] == nil }, definitions: definitions.filter(differs))
    }

    /// Whether nothing has to be applied to a database.
    func isComplete(_ applied: [String: MigrationQueries.Applied]) -> Bool { missing(from: applied).files.isEmpty }

    /// The control database.
    static let control = MigrationPlan(steps: SQLFiles.files(in: "control"), triggers: [], definitions: [])

    /// The first step alone.
    var beginning: MigrationPlan {
        MigrationPlan(steps: Array(steps.prefix(1)), triggers: [], definitions: [], oldestService: oldestService)
    }

    /// A tenant's database without areas that bring their own files.
    static let tenant: MigrationPlan = {
        // It drops a foreign key that the triggers of Subscription and Plan replace.
        let late: Set = ["tenant/0061_plan_keys.sql"]
        let steps = SQLFiles.files(in: "tenant")
        return MigrationPlan(
            steps: steps.filter { !late.contains($0.path) }, triggers: SQLFiles.files(in: "tenant/triggers"),
            // Currencies before countries: the latter refer to the former.
            definitions: SQLFiles.files(in: "tenant/views")
                + ["reference/currencies.sql", "reference/countries.sql"].compactMap(SQLFiles.file),
            lateSteps: steps.filter { late.contains($0.path) })
    }()

    /// The catalogue that a new embedded database begins with. It can be loaded again: present rows stay as they are.
    static let demo = ["catalog/demo.sql"].compactMap(SQLFiles.file)

    /// A fingerprint of a file's text, to notice that it changed.
    static func checksum(_ file: SQLFiles.File) -> String { checksums[file] }

    private static let checksums = FileMemory<String> { file in
        var hash = StableHash()
        hash.combine(file.text)
        return String(hash.value, radix: 16)
    }
}
