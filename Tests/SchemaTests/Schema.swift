import Foundation
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The schema as the tests load it: its files, as they are, through the plain client.
enum Schema {
    /// The files of a tenant's database, in the order in which they are applied.
    static let tenantFiles =
        ["tenant", "tenant/triggers", "tenant/views"].flatMap { SQLFiles.files(in: $0) } + areaFiles
    /// The files that areas bring, those of all areas.
    static let areaFiles = areas.flatMap { $0.steps + $0.triggers + $0.views }
    /// The texts of the areas' `dependencies.json`.
    static let areaDependencies = areas.compactMap(\.dependencies)
    /// The SQL of the areas that bring some.
    private static let areas = SubTrackService.standardAreas.areas.map(\.sql)
    /// The files of the control database.
    static let controlFiles = SQLFiles.files(in: "control")

    /// Loads a tenant's tables, triggers and views.
    static func load(into database: TestDatabase) async throws {
        try await load(tenantFiles, into: database)
    }

    /// Loads files by one run of the client, as `cat files | mariadb database` would.
    static func load(_ files: [SQLFiles.File], into database: TestDatabase) async throws {
        try await database.run(files.map(\.text).joined(separator: "\n"))
    }

    /// A few rows that most tests begin with: see `Cases/Fixture.sql`.
    static func loadFixture(into database: TestDatabase) async throws {
        try await load(into: database)
        try await database.run(try String(contentsOf: CaseFile.folder.appending(path: "Fixture.sql"), encoding: .utf8))
    }
}

extension TestServer {
    /// Lends a database with a tenant's schema, and the rows of the fixture.
    func leaseTenant<Result: Sendable>(_ body: (TestDatabase) async throws -> Result) async throws -> Result {
        try await Self.passMidnight()
        return try await lease(prepare: Schema.loadFixture, body)
    }

    /// Waits in the last two minutes of a day in UTC until it is over.
    ///
    /// The triggers go by the database's day, and a test wants one day from its first statement to its last. The time of
    /// a session cannot be set for it: the triggers know the statements of one revision by their time.
    private static func passMidnight() async throws {
        let left = 86_400 - Int(Date().timeIntervalSince1970) % 86_400
        if left <= 120 { try await Task.sleep(for: .seconds(left)) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs where there is a MySQL server, and says aloud that it is skipped elsewhere.
    static var mySQL: Self { .enabled(if: MySQLServer.tree != nil, "\(MySQLServer.skipped)") }

    /// Runs in the full run alone, for the same test on MariaDB, and the cases on MySQL, are in the gate.
    static var repeated: Self {
        .enabled(if: TestStage.full, "script/test --full: repeats on MySQL what MariaDB shows")
    }
}
