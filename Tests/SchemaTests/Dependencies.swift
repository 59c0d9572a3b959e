import Foundation

/// What `sql/dependencies.json` says: the functional dependencies of every table, and what is derived across tables.
struct Dependencies: Decodable {
    /// Whoever agrees in the columns of `from` agrees in those of `to`.
    struct Dependency: Decodable {
        var from: [String]
        var to: [String]
        /// Why it holds.
        var why: String
        /// Who keeps it, where no key of the table does.
        var keptBy: String?
    }

    /// A dependency that one may think of and that does not hold.
    struct NoDependency: Decodable {
        var from: [String]
        var to: [String]
        /// Why it does not.
        var why: String
    }

    /// A column that the server computes from others of its row (`GENERATED ALWAYS`): no fact of its own, and it cannot
    /// disagree.
    struct Generated: Decodable {
        var column: String
        var from: [String]
        var why: String
    }

    /// What is said of a table.
    struct Table: Decodable {
        var dependencies: [Dependency]
        var no: [NoDependency]?
        var generated: [Generated]?
        /// Who makes the table, when it is not a file of `sql/`.
        var madeBy: String?
    }

    /// Something that follows from other rows, or that two tables must agree in.
    struct DerivedFact: Decodable, Sendable {
        var fact: String
        /// Returns the rows that are against it.
        var query: String
    }

    var tenant: [String: Table]
    var control: [String: Table]
    var derived: [DerivedFact]

    /// What the `dependencies.json` of an area says of its tables.
    private struct OfArea: Decodable {
        var tenant: [String: Table]
        var derived: [DerivedFact]?
    }

    /// Reads the file, and those of the areas.
    static func read() throws -> Dependencies {
        var all = try readOwn()
        for text in Schema.areaDependencies {
            let area = try JSONDecoder().decode(OfArea.self, from: Data(text.utf8))
            all.tenant.merge(area.tenant) { first, _ in first }
            all.derived += area.derived ?? []
        }
        return all
    }

    private static func readOwn() throws -> Dependencies {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../sql/dependencies.json").standardized
        return try JSONDecoder().decode(Dependencies.self, from: Data(contentsOf: file))
    }
}

/// A table with its columns, keys and dependencies, and the question whether it is in Boyce-Codd normal form.
struct Relation {
    /// All columns but generated ones.
    var columns: Set<String>
    /// The keys that the server enforces: PRIMARY and UNIQUE ones without a column that may be NULL (those refuse
    /// nothing where there is a NULL) and without a generated column.
    var keys: [Set<String>]
    /// What is declared, of these columns.
    var dependencies: [(from: Set<String>, to: Set<String>)]

    /// All columns that follow from some, by the dependencies and the keys.
    func closure(of start: Set<String>) -> Set<String> {
        var closure = start
        var grew = true
        while grew {
            grew = false
            for (from, to) in dependencies + keys.map({ ($0, columns) })
            where from.isSubset(of: closure) && !to.isSubset(of: closure) {
                closure.formUnion(to)
                grew = true
            }
        }
        return closure
    }

    /// The dependencies that are not trivial and whose left side is no superkey: none in Boyce-Codd normal form.
    var violations: [(from: Set<String>, to: Set<String>)] {
        dependencies.filter { !$0.to.isSubset(of: $0.from) && closure(of: $0.from) != columns }
    }

    /// Whether a key that the server enforces is part of these columns.
    func isEnforced(_ from: Set<String>) -> Bool { keys.contains { $0.isSubset(of: from) } }
}
