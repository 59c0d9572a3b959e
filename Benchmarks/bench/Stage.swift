import Foundation

/// Everything that a measurement needs, and the measuring.
struct Stage {
    let database: Database
    let scratch: ScratchFolder
    let children: Children
    let subtrackd: String
    let programs: String
    let dataset: Dataset
    let wrkScript: String
    let connections: Int
    let clients: Int
    /// How many requests are on their way on each connection of the plain socket.
    static let socketDepth = 16
    /// How often each caller has come, about, before the service's rate is measured.
    static let visits = 5
    let profile: String?

    /// Measures one kind of request beside floor and hello, in turn.
    func measure(_ row: Row, rounds: Int, seconds: Double) throws -> Report.Result {
        let items = scratch.file("items")
        let first = row.writes ? clients + 1 : 1
        try dataset.items(database, first: first, last: first + clients - 1)
            .write(toFile: items, atomically: false, encoding: .utf8)
        defer { if row.writes { try? removeWritten() } }
        try removeWritten()

        func start(remembersNothing: Bool) throws -> Server {
            try Server.service(
                subtrackd, database: database.url, connections: connections,
                options: remembersNothing ? ["--list-memory", "0"] : [], log: scratch.file("subtrackd.log"),
                children: children)
        }
        try StatementLog.begin(database)
        let service = try start(remembersNothing: row.remembersNothing)
        defer { children.end(service.process) }
        Thread.sleep(forTimeInterval: 1)
        let atRest = service.memory()
        let callers = try callers(of: row, items: items, on: service)
        let other = row.isFloorOfRows && !row.remembersNothing ? try start(remembersNothing: true) : nil
        let answer = try watch(row, by: callers.watched, on: other ?? service)
        if let other { children.end(other.process) }
        let statements = try StatementLog.end(database).statements()
        let statementFile = try write(statements)

        let hello = try Server.hello(
            "\(programs)/hello", answer: answer, folder: scratch, log: scratch.file("hello.log"), children: children)
        defer { children.end(hello.process) }

        let hasFloor = statements.contains { $0.way != .setup }
        let floor = { (seconds: Double) in try self.floor(statementFile, items: items, seconds: seconds) }
        let wrk = { (server: Server, seconds: Double) in
            try self.wrk(server, row: row, items: callers.file, seconds: seconds)
        }
        let drive = { (seconds: Double) in
            guard let method = row.socketMethod else { return try wrk(service, seconds) }
            return try self.lines(service, method: method, items: items, seconds: seconds)
        }
        // Caches, pools and branch predictors.
        if hasFloor { _ = try floor(min(2, seconds)) }
        _ = try wrk(hello, min(1, seconds))
        // While floor and hello have their turn nobody asks the service, for longer than it remembers a token: before each of
        // its rounds it is asked until most callers have come several times.
        var rate = try drive(min(3, seconds)).perSecond
        let warmUp = {
            let needed = Double(Self.visits * clients) / max(rate, 1)
            rate = try drive(min(max(needed, 1), 20)).perSecond
        }

        var result = Report.Result(
            row: row.name, title: row.title, answerBytes: answer.body.count,
            statements: statements.count { $0.way != .setup })
        for round in 1...rounds {
            let (floorFigure, helloFigure) = (hasFloor ? try floor(seconds) : nil, try wrk(hello, seconds))
            try warmUp()
            let measured = Report.Round(floor: floorFigure, hello: helloFigure, service: try drive(seconds))
            result.rounds.append(measured)
            say("\(row.name), round \(round) of \(rounds): \(measured)")
        }
        if let profile {
            try warmUp()
            try self.profile(service, into: "\(profile)/\(row.name).perf", load: { try drive(6) })
        }
        result.memory = Report.Memory(atRest: atRest, afterLoad: service.memory(), peak: service.peakMemory())
        return result
    }

