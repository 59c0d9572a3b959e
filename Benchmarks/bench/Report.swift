import Foundation

/// What was measured.
struct Report: Codable {
    /// One measurement of one thing.
    struct Figure: Codable, CustomStringConvertible {
        var perSecond: Double
        var errors: Int
        var cpu: CPU?
        /// Milliseconds.
        var p50: Double?
        var p99: Double?

        var description: String { "\(Int(perSecond.rounded()))/s" + (errors > 0 ? " (\(errors) errors)" : "") }
    }

    /// Microseconds of processor time for each request.
    struct CPU: Codable {
        /// wrk, or the C program.
        var driver: Double
        /// The service or hello.
        var server: Double
        var database: Double

        var sum: Double { driver + server + database }

        /// From seconds in all to microseconds for each.
        func divided(by requests: Double) -> CPU {
            let factor = requests > 0 ? 1_000_000 / requests : 0
            return CPU(driver: driver * factor, server: server * factor, database: database * factor)
        }
    }

    /// One of each, measured one after the other.
    struct Round: Codable, CustomStringConvertible {
        /// Nil when the request runs no statement.
        var floor: Figure?
        var hello: Figure
        var service: Figure

        /// What would be left if the service itself cost nothing.
        var limit: Double { 1 / ((floor.map { 1 / $0.perSecond } ?? 0) + 1 / hello.perSecond) }
        var ratio: Double { service.perSecond / limit }

        /// The same by processor time in place of requests per second: where others are at work on the machine, the
        /// many threads of the floor get more of it than the few of the service, and only this ratio means anything.
        var ratioByCPU: Double? {
            guard let hello = hello.cpu?.sum, let service = service.cpu?.sum, service > 0 else { return nil }
            if floor == nil { return hello / service }
            return floor?.cpu.map { ($0.sum + hello) / service }
        }

        var description: String {
            "floor \(floor.map { "\($0)" } ?? "none"), hello \(hello), service \(service), ratio \(Report.two(ratio))"
                + (ratioByCPU.map { ", by CPU \(Report.two($0))" } ?? "")
        }
    }

    /// The service's memory, in MiB.
    struct Memory: Codable {
        var atRest: Double?
        var afterLoad: Double?
        var peak: Double?
    }

    /// All rounds of one row.
    struct Result: Codable {
        var row: String
        var title: String
        var answerBytes: Int
        /// How many statements a request runs.
        var statements: Int
        var rounds: [Round] = []
        var memory = Memory()

        var errors: Int {
            rounds.reduce(0) { $0 + ($1.floor?.errors ?? 0) + $1.hello.errors + $1.service.errors }
        }
    }

    var date = Date.now
    var machine: Machine
    var users: Int
    var connections: Int
    var seconds: Double
    var rounds: Int
    var database: String
    var results: [Result] = []
    var pairs: [Pairs] = []
    var sockets: [Sockets] = []
    var worstInputs: [WorstInputs] = []

    /// One row that is measured beside something else than floor and hello, in turn.
    struct Pairs: Codable {
        var row: String
        var title: String
        /// What it is measured beside, in words.
        var baseline: String
        var rounds: [Pair] = []
        /// What else was measured, a line each.
        var notes: [String] = []
        /// How many sign-ins a second there were meanwhile, where others than the row's requests are sent.
        var signIns: [Double] = []

        /// Lines for people.
        func lines() -> [String] {
            func rates(_ of: (Pair) -> Figure) -> String { Report.two(rounds.map { of($0).perSecond }.median) + "/s" }
            var line = "\(row): \(rates(\.measured)) beside \(rates(\.baseline)) (\(baseline)): ratio "
            line += Report.range(rounds.map(\.ratio))
            let errors = rounds.reduce(0) { $0 + $1.baseline.errors + $1.measured.errors }
            var lines = [line + ", \(errors) errors"]
            let (before, after) = (rounds.compactMap(\.baseline.p99), rounds.compactMap(\.measured.p99))
            if before.count == after.count, !before.isEmpty {
                lines.append(
                    "    p99 \(Report.two(after.median)) ms beside \(Report.two(before.median)) ms: "
                        + Report.range(zip(after, before).map { $0 / max($1, 0.001) }))
            }
            if !signIns.isEmpty { lines.append("    \(Report.two(signIns.median)) sign-ins/s meanwhile") }
            return lines + notes.map { "    \($0)" }
        }
    }

