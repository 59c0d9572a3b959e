import Foundation

/// A file of statements with what must come of each.
///
///     -- A line of text is a comment.
///     UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = @s;
///     -- affected: 1
///     SELECT Start_date, End_date FROM Subscription;
///     -- expect: 2027-02-28 | 2027-03-31
///     SELECT 1 FROM Subscription_period WHERE FALSE;
///     -- expect nothing
///     INSERT INTO Plan (Plan_name) VALUES ('');
///     -- error: Plan.Plan_name: it is empty
///
/// A statement ends with a `;` at the end of a line. What must come of it is said in the lines that follow: `expect:`
/// once for each row, in their order, columns apart by `|`; `expect nothing` for no row; `error:` with a part of the
/// message; `affected:` with the number of rows (`ROW_COUNT()`). A statement of which nothing is said must succeed.
///
/// `-- sessions: lax …` at the top runs the file in those sessions, each on a fresh database, in place of a strict one
/// (see ``CaseSession``). `-- servers: mariaDB` runs it on that kind of server alone.
struct CaseFile: Sendable, CustomStringConvertible {
    /// A statement and what must come of it.
    struct Step: Sendable {
        /// The line in the file where it begins.
        var line: Int
        /// The statement, with its `;`.
        var statement: String
        /// The rows; nil when nothing is said of them.
        var rows: [String]?
        /// A part of the message of the error; nil when it must succeed.
        var error: String?
        /// The number of rows that it changes; nil when nothing is said of it.
        var affected: Int?
    }

    /// Where the files are.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

    /// All files but the fixture, by name.
    static let all: [CaseFile] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".sql") && $0 != "Fixture.sql" }.sorted().map { name in
            let path = folder.appending(path: name).path
            return CaseFile(name: name, path: path, text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        }
    }()

    /// The file's name.
    let name: String
    /// Its path, for messages.
    let path: String
    /// What it says, in order.
    let steps: [Step]
    /// The sessions in which it runs.
    let sessions: [CaseSession]
    /// What it says and cannot be understood.
    let mistakes: [String]

    var description: String { name }

    /// Cases that no file holds.
    init(name: String, steps: [Step]) {
        self.name = name
        self.path = #filePath
        self.steps = steps
        self.sessions = [.strict]
        self.mistakes = []
    }

    /// Reads a file's text.
    init(name: String, path: String, text: String) {
        var steps: [Step] = []
        var sessions: [CaseSession] = []
        var mistakes: [String] = []
        var open: Step?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if var step = open {
                step.statement += "\n" + line
                open = trimmed.hasSuffix(";") ? nil : step
                if open == nil { steps.append(step) }
            } else if let words = trimmed.dropping("-- sessions:") {
                sessions = words.split(separator: " ").compactMap { CaseSession(rawValue: String($0)) }
                if sessions.isEmpty { mistakes.append("line \(index + 1): unknown sessions: \(words)") }
            } else if trimmed.hasPrefix("--") {
                guard let last = steps.indices.last else { continue }
                if let row = trimmed.dropping("-- expect:") {
                    steps[last].rows = (steps[last].rows ?? []) + [row]
                } else if trimmed == "-- expect nothing" {
                    steps[last].rows = []
                } else if let part = trimmed.dropping("-- error:") {
                    steps[last].error = part
                } else if let number = trimmed.dropping("-- affected:") {
                    steps[last].affected = Int(number)
                    if Int(number) == nil { mistakes.append("line \(index + 1): not a number: \(number)") }
                }
            } else if !trimmed.isEmpty {
                let step = Step(line: index + 1, statement: String(line))
                if trimmed.hasSuffix(";") { steps.append(step) } else { open = step }
            }
        }
        if let open { mistakes.append("line \(open.line): the statement has no end") }
        if steps.isEmpty { mistakes.append("there is no statement in it") }
        self.name = name
        self.path = path
        self.steps = steps
        self.sessions = sessions.isEmpty ? [.strict] : sessions
        self.mistakes = mistakes
    }
}

/// How somebody's session is set up. A trigger runs with the sql_mode of its creation, but values are converted to the
/// column's type before it runs, by the session's.
enum CaseSession: String, Sendable, CaseIterable {
    /// The service's, and both servers' default: a value that does not fit is an error.
    case strict
    /// A value that does not fit is bent until it does.
    case lax
    /// 30 February is a day.
    case invalidDates = "invalid-dates"
    /// Another zone than UTC: nothing may depend on it.
    case zone
    /// Other default collations of character sets, on a server that lets sessions choose (MariaDB 11.2).
    case collations

    /// Puts a session in this state.
    var statement: String {
        switch self {
        case .strict: "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';"
        case .lax: "SET SESSION sql_mode = '';"
        case .invalidDates: "SET SESSION sql_mode = 'ALLOW_INVALID_DATES';"
        case .zone: "SET SESSION time_zone = '+13:00';"
        case .collations:
            """
            SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', \
            SESSION collation_connection = utf8mb4_general_ci /*M!110201 , SESSION character_set_collations = \
            'utf8mb4=utf8mb4_uca1400_ai_ci,latin1=latin1_general_cs,ascii=ascii_bin' */;
            """
        }
    }
}

extension StringProtocol {
    /// The rest after a prefix, without spaces around it; nil when it begins otherwise.
    func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) : nil
    }
}
