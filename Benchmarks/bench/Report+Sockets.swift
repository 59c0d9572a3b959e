import Foundation

extension Report {
    /// One row of sockets, beside those of a server that does nothing else.
    struct Sockets: Codable {
        var row: String
        var title: String
        var rounds: [SocketPair] = []

        /// Lines for people.
        func lines() -> [String] {
            func median(_ of: (SocketPair) -> Double) -> String { Report.two(rounds.map(of).median) }
            var lines = [
                "\(row): \(median(\.service.kibibytesEach)) KiB each beside \(median(\.bare.kibibytesEach)) (bare NIO): "
                    + Report.range(rounds.map { $0.service.kibibytesEach / max($0.bare.kibibytesEach, 0.001) })
            ]
            guard rounds.contains(where: { $0.service.told > 0 }) else { return lines }
            let lost = rounds.reduce(0) { $0 + $1.service.lost + $1.bare.lost }
            lines.append(
                "    told after p50 \(median(\.service.p50)) ms beside \(median(\.bare.p50)), "
                    + "p99 \(median(\.service.p99)) ms beside \(median(\.bare.p99)): "
                    + Report.range(rounds.map { $0.service.p99 / max($0.bare.p99, 0.001) }) + ", \(lost) lost")
            return lines
        }
    }

    /// Both, one after the other.
    struct SocketPair: Codable {
        var bare: SocketFigure
        var service: SocketFigure
    }

    /// Many sockets of one server.
    struct SocketFigure: Codable, CustomStringConvertible {
        /// What each of them adds to the server's memory, in KiB.
        var kibibytesEach: Double
        /// How many notices came, all sockets and changes together.
        var told: Int
        /// How many did not come within five seconds.
        var lost: Int
        /// Milliseconds from the answer to the change to the notice.
        var p50: Double
        var p99: Double

        var description: String {
            "\(Report.two(kibibytesEach)) KiB each"
                + (told > 0 ? ", told after p50 \(Report.two(p50)) ms, p99 \(Report.two(p99)) ms" : "")
        }
    }
}
