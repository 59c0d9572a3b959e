import SubTrackTestSupport
import TestTraits
import Testing

/// Whether the tables are in Boyce-Codd normal form, as far as `sql/dependencies.json` is right about what depends on
/// what: the columns and keys are those of the live database.
@Suite("Normal form", .ownTime)
struct DependencyTests {
    @Test("on MariaDB")
    func mariaDB() async throws {
        try await check(.mariaDB)
    }

    @Test("on MySQL", .mySQL, .repeated)
    func mySQL() async throws {
        try await check(.mySQL)
    }

    private func check(_ server: TestServer) async throws {
        let declared = try Dependencies.read()
        for (files, tables) in [(Schema.tenantFiles, declared.tenant), (Schema.controlFiles, declared.control)] {
            let live = try await server.lease(prepare: { try await Schema.load(files, into: $0) }) { database in
                try await LiveTable.all(in: database)
            }
            #expect(!live.isEmpty)
            for name in live.keys where tables[name] == nil {
                Issue.record("\(name): sql/dependencies.json says nothing of this table")
            }
            for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
                guard let columns = live[name] else {
                    if table.madeBy == nil {
                        Issue.record("\(name): sql/dependencies.json knows a table that is not there")
                    }
                    continue
                }
                for complaint in complaints(table, columns) { Issue.record("\(name): \(complaint)") }
            }
        }
    }

    private func complaints(_ table: Dependencies.Table, _ live: LiveTable) -> [String] {
        var complaints: [String] = []
        let generated = Set((table.generated ?? []).map(\.column))
        if generated != live.generated {
            complaints.append("generated columns are \(live.generated.sorted()), declared \(generated.sorted())")
        }
        let relation = Relation(
            columns: live.columns.subtracting(live.generated),
            keys: live.keys.filter { $0.isDisjoint(with: live.generated) },
            dependencies: table.dependencies.map { (Set($0.from), Set($0.to)) })
        if relation.keys.isEmpty { complaints.append("it has no key") }

        let named = table.dependencies.flatMap { $0.from + $0.to }
        let known = relation.columns
        for column in known.subtracting(named).sorted() { complaints.append("no dependency names \(column)") }
        let all = named + (table.no ?? []).flatMap { $0.from + $0.to } + (table.generated ?? []).flatMap(\.from)
        for column in Set(all).subtracting(known).sorted() { complaints.append("there is no column \(column)") }

        for (from, to) in relation.violations {
            complaints.append("\(from.sorted()) -> \(to.sorted()): the left side is no superkey")
        }
        for dependency in table.dependencies
        where dependency.keptBy == nil && !relation.isEnforced(Set(dependency.from)) {
            complaints.append("\(dependency.from) -> …: no key enforces it, and 'keptBy' does not say who does")
        }
        for entry in table.no ?? [] where Set(entry.to).isSubset(of: relation.closure(of: Set(entry.from))) {
            complaints.append("\(entry.from) -> \(entry.to) is said not to hold, and follows from the others")
        }
        for why in table.dependencies.map(\.why) + (table.no ?? []).map(\.why) where why.isEmpty {
            complaints.append("a reason is missing")
        }
        return complaints
    }

    @Test("a dependency on a part of the key, or on another column, is seen")
    func violationsAreSeen() {
        // A provider's category in the plan: the provider is no key of plans.
        let plan = Relation(
            columns: ["Plan_ID", "Provider", "Category"], keys: [["Plan_ID"]],
            dependencies: [(["Plan_ID"], ["Provider", "Category"]), (["Provider"], ["Category"])])
        #expect(plan.violations.map(\.from) == [["Provider"]])
        // A part of the key.
        let period = Relation(
            columns: ["Subscription_ID", "Period", "User_ID"], keys: [["Subscription_ID", "Period"]],
            dependencies: [(["Subscription_ID"], ["User_ID"])])
        #expect(period.violations.count == 1)
        // Trivial, and by way of another.
        let country = Relation(
            columns: ["Country_ID", "Country_name", "Currency_code"], keys: [["Country_ID"]],
            dependencies: [
                (["Currency_code", "Country_name"], ["Currency_code"]), (["Country_name"], ["Country_ID"]),
            ])
        #expect(country.violations.isEmpty)
        #expect(country.closure(of: ["Country_name"]) == country.columns)
        #expect(!country.isEnforced(["Country_name"]))
    }
}

/// A table as the server describes it.
struct LiveTable: Sendable {
    var columns: Set<String> = []
    var generated: Set<String> = []
    /// PRIMARY and UNIQUE keys, without those that have a column that may be NULL.
    var keys: [Set<String>] = []

    /// The base tables of a database, by name.
    static func all(in database: TestDatabase) async throws -> [String: LiveTable] {
        let output = try await database.run(
            """
            SELECT 'column', c.TABLE_NAME, c.COLUMN_NAME, c.EXTRA LIKE '%GENERATED' AND c.EXTRA <> 'DEFAULT_GENERATED', ''
            FROM information_schema.COLUMNS c JOIN information_schema.TABLES t USING (TABLE_SCHEMA, TABLE_NAME)
            WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE';
            SELECT 'key', TABLE_NAME, COLUMN_NAME, NULLABLE = 'YES', INDEX_NAME
            FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0;
            """)
        var tables: [String: LiveTable] = [:]
        var keys: [String: [String: (columns: Set<String>, nullable: Bool)]] = [:]
        for line in output.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5 else { continue }
            let (table, column, flag) = (fields[1], fields[2], fields[3] == "1")
            if fields[0] == "column" {
                tables[table, default: LiveTable()].columns.insert(column)
                if flag { tables[table]?.generated.insert(column) }
            } else {
                var key = keys[table]?[fields[4]] ?? ([], false)
                key.columns.insert(column)
                key.nullable = key.nullable || flag
                keys[table, default: [:]][fields[4]] = key
            }
        }
        for (table, found) in keys {
            tables[table]?.keys = found.values.filter { !$0.nullable }.map(\.columns)
        }
        return tables
    }
}
