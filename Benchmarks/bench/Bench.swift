import ArgumentParser
import Foundation

/// Measures the service beside what it is made of, and prints a table.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script/bench",
        abstract: "Measures the service against what the database and HTTP give by themselves.",
        discussion: """
            Floor: the statements of a request in C, with as many connections. Hello: the same HTTP server with a \
            constant answer. Limit: 1 / (1/floor + 1/hello). All are measured in turn, several times; the ratios within \
            one run count, not the figures.
            """)

    @Option(help: "Seconds of each measurement.")
    var seconds = 5.0

    @Option(help: "How often everything is measured, in turn.")
    var rounds = 3

    @Option(help: "Users in the database, each with ten subscriptions.")
    var users = 100_000

    @Option(help: "Users who send requests.")
    var clients = 2_000

    @Option(help: "Connections, of the driver as of the floor and the service to the database.")
    var connections = 32

    @Option(
        name: .customLong("row"),
        help: "What is measured; may be given again. One of: \(Row.all.map(\.name).joined(separator: ", ")), all.")
    var rows: [String] = ["list"]

    @Option(help: "A folder for profiles of the service under each row's load (needs Linux's perf).")
    var profile: String?

    @Flag(help: "Print JSON in place of the table.")
    var json = false

    @Option(help: ArgumentHelp("The service's program.", visibility: .hidden))
    var subtrackd: String

    @Option(help: ArgumentHelp("The folder of floor and hello.", visibility: .hidden))
    var programs: String

    @Option(help: ArgumentHelp("The repository's top folder.", visibility: .hidden))
    var root: String

    @Option(help: ArgumentHelp("The folder that data are kept in from run to run.", visibility: .hidden))
    var state: String

    func validate() throws {
        guard seconds >= 0.5, seconds <= 600 else { throw ValidationError("--seconds must be from 0.5 to 600") }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be from 1 to 100") }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections must be from 1 to 1000") }
        guard clients >= 1, 2 * clients <= 10_000 else { throw ValidationError("--clients must be from 1 to 5000") }
        guard users >= 2 * clients, users <= 10_000_000 else {
            throw ValidationError("--users must be from \(2 * clients), twice the clients, to 10000000")
        }
        _ = try chosenRows
    }

    private var chosenRows: [Row] {
        get throws {
            if rows.contains("all") { return Row.all }
            return try rows.map { name in
                guard let row = Row.all.first(where: { $0.name == name }) else {
                    throw ValidationError(
                        "there is no row \(name); there are: \(Row.all.map(\.name).joined(separator: ", "))")
                }
                return row
            }
        }
    }

    func run() throws {
        let children = Children()
        children.endOnSignals()
        do {
            try run(children)
            children.endAll()
        } catch {
            children.endAll()
            throw error
        }
    }

    private func run(_ children: Children) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let rows = try chosenRows
        let users = rows.contains(where: \.needsUsers) ? self.users : 0
        let dataset = Dataset(
            users: users, devices: users > 0 ? 2 * clients : 0, root: root, state: state, subtrackd: subtrackd,
            children: children)
        let database = try dataset.open(scratch: scratch)
        let stage = Stage(
            database: database, scratch: scratch, children: children, subtrackd: subtrackd, programs: programs,
            dataset: dataset, wrkScript: "\(root)/Benchmarks/wrk/requests.lua", connections: connections,
            clients: clients, profile: profile)
        var report = Report(
            machine: .current(), users: users, connections: connections, seconds: seconds, rounds: rounds,
            database: try database.sql("SELECT VERSION()").trimmingCharacters(in: .whitespacesAndNewlines))
        for row in rows {
            say("\(row.title)")
            switch row.kind {
            case .request: report.results.append(try stage.measure(row, rounds: rounds, seconds: seconds))
            case .signIn: report.pairs.append(try stage.signIns(row, rounds: rounds, seconds: seconds))
            case .tenants: report.pairs.append(try stage.tenants(row, rounds: rounds, seconds: seconds, state: state))
            case .readsWhileSignIns:
                report.pairs.append(try stage.readsWhileSignIns(row, rounds: rounds, seconds: seconds))
            case .sockets(let count, let areTold):
                report.sockets.append(
                    try stage.sockets(row, count: count, areTold: areTold, rounds: rounds, seconds: seconds))
            case .worstInput: report.worstInputs.append(try stage.worstInput(row, root: root))
            case .webFile: report.pairs.append(try stage.webFile(row, rounds: rounds, seconds: seconds))
            case .contactSearch: report.pairs.append(try stage.contactSearch(row, rounds: rounds))
            case .contactInsert: report.pairs.append(try stage.contactInsert(row, rounds: rounds))
            case .catalogue: report.pairs.append(try stage.catalogue(row, rounds: rounds))
            }
        }
        report.machine.loadAfter = Machine.load()
        print(json ? try report.json() : report.table(), terminator: "")
    }
}

/// Progress goes to standard error: standard output is for results.
func say(_ line: String) { FileHandle.standardError.write(Data("== \(line)\n".utf8)) }

/// What stopped the benchmark.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
