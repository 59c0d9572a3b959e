import SubTrackTestSupport

/// One run of a file of cases through the plain client, and what came of each statement.
struct CaseRun {
    /// What came of a statement.
    struct Outcome {
        /// The rows, their columns apart by ` | `.
        var rows: [String] = []
        /// What the client said of an error.
        var error: String?
        /// What `ROW_COUNT()` was, where it was asked.
        var affected: Int?
    }

    /// What came of each of the file's statements.
    let outcomes: [Outcome]
    /// What the client said of an error before the first statement.
    let sessionError: String?

    /// Stands before what a statement prints, with the statement's index.
    private static let marker = "@@statement "
    private static let affected = "@@affected "

    /// Runs all statements of a file, whatever becomes of them, in one session.
    init(_ file: CaseFile, session: CaseSession, on database: TestDatabase) async throws {
        var script = session.statement + "\n"
        for (index, step) in file.steps.enumerated() {
            script += "SELECT '\(Self.marker)\(index)';\n\(step.statement)\n"
            if step.affected != nil { script += "SELECT CONCAT('\(Self.affected)', ROW_COUNT());\n" }
        }
        let output: String
        do {
            // Unbuffered: errors and rows come in the order of the statements.
            output = try await database.run(script, arguments: ["--force", "--unbuffered"])
        } catch let failure as CommandFailure {
            // With --force the client goes on, and in the end tells that there was an error.
            output = failure.output
        }
        var outcomes = Array(repeating: Outcome(), count: file.steps.count)
        var current: Int?
        var sessionError: String?
        for line in output.split(separator: "\n", omittingEmptySubsequences: true) {
            if let index = line.dropping(Self.marker).flatMap({ Int($0) }) {
                current = index
            } else if let current, let number = line.dropping(Self.affected) {
                outcomes[current].affected = Int(number)
            } else if let current, line.hasPrefix("ERROR ") {
                outcomes[current].error = String(line)
            } else if line.hasPrefix("ERROR ") {
                sessionError = sessionError ?? String(line)
            } else if let current {
                outcomes[current].rows.append(
                    line.split(separator: "\t", omittingEmptySubsequences: false)
                        .joined(separator: " | "))
            }
        }
        self.outcomes = outcomes
        self.sessionError = sessionError
    }
}

extension CaseFile.Step {
    /// What is wrong with what came of this statement; nil when nothing is.
    func complaint(about outcome: CaseRun.Outcome) -> String? {
        if let error {
            guard let message = outcome.error else { return "no error, expected: \(error)" }
            return message.contains(error) ? nil : "another error: \(message)\n expected: \(error)"
        }
        if let message = outcome.error { return message }
        if let rows, rows != outcome.rows {
            return "rows:\n  \(outcome.rows.joined(separator: "\n  "))\nexpected:\n  \(rows.joined(separator: "\n  "))"
        }
        if let affected, affected != outcome.affected {
            return "\(outcome.affected.map(String.init) ?? "no") rows affected, expected: \(affected)"
        }
        return nil
    }
}
