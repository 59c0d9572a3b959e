import Foundation

/// Measurements of what catalogue admins do by SQL, beside the same on tables without triggers.
extension Stage {
    /// Where plans are inserted one by one, fewer: each is a transaction of its own.
    private static let singlePlans = 10_000
    /// How many plans a revision has, and in how many countries.
    private static let plans = 100_000
    private static let countries = 200

    /// The databases that are made for it: one without triggers, one as tenants have it.
    private static let plain = "subtrackit_bench_plain"
    private static let guarded = "subtrackit_bench_guarded"

    /// Measures one of the rows of the catalogue: `plans-single`, `plans-staged` or `plans-applied`.
    func catalogue(_ row: Row, rounds: Int) throws -> Report.Pairs {
        var result = Report.Pairs(row: row.name, title: row.title, baseline: "the same tables without triggers")
        for round in 1...rounds {
            let pair = Report.Pair(
                baseline: try figure(row, in: Self.plain), measured: try figure(row, in: Self.guarded))
            result.rounds.append(pair)
            say(
                "\(row.name), round \(round) of \(rounds): \(pair.baseline), \(pair.measured), ratio \(Report.two(pair.ratio))"
            )
        }
        for name in [Self.plain, Self.guarded] { try database.sql("DROP DATABASE IF EXISTS `\(name)`", in: "mysql") }
        return result
    }

    private func figure(_ row: Row, in name: String) throws -> Report.Figure {
        let isGuarded = name == Self.guarded
        try make(name, withTriggers: isGuarded)
        switch row.name {
        case "plans-single":
            let statements = (0..<Self.singlePlans).map { plan in
                "INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit) "
                    + "VALUES ('Provider \(plan % 300)', 'Plan \(plan)', \(5 + plan % 20), 'USD', 'US', 1, 'month');"
            }
            return try measured(Self.singlePlans, statements.joined(separator: "\n"), in: name)
        case "plans-staged":
            let columns = "(Country_ID, Provider, Plan_name, Fee, Currency_code, Duration_value, Duration_unit)"
            let table = isGuarded ? "Staged_plan" : "Plan"
            return try measured(
                Self.plans,
                "LOAD DATA LOCAL INFILE '\(try planFile())' INTO TABLE \(table) CHARACTER SET binary "
                    + "FIELDS TERMINATED BY ',' \(columns)\(isGuarded ? " SET Revision = 'bench'" : "");", in: name)
        default:
            try stageRevision(in: name, isGuarded: isGuarded)
            let apply =
                isGuarded
                ? String(
                    repeating: "UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = 'bench' "
                        + "AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;\n", count: Self.countries)
                : try codes(in: name).map { code in
                    """
                    INSERT INTO Plan (Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit)
                    SELECT Provider, Plan_name, Fee, Currency_code, Country_ID, Duration_value, Duration_unit
                    FROM Staged_plan WHERE Country_ID = '\(code)';
                    """
                }.joined(separator: "\n")
            return try measured(
                Self.plans, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;\n" + apply, in: name)
        }
    }

    /// Loads the revision that is applied, and has it checked.
    private func stageRevision(in name: String, isGuarded: Bool) throws {
        let index = isGuarded ? "" : "CREATE INDEX Staged_country ON Staged_plan (Country_ID);"
        let check = isGuarded ? "UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'bench';" : ""
        try database.sql(
            """
            \(index)
            INSERT INTO Revision (Revision) VALUES ('bench');
            LOAD DATA LOCAL INFILE '\(try planFile())' INTO TABLE Staged_plan CHARACTER SET binary FIELDS TERMINATED BY ','
            (Country_ID, Provider, Plan_name, Fee, Currency_code, Duration_value, Duration_unit) SET Revision = 'bench';
            SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
            \(check)
            """, in: name)
    }

    /// Runs statements and divides by the time that they take.
    private func measured(_ count: Int, _ statements: String, in name: String) throws -> Report.Figure {
        let start = ContinuousClock.now
        try database.sql(statements, in: name)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let found = try database.sql(
            "SELECT (SELECT COUNT(*) FROM Plan) + (SELECT COUNT(*) FROM Staged_plan)", in: name)
        guard Int(found.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= count else {
            throw BenchFailure("not all plans are there: \(found)")
        }
        return Report.Figure(perSecond: Double(count) / max(seconds, 0.001), errors: 0)
    }

    /// The files of a folder of `sql/`.
    func sqlFiles(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(dataset.root)/sql/\(folder)")
            .filter { $0.hasSuffix(".sql") }.sorted().map { "\(dataset.root)/sql/\(folder)/\($0)" }
    }

    /// Makes a database with countries and currencies.
    /// - Parameter area: an area whose tables it has as well.
    func make(_ name: String, withTriggers: Bool, area: String? = nil) throws {
        try database.sql("DROP DATABASE IF EXISTS `\(name)`; CREATE DATABASE `\(name)`", in: "mysql")
        var paths = try sqlFiles("tenant") + sqlFiles("tenant/views")
        if let area { paths += try sqlFiles(area) }
        for folder in withTriggers ? ["tenant", area].compactMap(\.self) : [] {
            paths += try sqlFiles("\(folder)/triggers")
        }
        paths +=
            ["currencies", "countries"].map { "\(dataset.root)/sql/reference/\($0).sql" }
        let script = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
        try database.sql(script, in: name)
    }

    /// The countries that have plans.
    private func codes(in name: String) throws -> [String] {
        try database.sql("SELECT Country_ID FROM Country ORDER BY Country_ID LIMIT \(Self.countries)", in: name)
            .split(separator: "\n").map(String.init)
    }

    /// The file with the plans of a revision.
    private func planFile() throws -> String {
        let path = scratch.file("plans.csv")
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let codes = try codes(in: Database.name)
        let lines = (0..<Self.plans).map { plan in
            let number = plan / Self.countries
            return
                "\(codes[plan % codes.count]),Provider \(number % 300),Plan \(number),\(5 + plan % 20).00,USD,1,month"
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }
}