    /// Two measurements, one after the other.
    struct Pair: Codable {
        var baseline: Figure
        var measured: Figure

        var ratio: Double { measured.perSecond / max(baseline.perSecond, 0.001) }
    }

    /// For programs.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// For people: medians, and in brackets by how much the rounds differ from them at the most.
    func table() -> String {
        let head = [
            "row", "floor/s", "hello/s", "limit/s", "service/s", "of limit", "by CPU", "p50 ms", "p99 ms", "errors",
        ]
        var lines = [head]
        for result in results {
            let rounds = result.rounds
            lines.append([
                result.row, spread(rounds.compactMap { $0.floor?.perSecond }), spread(rounds.map(\.hello.perSecond)),
                spread(rounds.map(\.limit)), spread(rounds.map(\.service.perSecond)),
                Self.range(rounds.map(\.ratio)),
                Self.range(rounds.compactMap(\.ratioByCPU)), Self.two(rounds.compactMap(\.service.p50).median),
                Self.two(rounds.compactMap(\.service.p99).median),
                String(result.errors),
            ])
        }
        let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let body = lines.map { line in
            line.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + padding : padding + text
            }.joined(separator: "  ")
        }
        let memory = results.map { result in
            let memory = result.memory
            func mib(_ value: Double?) -> String { value.map { String(Int($0.rounded())) } ?? "?" }
            return
                "Memory (\(result.row)): \(mib(memory.atRest)) MiB at rest, \(mib(memory.afterLoad)) after the load, "
                + "\(mib(memory.peak)) at most; the database not counted"
        }
        let times = results.map { result in
            func time(_ values: [CPU]) -> String {
                func part(_ name: String, _ value: (CPU) -> Double) -> String {
                    "\(name) \(Int(values.map(value).median.rounded()))"
                }
                return values.isEmpty
                    ? "–"
                    : part("", \.sum) + " ("
                        + [part("driver", \.driver), part("server", \.server), part("database", \.database)]
                        .joined(separator: ", ") + ")"
            }
            return "CPU µs per request (\(result.row)): floor\(time(result.rounds.compactMap { $0.floor?.cpu })), "
                + "hello\(time(result.rounds.compactMap(\.hello.cpu))), "
                + "service\(time(result.rounds.compactMap(\.service.cpu)))"
        }
        let day = date.formatted(.iso8601.year().month().day())
        return """
            \(day), \(machine.processors) × \(machine.model), load \(machine.loadBefore) → \(machine.loadAfter ?? "?")
            MariaDB \(database), \(users) users, \(users * 10) subscriptions, \(connections) connections, \
            medians of \(rounds) × \(seconds.formatted()) s

            \((results.isEmpty ? [] : body + [""] + times + memory + [""]).joined(separator: "\n"))\
            \((pairs.flatMap { $0.lines() } + sockets.flatMap { $0.lines() } + worstInputs.flatMap { $0.lines() })
                .joined(separator: "\n"))

            """
    }

    private func spread(_ values: [Double]) -> String {
        guard let low = values.min(), let high = values.max() else { return "–" }
        let median = values.median
        let percent = max(high - median, median - low) / median * 100
        return "\(Int(median.rounded())) (±\(Int(percent.rounded()))%)"
    }

    /// The median, the least and the most.
    static func range(_ values: [Double]) -> String {
        guard let low = values.min(), let high = values.max() else { return "–" }
        return "\(two(values.median)) (\(two(low))–\(two(high)))"
    }

    static func two(_ value: Double) -> String {
        value.formatted(
            .number.precision(.fractionLength(2)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }
}

/// Where it was measured.
struct Machine: Codable {
    var processors: Int
    var model: String
    /// The load averages of 1, 5 and 15 minutes: others at work make the figures worse.
    var loadBefore: String
    var loadAfter: String?

    static func current() -> Machine {
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Machine(
            processors: ProcessInfo.processInfo.activeProcessorCount,
            model: model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor", loadBefore: load())
    }

    static func load() -> String {
        var averages = [Double](repeating: 0, count: 3)
        guard getloadavg(&averages, 3) == 3 else { return "?" }
        return averages.map { Report.two($0) }.joined(separator: " ")
    }
}

extension [Double] {
    /// 0 when there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let ordered = sorted()
        return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
    }
}
