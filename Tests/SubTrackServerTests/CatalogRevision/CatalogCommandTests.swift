import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// The commands for files of plans and rates, as an operator runs them.
@Suite("Commands for plans and rates", .ownTime)
struct CatalogCommandTests {
    /// The form of `--json` where a file has faults.
    private struct Told: Decodable {
        struct Fault: Decodable {
            let line: Int?
            let row: Int?
            let column: String?
            let reason: String
            let remedy: String?
        }

        let faults: [Fault]
        let rejected: Int?
    }

    /// Lends a migrated database and a folder; the command has both.
    private func withCommand(
        _ body: (_ run: (_ arguments: [String]) async throws -> String, _ folder: URL) async throws -> Void
    ) async throws {
        let server = try await PrivateServer.shared
        let program = try ServiceProcess.executable()
        try await ServiceProcess.withFolder { folder in
            try await TestDatabase.leaseControl { control in
                let database = ["--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)"]
                try await Command.run(program, ["migrate"] + database)
                try await body({ try await Command.run(program, $0 + database) }, folder)
            }
        }
    }

    /// The JSON of a command that ends with 65, and that nothing else is said.
    private func told(_ run: () async throws -> String) async throws -> Told {
        do {
            let output = try await run()
            throw NeverHappened(description: "it was taken: \(output)")
        } catch let failure as CommandFailure {
            #expect(failure.end.contains("65"), "\(failure.end)")
            #expect(!failure.output.contains("subtrackd:"), "\(failure.output)")
            let json = failure.output.split(separator: "\n").filter { $0.hasPrefix("{") }
            #expect(json.count == 1, "\(failure.output)")
            return try JSONDecoder().decode(Told.self, from: Data((json.first ?? "").utf8))
        }
    }

    @Test("catalog check tells all faults at once, by line, and with --json nothing but JSON")
    func check() async throws {
        try await withCommand { run, folder in
            let path = folder.appending(path: "plans.csv").path
            func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
            let head = "Country_ID,Provider,Plan_name,Fee,Duration_value,Duration_unit\n"
            try write(head + "US,Acme,One,x,1,month\nUS,Acme\nQQ,Acme,Two,1,1,month\n")
            for command in ["check", "diff", "apply"] {
                let found = try await told { try await run(["catalog", command, path, "--json"]) }
                #expect(found.faults.map(\.line) == [2, 3, 4] && found.faults.map(\.row) == [1, 2, 3], "\(command)")
                #expect(found.faults.map(\.column) == ["Fee", nil, "Country_ID"] && found.rejected == 3, "\(command)")
                #expect(found.faults.allSatisfy { $0.remedy != nil }, "\(command)")
            }
            do {
                _ = try await run(["catalog", "check", path])
                Issue.record("it was taken")
            } catch let failure as CommandFailure {
                let lines = failure.output.split(separator: "\n").filter { $0.contains("plans.csv:") }
                #expect(
                    lines.map { $0.prefix(12) } == ["plans.csv:2:", "plans.csv:3:", "plans.csv:4:", "plans.csv: 2"],
                    "\(failure.output)")
                #expect(failure.output.hasSuffix("subtrackd: 3 rows are rejected; nothing was changed\n"))
            }
            try write("Country_ID;Provider\nUS;Acme\n")
            let semicolons = try await told { try await run(["catalog", "check", path, "--json"]) }
            #expect(semicolons.faults.map(\.line) == [1] && semicolons.rejected == nil)
            let nowhere = try await told { try await run(["catalog", "check", path + ".none.csv", "--json"]) }
            #expect(nowhere.faults.map(\.reason) == ["cannot be read: there is no such file"])
            try write(head + "US,Acme,One,1,1,month\n")
            #expect(try await !run(["catalog", "check", path]).contains("Applied"))
            let applied = try await run(["catalog", "apply", path])
            #expect(applied.contains("Applied: 1 of 1 country\n"), "\(applied)")
        }
    }

    @Test("rates import tells all faults at once and changes nothing; unknown currencies are named, and end with 65")
    func rates() async throws {
        try await withCommand { run, folder in
            let path = folder.appending(path: "rates.csv").path
            func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
            let count = ["sql", "-e", "SELECT COUNT(*) AS Loaded FROM Exchange_rate"]
            try write("Date,USD,JPY\n2026-01-29,x,160\n2026-01-30,1.08,-1\n")
            let faulty = try await told { try await run(["rates", "import", path, "--json"]) }
            #expect(faulty.faults.map(\.line) == [2, 3] && faulty.faults.map(\.column) == ["USD", "JPY"])
            try write("Date,USD,XXA\n2026-01-29,x,2\n2026-01-30,1.08,-1\n")
            let both = try await told { try await run(["rates", "import", path, "--json"]) }
            #expect(both.faults.map(\.line) == [2, 2, 3] && both.faults.map(\.column) == ["USD", "XXA", "XXA"])
            try write("Date,USD,XXA,XXB\n2026-01-30,1.08,2,3\n")
            let unknown = try await told { try await run(["rates", "import", path, "--json"]) }
            #expect(unknown.faults.map(\.column) == ["XXA", "XXB"])
            #expect(try await run(count).contains("Loaded\n0\n"))
            let loaded = try await run(["rates", "import", path, "--skip-unknown"])
            #expect(loaded.contains("1 new or changed") && loaded.contains("XXA XXB"), "\(loaded)")
            #expect(try await run(count).contains("Loaded\n1\n"))
        }
    }
}
