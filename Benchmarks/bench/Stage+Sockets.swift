import Foundation

/// Measurements of many open sockets.
extension Stage {
    /// How many changes a second are made of which sockets are told; each waits until all were.
    private static let changesPerSecond = 20.0

    /// Measures what a socket costs, and how soon all are told of a change, beside a server that does nothing else.
    /// - Parameter areTold: whether all sockets are one user's, who changes something.
    func sockets(_ row: Row, count: Int, areTold: Bool, rounds: Int, seconds: Double) throws -> Report.Sockets {
        let items = scratch.file("items")
        try dataset.items(database, first: 1, last: areTold ? 1 : clients).write(
            toFile: items, atomically: false, encoding: .utf8)
        let changes = areTold ? max(4, Int(seconds * Self.changesPerSecond)) : 0
        var result = Report.Sockets(row: row.name, title: row.title)
        for round in 1...rounds {
            // New processes each time: memory that was given back is not always the system's again.
            let bare = try Server.bare("\(programs)/bare", log: scratch.file("bare.log"), children: children)
            let alone = try hold(count, of: bare, items: items, changes: changes)
            children.end(bare.process)
            let service = try Server.service(
                subtrackd, database: database.url, connections: connections, log: scratch.file("subtrackd.log"),
                children: children)
            let measured = try hold(count, of: service, items: items, changes: changes)
            children.end(service.process)
            let pair = Report.SocketPair(bare: alone, service: measured)
            result.rounds.append(pair)
            say("\(row.name), round \(round) of \(rounds): bare \(pair.bare); service \(pair.service)")
        }
        return result
    }

    private func hold(_ count: Int, of server: Server, items: String, changes: Int) throws -> Report.SocketFigure {
        let output = try children.run(
            "\(programs)/sockets",
            [String(server.port), items, String(count), String(changes), String(server.process.processIdentifier)])
        let line = output.split(separator: "\n").last { $0.hasPrefix("result ") } ?? ""
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count == 7, numbers[0] > 0 else { throw BenchFailure("sockets says: \(output)") }
        return Report.SocketFigure(
            kibibytesEach: (numbers[2] - numbers[1]) / numbers[0], told: Int(numbers[3]), lost: Int(numbers[4]),
            p50: numbers[5] / 1_000, p99: numbers[6] / 1_000)
    }
}
