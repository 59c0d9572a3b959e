import Foundation
import SubTrackSQL

/// The SQL that an area brings: the files of its folder below `sql/`.
///
///     sql/recipes/0001_recipes.sql         numbered steps: tables
///     sql/recipes/triggers/Recipe.sql      triggers of one table, its own or another area's
///     sql/recipes/views/Recipe_text.sql
///     sql/recipes/dependencies.json        the functional dependencies of its tables
struct AreaSQL: Sendable {
    /// Numbered steps, in their order.
    let steps: [SQLFiles.File]
    /// Triggers, a file for each table.
    let triggers: [SQLFiles.File]
    /// Views.
    let views: [SQLFiles.File]
    /// The text of `dependencies.json`; nil: there is no such file.
    let dependencies: String?
    /// Files that are none of these.
    let others: [SQLFiles.File]

    /// No SQL.
    static let none = AreaSQL(of: "", files: [])

    /// The files of an area.
    /// - Parameters:
    ///   - area: the area's name, with which their paths begin.
    ///   - files: the files. Their paths are their keys in the table `Migration`.
    init(of area: String, files: [SQLFiles.File]) {
        func isIn(_ folder: String, _ file: SQLFiles.File) -> Bool {
            file.path.hasPrefix(folder + "/") && !file.path.dropFirst(folder.count + 1).contains("/")
        }
        let sorted = files.sorted { $0.path < $1.path }
        steps = sorted.filter { isIn(area, $0) && MigrationPath.isStep($0.path) }
        triggers = sorted.filter { isIn(area + "/triggers", $0) }
        views = sorted.filter { isIn(area + "/views", $0) }
        dependencies = sorted.first { $0.path == area + "/dependencies.json" }?.text
        let known = Set((steps + triggers + views).map(\.path) + [area + "/dependencies.json"])
        others = sorted.filter { !known.contains($0.path) }
    }

    /// The files of an area's folder of `sql/`, which are compiled into the binary.
    static func embedded(_ area: String) -> AreaSQL { AreaSQL(of: area, files: SQLFiles.files(below: area)) }

    /// Whether there is none.
    var isEmpty: Bool { steps.isEmpty && triggers.isEmpty && views.isEmpty }
}

/// Paths of SQL files, which are their keys in the table `Migration`.
enum MigrationPath {
    /// Whether a path is that of a numbered step: `tenant/0001_reference.sql`.
    static func isStep(_ path: String) -> Bool {
        path.hasSuffix(".sql") && path.split(separator: "/").last?.first?.isNumber ?? false
    }
}
