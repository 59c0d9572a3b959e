import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Servers that are too old, or are none of MariaDB's and MySQL's.
@Suite("Servers that are refused", .ownTime)
struct ForeignServerTests {
    private func subtrackd(_ arguments: [String], port: Int) async throws -> (code: Int, output: String) {
        do {
            let output = try await Command.run(
                try ServiceProcess.executable(),
                arguments + ["--database-url", "mysql://svc@127.0.0.1:\(port)/subtrackit"])
            return (0, output)
        } catch let failure as CommandFailure {
            return (failure.end.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? -1, failure.output)
        }
    }

    @Test(
        "An old server or a fork is named, with what to use instead, and gets no statement",
        arguments: [
            ("5.5.5-10.5.29-MariaDB-0+deb11u1", "MariaDB 10.5.29 is too old"),
            ("5.7.44-log", "MySQL 5.7.44 is too old"),
            ("8.0.11-TiDB-v7.5.0", "is TiDB"), ("8.0.30-Vitess", "is Vitess"), ("5.5.30", "mysql-server_version"),
            ("proxy", "is none of MariaDB's"),
        ])
    func refused(_ version: String, _ words: String) async throws {
        try await FakeServer.run(version: version) { server in
            for command in ["doctor", "migrate"] {
                let answer = try await subtrackd([command], port: server.port)
                #expect(answer.code == 69 && answer.output.contains(words), "\(command): \(answer)")
                #expect(answer.output.contains("10.6"), "\(command): \(answer)")
            }
            #expect(server.statements.isEmpty, "\(server.statements)")
        }
    }

    @Test("The service says it too, answers 503, and writes nothing")
    func serve() async throws {
        try await FakeServer.run(version: "5.5.5-10.5.29-MariaDB") { server in
            try await ServiceProcess.withFolder { folder in
                try await ServiceProcess.run(
                    [
                        "serve", "--http-listen", "127.0.0.1:0", "--database-url",
                        "mysql://svc@127.0.0.1:\(server.port)/subtrackit",
                    ], in: folder
                ) { process in
                    let client = try await process.listens()
                    try await eventually("it is said") { process.output.contains("MariaDB 10.5.29 is too old") }
                    #expect(try await client.send("GET", "/v1").status == 503)
                }
            }
            #expect(server.statements.isEmpty)
        }
    }

    @Test("A proxy that says another version than the server behind it is told of, with the remedy")
    func proxy() async throws {
        try await FakeServer.run(version: "8.0.27") { server in
            let answer = try await subtrackd(["migrate"], port: server.port)
            #expect(answer.code == 69 && answer.output.contains("have the proxy say the server's version"), "\(answer)")
            let settings = server.statements.filter { $0.hasPrefix("SET ") }
            #expect(!settings.isEmpty && settings.count == server.statements.count, "only sessions were set up")
        }
    }

    @Test("What a server says of itself is judged: tested, newer, a fork, another server")
    func judged() {
        func finding(_ version: String, _ comment: String = "") -> Finding {
            ServerSupport.finding(ServerVersion(version), comment: comment)
        }
        #expect(finding("10.11.19-MariaDB").level == .ok && finding("10.11.19-MariaDB").text.contains("tested"))
        #expect(finding("11.8.6-MariaDB").level == .ok && finding("9.7.4").level == .ok)
        #expect(finding("10.6.21-MariaDB").text.contains("tested on MariaDB 10.11"))
        #expect(finding("12.1.2-MariaDB").level == .warning && finding("12.1.2-MariaDB").text.contains("newer"))
        #expect(finding("10.0.1").level == .warning)
        #expect(finding("8.0.36-28", "Percona Server (GPL), Release 28").text.contains("Percona"))
        for good in ["10.6.0-MariaDB", "5.5.5-10.6.4-MariaDB", "12.0.1-MariaDB", "8.0.11", "9.7.4", "8.4.3-azure"] {
            #expect(ServerSupport.refusal(of: ServerVersion(good)) == nil, "\(good)")
        }
        for bad in ["10.5.9-MariaDB", "5.7.44", "5.6.51-log", "8.0.11-TiDB-v8", "", "x", "8.0.30-PlanetScale"] {
            #expect(ServerSupport.refusal(of: ServerVersion(bad)) != nil, "\(bad)")
        }
        let version = ServerVersion("8.0.33")
        func faults(_ comment: String, inner: String) -> [Finding] {
            ServerRequirements.faults(
                ["version_comment": comment], .init(version: version, innerVersion: ServerVersion(inner)))
        }
        #expect(faults("Dolt", inner: "8.0.33").first?.text.contains("is Dolt") == true)
        #expect(faults("x", inner: "5.7.1").first?.text.contains("too old") == true)
        #expect(faults("x", inner: "10.11.1-MariaDB").first?.text.contains("a proxy says") == true)
        #expect(faults("MySQL Community Server", inner: "8.0.33").isEmpty)
    }
}
