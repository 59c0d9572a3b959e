import Foundation
import SubTrackSQL

extension AreaList {
    /// Faults of the declarations, in words; empty where all is well. The service does not start with one.
    var inconsistencies: [String] {
        var faults = areas.count > Self.capacity ? ["there are more than \(Self.capacity) areas"] : []
        faults += Self.doubled(areas.map(\.name)).map { "the area \($0) is declared twice" }
        for area in areas where !Self.isName(area.name) {
            faults.append("the area \"\(area.name)\" has no name of 1 to 32 small letters that is free in sql/")
        }
        faults += areas.flatMap { Self.faults(of: $0.sql, named: $0.name) }
        let triggers = MigrationPlan.tenant.triggers + areas.flatMap(\.sql.triggers)
        faults += Self.doubled(triggers.flatMap(TriggerInventory.names).map { $0.lowercased() })
            .map { "the trigger \($0) is made by two files" }
        let steps = MigrationPlan.tenant.steps + areas.flatMap(\.sql.steps)
        faults += Self.doubled(steps.flatMap { Set(Self.tables(in: $0)) }).map {
            "the table \($0) is made by two files"
        }
        return faults
    }

    /// Whether a text is a name of areas. Folders of `sql/` that are no area's have names of their own.
    private static func isName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            && !["control", "tenant", "reference", "admin", "none"].contains(name)
    }

    private static func faults(of sql: AreaSQL, named name: String) -> [String] {
        // The demo catalogue and the scripts of a revision are loaded by commands.
        guard !sql.isEmpty else { return [] }
        var faults = sql.others.map { "sql/\($0.path) is no step, no trigger and no view" }
        if sql.steps.isEmpty { faults.append("the area \(name) has SQL and no step sql/\(name)/0001_….sql") }
        let tables = Set(sql.steps.flatMap(tables))
        guard !tables.isEmpty else { return faults }
        guard let text = sql.dependencies else {
            return faults + ["the area \(name) has tables and no sql/\(name)/dependencies.json"]
        }
        guard let declared = try? JSONDecoder().decode(Declared.self, from: Data(text.utf8)) else {
            return faults + ["sql/\(name)/dependencies.json does not declare the tables of \"tenant\""]
        }
        return faults
            + tables.subtracting(declared.tenant.keys).sorted().map {
                "sql/\(name)/dependencies.json says nothing of the table \($0)"
            }
    }

    /// The names of tables in `dependencies.json`.
    private struct Declared: Decodable {
        struct Table: Decodable {}
        let tenant: [String: Table]
    }

    /// The tables that a step makes: `CREATE TABLE IF NOT EXISTS Recipe (…`.
    private static func tables(in file: SQLFiles.File) -> [String] { madeTables[file] }

    private static let madeTables = FileMemory<[String]> { file in
        StatementSplitter.statements(of: file).compactMap { statement in
            let words = statement.split(maxSplits: 7, whereSeparator: { $0.isWhitespace || $0 == "(" }).map(String.init)
            guard words.prefix(2).map({ $0.uppercased() }) == ["CREATE", "TABLE"] else { return nil }
            let name = words.count > 5 && words[2].uppercased() == "IF" ? words[5] : words.count > 2 ? words[2] : nil
            return name?.filter { $0 != "`" }
        }
    }

    private static func doubled(_ names: [String]) -> [String] {
        Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }
}
