import Foundation

/// Measurements of inputs that are cheap to send and might be dear to read.
extension Stage {
    /// Sends each hostile input, measures its answer and another client's, and ends the service while all are sent at once.
    /// - Parameter root: the repository's top folder.
    func worstInput(_ row: Row, root: String) throws -> Report.WorstInputs {
        let service = try Server.service(
            subtrackd, database: database.url, connections: connections, log: scratch.file("subtrackd.log"),
            children: children)
        let made = try children.run(
            "curl",
            [
                "--silent", "--show-error", "--fail", "--header", "Content-Type: application/json", "--data",
                #"{"name":"worst","country":"US"}"#, "http://127.0.0.1:\(service.port)/v1/devices",
            ])
        guard let object = try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any],
            let token = object["token"] as? String
        else { throw BenchFailure("the service says: \(made)") }
        let output = try children.run(
            "python3",
            [
                "\(root)/Benchmarks/worst/worst.py", String(service.port), String(service.socketPort), token,
                String(service.process.processIdentifier),
            ])
        var result = Report.WorstInputs(row: row.name, title: row.title)
        for line in output.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6, let bytes = Int(fields[2]), let answered = Double(fields[3]),
                let neighbour = Double(fields[4])
            else { throw BenchFailure("worst.py says: \(line)") }
            let figure = Report.WorstInput(
                transport: fields[0], name: fields[1], bytes: bytes, answered: answered, neighbour: neighbour,
                answer: fields[5])
            if figure.transport == "SIGTERM" { result.ended = figure } else { result.inputs.append(figure) }
        }
        guard result.ended != nil else { throw BenchFailure("worst.py ended early:\n\(output.suffix(2_000))") }
        return result
    }
}

extension Report {
    /// What hostile inputs cost.
    struct WorstInputs: Codable {
        var row: String
        var title: String
        var inputs: [WorstInput] = []
        /// How long the service took to end while all of them were sent at once.
        var ended: WorstInput?

        /// Lines for people, the slowest inputs first.
        func lines() -> [String] {
            func worst(_ value: (WorstInput) -> Double) -> String {
                inputs.max { value($0) < value($1) }.map { "\(Report.two(value($0))) ms (\($0.transport), \($0.name))" }
                    ?? "none"
            }
            let slowest = inputs.sorted { max($0.answered, $0.neighbour) > max($1.answered, $1.neighbour) }.prefix(20)
            return [
                "\(row): \(inputs.count) inputs, the slowest answer after \(worst(\.answered)), "
                    + "another client's after \(worst(\.neighbour)), "
                    + "ended \(Report.two(ended?.answered ?? 0)) ms after SIGTERM (\(ended?.answer ?? "?"))"
            ]
                + slowest.map { input in
                    "    \(input.transport), \(input.name), \(input.bytes) bytes: answer \(Report.two(input.answered)) ms, "
                        + "another client's \(Report.two(input.neighbour)) ms: \(input.answer)"
                }
        }
    }

    /// One input.
    struct WorstInput: Codable {
        var transport: String
        var name: String
        var bytes: Int
        /// Milliseconds until its answer began.
        var answered: Double
        /// Milliseconds of the longest answer to another client meanwhile.
        var neighbour: Double
        var answer: String
    }
}