    /// Writes statements into a file for `floor`.
    func write(_ statements: [Statement]) throws -> String {
        let file = scratch.file("statements")
        try Data(statements.flatMap(\.lines)).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Sends the request as the probing user; the last time the server's log is marked before. A list is known the third time.
    func watch(_ row: Row, by caller: Callers.Caller, on server: Server) throws -> Server.Answer {
        var answer: Server.Answer?
        for (index, fresh) in Probe.fresh.enumerated() {
            if index == Probe.fresh.count - 1 { try StatementLog.mark(database) }
            answer = try server.send(
                row.method,
                row.path.replacingOccurrences(of: "{subscription}", with: Probe.uuid(Probe.subscription))
                    .replacingOccurrences(of: "{cursor}", with: caller.known),
                body: row.body.replacingOccurrences(of: "{fresh}", with: Probe.uuid(fresh)), token: caller.token,
                ifNoneMatch: row.isConditional ? caller.known : nil, folder: scratch)
        }
        guard let answer, (200...299).contains(answer.status) || row.isConditional && answer.status == 304 else {
            throw BenchFailure(
                "the service answers \(answer?.status ?? 0): \(String(decoding: answer?.body ?? Data(), as: UTF8.self))"
            )
        }
        return answer
    }

    /// Takes samples of the service's stacks while it is under load: `perf report -i` shows them.
    private func profile(_ server: Server, into file: String, load: () throws -> Report.Figure) throws {
        let perf = try children.start(
            "perf",
            [
                "record", "--quiet", "--freq", "1997", "--call-graph", "fp", "--pid",
                String(server.process.processIdentifier), "--output", file, "--", "sleep", "5",
            ])
        _ = try load()
        perf.waitUntilExit()
        say("perf report -i \(file)")
    }

    /// Runs the statements of a request over and over, and does nothing else.
    /// - Parameters:
    ///   - server: where; nil: on the database that all rows but those of tenants are measured with.
    ///   - name: the database; with `{tenant}`, the one of each item's tenant.
    func floor(
        _ statements: String, items: String, seconds: Double, on server: Database? = nil, name: String = Database.name
    ) throws -> Report.Figure {
        let server = server ?? database
        let clock = CPUClock(servers: [server.process.processIdentifier])
        let output = try children.run(
            "\(programs)/floor",
            [server.socket, name, statements, items, String(connections), String(seconds)])
        let cpu = clock.elapsed()
        let fields = output.split(whereSeparator: \.isWhitespace)
        guard fields.count == 3, let requests = Double(fields[0]), let errors = Int(fields[1]),
            let elapsed = Double(fields[2]), elapsed > 0
        else { throw BenchFailure("floor says: \(output)") }
        return Report.Figure(
            perSecond: requests / elapsed, errors: errors,
            cpu: cpu.map { Report.CPU(driver: $0.children, server: 0, database: $0.servers[0]).divided(by: requests) })
    }

    func wrk(_ server: Server, row: Row, items: String, seconds: Double) throws -> Report.Figure {
        let clock = CPUClock(servers: [server.process.processIdentifier, database.process.processIdentifier])
        let output = try children.run(
            "wrk",
            [
                "--threads", "1", "--connections", String(connections), "--duration", "\(Int(seconds.rounded(.up)))s",
                "--script", wrkScript, "http://127.0.0.1:\(server.port)", "--", items, row.method, row.path, row.body,
                row.isConditional ? "conditional" : "",
            ])
        return try figure(of: "wrk", output, cpu: clock.elapsed())
    }

    private func lines(_ server: Server, method: String, items: String, seconds: Double) throws -> Report.Figure {
        let clock = CPUClock(servers: [server.process.processIdentifier, database.process.processIdentifier])
        let output = try children.run(
            "\(programs)/lines",
            [
                String(server.socketPort), items, String(connections), String(Self.socketDepth), String(seconds),
                method,
            ])
        return try figure(of: "lines", output, cpu: clock.elapsed())
    }

    /// Reads the line that drivers print last: requests, microseconds, errors, latencies.
    func figure(
        of driver: String, _ output: String, cpu: (children: Double, servers: [Double])?
    ) throws -> Report.Figure {
        let line = output.split(separator: "\n").last { $0.hasPrefix("result ") } ?? ""
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count == 5, numbers[1] > 0 else { throw BenchFailure("\(driver) says: \(output)") }
        return Report.Figure(
            perSecond: numbers[0] / numbers[1] * 1_000_000, errors: Int(numbers[2]),
            cpu: cpu.map {
                Report.CPU(driver: $0.children, server: $0.servers[0], database: $0.servers[1]).divided(by: numbers[0])
            },
            p50: numbers[3] / 1_000,
            p99: numbers[4] / 1_000)
    }

    /// Removes what the row that writes has left, so that every run finds the same rows.
    private func removeWritten() throws {
        try database.sql("DELETE FROM Subscription WHERE Label = '\(Row.label)'")
    }
}
