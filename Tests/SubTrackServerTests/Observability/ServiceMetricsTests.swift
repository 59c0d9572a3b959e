import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Figures of the service itself at `/metrics`: version, tenants and mails.
@Suite("Metrics of the service", .ownTime)
struct ServiceMetricsTests {
    private static func metrics(_ process: ServiceProcess) async throws -> String {
        let found = process.output.firstMatch(of: #/pages are at (http:[\/0-9.:]+)/#)
        return try await APIClient(baseURL: String(try #require(found).1)).send("GET", "/metrics").text
    }

    @Test("The version, tenants by state, and mails that were sent, failed and wait are there with their help")
    func figures() async throws {
        try await PrivateServer.own { server in
            try await ServiceProcess.withFolder { folder in
                let database = ["--database-url", "mysql://root@localhost/ops?socket=\(server.socketPath)"]
                let program = try ServiceProcess.executable()
                _ = try await Command.run(program, ["migrate"] + database)
                _ = try await Command.run(program, ["tenant", "create", "quiet"] + database)
                _ = try await Command.run(program, ["tenant", "suspend", "quiet"] + database)
                for (mail, figures) in [
                    ("/bin/false", ["failed_total 1", "sent_total 0", "waiting 1"]),
                    // The first one waits for its next attempt.
                    ("/bin/true", ["failed_total 0", "sent_total 1", "waiting 1"]),
                ] {
                    let arguments = [
                        "serve", "--http-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--sendmail", mail,
                        "--mail-from", "ops@example.org",
                    ]
                    try await ServiceProcess.run(arguments + database, in: folder) { process in
                        var client = try await process.listens()
                        try await eventually("it answers") {
                            try await client.send("GET", "/v1").status == 200
                        }
                        client.token = try await client.call(RegisterDevice(name: "x", country: "US")).token
                        let account = try await client.response(
                            to: RegisterAccount(email: "\(mail.dropFirst(5))@example.org", password: goodPassword))
                        #expect(account.status < 300, "\(account.text)")
                        for figure in figures.map({ "subtrackit_mails_\($0)\n" }) {
                            try await eventually("\(figure)") {
                                try await Self.metrics(process).contains(figure)
                            }
                        }
                        let text = try await Self.metrics(process)
                        for line in [
                            "subtrackit_build_info{version=\"\(ServiceVersion.text)\"} 1",
                            "subtrackit_tenants{state=\"active\"} 1",
                            "subtrackit_tenants{state=\"suspended\"} 1", "subtrackit_tenants{state=\"closed\"} 0",
                        ] { #expect(text.contains(line + "\n"), "\(line)") }
                        for name in MetricHelp.texts.keys where name.hasPrefix("subtrackit_") {
                            #expect(text.contains("# HELP \(name) \(MetricHelp.texts[name] ?? "")\n"), "\(name)")
                        }
                    }
                    // The next attempt is not made while the test goes on.
                    try await TestDatabase(name: "ops_default", socketPath: server.socketPath).run(
                        "UPDATE Mail SET Next_attempt_at = Next_attempt_at + INTERVAL 1 HOUR")
                }
            }
        }
    }

    @Test("Tenants whose database is gone, or whose server is away, are counted by state")
    func lostTenants() async throws {
        try await PrivateServer.own { server in
            try await PrivateServer.own { elsewhere in
                try await ServiceProcess.withFolder { folder in
                    let database = ["--database-url", "mysql://root@localhost/ops?socket=\(server.socketPath)"]
                    let program = try ServiceProcess.executable()
                    _ = try await Command.run(program, ["migrate"] + database)
                    let far = ["--server", "mysql://root@localhost/?socket=\(elsewhere.socketPath)"]
                    for tenant in [["far"] + far, ["lost"], ["later"]] {
                        _ = try await Command.run(program, ["tenant", "create"] + tenant + database)
                    }
                    let admin = TestDatabase(name: "mysql", socketPath: server.socketPath)
                    try await admin.run("DROP DATABASE ops_lost")
                    await elsewhere.kill()
                    let arguments =
                        ["serve", "--http-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"] + database
                    try await ServiceProcess.run(arguments, in: folder) { process in
                        let client = try await process.listens()
                        func counts(_ states: [String]) async throws -> Bool {
                            // A request has the tenants read again.
                            _ = try await client.send("GET", "/v1")
                            let text = try await Self.metrics(process)
                            return states.allSatisfy { text.contains("subtrackit_tenants{state=\($0)\n") }
                        }
                        try await eventually("nobody has used them") {
                            try await counts(["\"active\"} 2", "\"gone\"} 1", "\"unavailable\"} 1"])
                        }
                        // One that was used a moment ago.
                        #expect(try await client.send("GET", "/t/later/v1/countries").status == 200)
                        try await admin.run("DROP DATABASE ops_later")
                        #expect(try await client.send("GET", "/t/later/v1/countries").status == 503)
                        try await eventually("it is gone as well") {
                            try await counts(["\"active\"} 1", "\"gone\"} 2", "\"unavailable\"} 1"])
                        }
                    }
                }
            }
        }
    }

    @Test("The start names the version and the addresses; a stop names the signal, the connections and the time")
    func startAndStop() async throws {
        try await PrivateServer.own { server in
            try await ServiceProcess.withFolder { folder in
                let arguments = [
                    "serve", "--http-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--socket-listen",
                    "127.0.0.1:0",
                    "--database-url", "mysql://root@localhost/ops?socket=\(server.socketPath)",
                ]
                try await ServiceProcess.run(arguments, in: folder) { process in
                    let client = try await process.listens()
                    try await eventually(within: .seconds(120), "it answers") {
                        try await client.send("GET", "/v1").status == 200
                    }
                    try await eventually("all listen") { process.output.contains("takes plain sockets at 127.0.0.1:") }
                    #expect(process.output.contains("SubTrackIt \(ServiceVersion.text) starts"))
                    process.signal(SIGTERM)
                    #expect(try await process.exit() == 0)
                    let output = process.output
                    #expect(output.contains("SIGTERM received"), "\(output)")
                    #expect(output.contains("The service stops: it takes no new connections"), "\(output)")
                    #expect(output.contains("httpConnections"), "\(output)")
                    #expect(output.contains(#/Stopped in \d+ ms; all connections were drained/#), "\(output)")
                }
            }
        }
    }
}
