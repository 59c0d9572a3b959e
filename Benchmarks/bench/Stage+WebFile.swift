import Foundation

/// A measurement of the web app's files.
extension Stage {
    /// Measures the app's first script beside `/healthz` of the same service, in turn. The goal: 1.2 of its processor time.
    func webFile(_ row: Row, rounds: Int, seconds: Double) throws -> Report.Pairs {
        let service = try Server.service(
            subtrackd, database: database.url, connections: connections, log: scratch.file("subtrackd.log"),
            children: children)
        defer { children.end(service.process) }
        let page = try children.run(
            "curl", ["--silent", "--show-error", "--fail", "http://127.0.0.1:\(service.port)/"])
        guard let path = page.firstMatch(of: #/src="(app\/[0-9a-f]+\/js\/app\.js)"/#)?.output.1 else {
            throw BenchFailure("the service's page names no script: \(page)")
        }
        let items = scratch.file("items")
        try "none none 00000000000000000000000000000000\n".write(toFile: items, atomically: false, encoding: .utf8)
        let health = Row(name: row.name, title: row.title, path: "/healthz", kind: .webFile)
        let file = Row(name: row.name, title: row.title, path: "/\(path)", kind: .webFile)
        _ = try wrk(service, row: file, items: items, seconds: min(2, seconds))
        var result = Report.Pairs(row: row.name, title: row.title, baseline: "/healthz of the same service")
        for round in 1...rounds {
            let pair = Report.Pair(
                baseline: try wrk(service, row: health, items: items, seconds: seconds),
                measured: try wrk(service, row: file, items: items, seconds: seconds))
            result.rounds.append(pair)
            say("\(row.name), round \(round) of \(rounds): \(pair.baseline), \(pair.measured)")
        }
        let costs = result.rounds.compactMap { pair -> Double? in
            guard let file = pair.measured.cpu?.server, let health = pair.baseline.cpu?.server, health > 0 else {
                return nil
            }
            return file / health
        }
        if !costs.isEmpty { result.notes.append("the service's processor time: \(Report.range(costs)), goal 1.2") }
        return result
    }
}
