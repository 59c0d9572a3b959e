import SubTrackTestSupport
import TestTraits
import Testing

/// What the database makes of statements that a person types in the plain client. The cases are in `Cases/`.
@Suite("SQL cases", .tags(.everyDay, .everyServer), .ownTime)
struct CaseTests {
    @Test("on MariaDB", arguments: CaseFile.all)
    func mariaDB(_ file: CaseFile) async throws {
        try await check(file, on: .mariaDB)
    }

    @Test("on MySQL", .mySQL, arguments: CaseFile.all)
    func mySQL(_ file: CaseFile) async throws {
        try await check(file, on: .mySQL)
    }

    @Test("there are cases, and a wrong expectation is seen")
    func runnerSeesFailures() async throws {
        #expect(CaseFile.all.count > 5)
        let file = CaseFile(
            name: "wrong", path: "",
            text: """
                SELECT 1, 'a';
                -- expect: 1 | b
                SELECT Nothing FROM Nowhere;
                SELECT 2;
                -- error: no such thing
                UPDATE Setting SET Setting_value = 'x';
                -- affected: 3
                SELECT 5;
                -- expect: 5
                """)
        let outcomes = try await TestServer.mariaDB.leaseTenant { database in
            try await CaseRun(file, session: .strict, on: database).outcomes
        }
        let complaints = zip(file.steps, outcomes).map { $0.complaint(about: $1) }
        #expect(complaints.map { $0 != nil } == [true, true, true, true, false])
        #expect(complaints[1]?.contains("1146") == true)
    }

    private func check(_ file: CaseFile, on server: TestServer) async throws {
        #expect(file.mistakes == [])
        // The gate has each kind of session on MariaDB. How MySQL reads a statement is shown by a file's first.
        for session in file.sessions.prefix(server == .mySQL && !TestStage.full ? 1 : file.sessions.count) {
            try await server.leaseTenant { database in
                let run = try await CaseRun(file, session: session, on: database)
                #expect(run.sessionError == nil, "\(session) session")
                for (step, outcome) in zip(file.steps, run.outcomes) {
                    guard let complaint = step.complaint(about: outcome) else { continue }
                    Issue.record(
                        "\(session) session: \(step.statement)\n\(complaint)",
                        sourceLocation: SourceLocation(
                            fileID: "SchemaTests/\(file.name)", filePath: file.path, line: step.line, column: 1))
                }
                // What is derived from one place in another still agrees, whatever was done.
                try await DerivedFacts.check(in: database)
            }
        }
    }
}
