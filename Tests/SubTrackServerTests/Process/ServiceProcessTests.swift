import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// The program as an operator runs it. One at a time: each starts a database of its own.
@Suite("subtrackd as a process", .serialized, .tags(.everyDay), .ownTime)
struct ServiceProcessTests {
    private func serve(_ folder: URL) -> [String] {
        ["serve", "--state-dir", folder.path + "/state", "--http-listen", "127.0.0.1:0"]
    }

    /// Runs `subtrackd sql` on the state in a folder.
    private func sql(_ folder: URL, _ statement: String) async throws -> String {
        try await Command.run(
            try ServiceProcess.executable(), ["sql", "--state-dir", folder.path + "/state", "-e", statement])
    }

    @Test("From nothing to a tracked subscription, seen and renewed by SQL; stopped in order; found again")
    func life() async throws {
        try await ServiceProcess.withFolder { folder in
            let arguments = serve(folder) + ["--public-metrics", "yes"]
            let (token, id) = try await ServiceProcess.run(arguments, in: folder) { process in
                var client = try await process.becomesReady()
                let registered = try await client.call(RegisterDevice(name: "curl", country: "US"))
                client.token = registered.token
                let plans = try await client.call(ListPlans(provider: "Netflix")).plans
                let plan = try #require(plans.first { $0.duration == .init(value: 1, unit: .month) })
                let made = try await client.call(CreateSubscription(planId: plan.id, startDate: day("2026-01-31")))
                #expect(made.endDate == day("2026-02-28"))

                let seen = try await sql(folder, "SELECT Start_date, End_date FROM Subscription")
                #expect(seen.contains("2026-01-31") && seen.contains("2026-02-28"))
                _ = try await sql(folder, "UPDATE Subscription SET Start_date = End_date")
                let renewed = try await client.call(GetSubscription(id: made.id))
                #expect(renewed.startDate == day("2026-02-28") && renewed.endDate == day("2026-03-31"))

                let metrics = try await client.send("GET", "/metrics")
                #expect(metrics.status == 200 && metrics.text.contains("http_request_duration"))
                #expect(metrics.text.contains("operation=\"subscriptions.create\""))
                // A metric without a text of its own is described by its name and kind alone.
                let unexplained = metrics.text.split(separator: "\n").filter {
                    $0.hasPrefix("# HELP") && $0.firstMatch(of: #/\((counter|gauge|histogram|summary)\)$/#) != nil
                }
                #expect(unexplained.isEmpty)
                #expect(!process.output.contains(registered.token) && !metrics.text.contains(registered.token))

                #expect(ServiceProcess.databases(below: folder).count == 1)
                process.signal(SIGTERM)
                #expect(try await process.exit() == 0, "\(process.output)")
                #expect(ServiceProcess.databases(below: folder).isEmpty)
                return (registered.token, made.id)
            }
            // Without the service, `subtrackd sql` starts the database for as long as it takes.
            #expect(try await sql(folder, "SELECT COUNT(*) FROM Subscription").contains("1"))
            #expect(ServiceProcess.databases(below: folder).isEmpty)
            await #expect(throws: CommandFailure.self) { try await sql(folder, "SELEKT 1") }

            try await ServiceProcess.run(serve(folder), in: folder) { process in
                var client = try await process.becomesReady()
                client.token = token
                #expect(try await client.call(GetSubscription(id: id)).endDate == day("2026-03-31"))
                process.signal(SIGINT)
                #expect(try await process.exit() == 0, "\(process.output)")
                #expect(ServiceProcess.databases(below: folder).isEmpty)
            }
        }
    }

    @Test("Its database is killed: that is said, and it is started again; a second service says why it will not start")
    func killedDatabase() async throws {
        try await ServiceProcess.withFolder { folder in
            try await ServiceProcess.run(serve(folder), in: folder) { process in
                var client = try await process.becomesReady()
                client.token = try await client.call(RegisterDevice(name: "x", country: "US")).token
                let plan = try #require(try await client.call(ListPlans(limit: 1)).plans.first)
                let made = try await client.call(CreateSubscription(planId: plan.id))

                try await ServiceProcess.run(serve(folder), in: folder) { second in
                    let code = try await second.exit()
                    #expect(code == 69)
                    #expect(second.output.contains("state"), "\(second.output)")
                    #expect(
                        second.output.contains("\(process.processID)") || second.output.contains("another"),
                        "\(second.output)")
                }

                let database = try #require(ServiceProcess.databases(below: folder).first)
                kill(database, SIGKILL)
                try await eventually("the database is another one") {
                    ServiceProcess.databases(below: folder).contains { $0 != database }
                }
                try await eventually("it serves again") {
                    let answer = try await client.response(to: GetSubscription(id: made.id))
                    #expect(answer.status == 200 || answer.status == 503 && answer.header("retry-after") != nil)
                    return answer.status == 200
                }
                #expect(process.output.contains("The database ended unexpectedly"))
                #expect(try await client.call(GetSubscription(id: made.id)) == made)

                // Killed itself, it leaves no database behind.
                process.signal(SIGKILL)
                #expect(try await process.exit() == -SIGKILL)
                try await eventually("no database is left") {
                    ServiceProcess.databases(below: folder).isEmpty
                }
            }
        }
    }

    @Test("A database that cannot be reached: alive, not ready, 503 with Retry-After, said once, and ended in order")
    func noDatabase() async throws {
        try await ServiceProcess.withFolder { folder in
            let arguments = [
                "serve", "--http-listen", "127.0.0.1:0", "--database-url",
                "mysql://root@localhost/subtrackit?socket=\(folder.path)/none",
            ]
            let before = Date()
            try await ServiceProcess.run(arguments, in: folder) { process in
                let client = try await process.listens()
                #expect(try await client.send("GET", "/healthz").status == 200)
                for path in ["/readyz", "/v1", "/v1/me", "/v1/countries"] {
                    let answer = try await client.send("GET", path)
                    #expect(answer.status == 503 && answer.header("retry-after") == "1", "\(path)")
                    #expect(!answer.text.contains(folder.path), "\(path): \(answer.text)")
                }
                #expect(try await client.send("GET", "/v1").problem().code == .unavailable)
                try await eventually("it is said") { process.output.contains("The service waits for its database") }
                process.signal(SIGTERM)
                #expect(try await process.exit() == 0, "\(process.output)")
                #expect(
                    process.output.components(separatedBy: "waits for its database").count == 2, "\(process.output)")
                // The first line of a fault is this one. It says where the database is sought, and since when.
                let faults = process.output.split(separator: "\n").filter {
                    $0.contains(" error ") || $0.contains(" warning ")
                        || $0.contains("\"error\"") || $0.contains("\"warning\"")
                }
                let first = try #require(faults.first)
                #expect(first.contains("The service waits for its database"), "\(first)")
                #expect(first.contains("\(folder.path)/none") && first.contains("--database-url"), "\(first)")
                let since = try #require(first.firstMatch(of: #/since["=:]+([0-9T:-]+Z)/#))
                let instant = try #require(Instant(String(since.1)))
                let run = Int64(before.timeIntervalSince1970)...Int64(Date().timeIntervalSince1970)
                #expect(run.contains(instant.secondsSince1970), "\(first)")
            }
        }
    }

    @Test("Told to stop while it makes its first database, it ends in order, and starts the next time")
    func stoppedAtFirst() async throws {
        try await ServiceProcess.withFolder { folder in
            try await ServiceProcess.run(serve(folder), in: folder) { process in
                try await eventually("the database is being made") {
                    FileManager.default.fileExists(atPath: folder.path + "/state/database")
                }
                process.signal(SIGTERM)
                #expect(try await process.exit() == 0, "\(process.output)")
                #expect(ServiceProcess.databases(below: folder).isEmpty)
            }
            try await ServiceProcess.run(serve(folder), in: folder) { process in
                let client = try await process.becomesReady()
                #expect(try await client.send("GET", "/readyz").status == 200)
            }
        }
    }

    @Test("Who connects while the service starts, in any moment, is answered: 503, alive, or that nobody listens yet")
    func connectionsDuringStart() async throws {
        try await ServiceProcess.withFolder { folder in
            let port = try await TestService.run { $0.port }
            var arguments = serve(folder)
            arguments[arguments.count - 1] = "127.0.0.1:\(port)"
            try await ServiceProcess.run(arguments, in: folder) { process in
                var statuses: Set<Int> = []
                let request = "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                try await eventually(within: .seconds(120), "it serves") {
                    guard let bytes = try? await RawHTTP.exchange(Array(request.utf8), port: port, patience: 60) else {
                        // Nobody listens yet.
                        return false
                    }
                    // A connection that is left without an answer gives none to read.
                    let answer = try RawHTTP.parse(bytes)
                    statuses.insert(answer.status)
                    guard answer.status == 503 else { return answer.status == 200 }
                    #expect(answer.header("retry-after") == "1")
                    #expect(answer.header("content-type") == "application/problem+json")
                    // First there is no service, then no control database, and then the tenant is being made.
                    #expect([.unavailable, .tenantMigrating].contains(try answer.problem().code))
                    #expect(try await RawHTTP.send("GET", "/healthz", port: port).status == 200)
                    return false
                }
                #expect(
                    statuses == [200, 503], "the database takes a while to start, and the listener is there before")
            }
        }
    }

    @Test("With few descriptors the service says so, keeps some for itself, and answers beside hundreds of connections")
    func fewDescriptors() async throws {
        try await ServiceProcess.withFolder { folder in
            let program = try ServiceProcess.executable()
            let arguments = ["-c", "ulimit -n 512; exec \"$0\" \"$@\"", program] + serve(folder)
            try await ServiceProcess.run(arguments, program: "/bin/sh", in: folder) { process in
                let client = try await process.becomesReady()
                try await eventually("it is said") { process.output.contains("The process may have 512 files open") }
                let port = try #require(URL(string: client.baseURL)?.port)
                var idle: [RawSocket] = []
                for _ in 0..<600 {
                    if let socket = try? await RawSocket.connect(port: port) { idle.append(socket) }
                }
                #expect(idle.count > 500)
                try await eventually("a new client is answered") {
                    (try? await RawHTTP.send("GET", "/v1", port: port))?.status == 200
                }
                #expect(try await RawHTTP.send("GET", "/healthz", port: port).status == 200)
                #expect(try await RawHTTP.send("GET", "/readyz", port: port).status == 200)
                for socket in idle { await socket.close() }
                #expect(!process.output.contains("too many files open"))
            }
        }
    }

    @Test("An address that is taken is said, and nothing is left running")
    func takenPort() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.run { service in
                var arguments = serve(folder)
                arguments[arguments.count - 1] = "127.0.0.1:\(service.port)"
                try await ServiceProcess.run(arguments, in: folder) { process in
                    let code = try await process.exit()
                    #expect(code == 69, "\(process.output)")
                    #expect(process.output.contains("another program listens there"), "\(process.output)")
                    #expect(process.output.contains("\(service.port)"), "\(process.output)")
                    #expect(
                        !FileManager.default.fileExists(atPath: folder.path + "/state"), "no database was made for it")
                    #expect(ServiceProcess.databases(below: folder).isEmpty)
                }
            }
        }
    }

    @Test(
        "Bodies of a mebibyte, and of five, two hundred times over: the memory stays flat",
        .enabled(if: TestStage.full, "script/test --full: measures the memory of a process"))
    func flatMemory() async throws {
        let server = try await PrivateServer.shared
        try await ServiceProcess.withFolder { folder in
            try await TestDatabase.leaseControl { control in
                let arguments = [
                    "serve", "--http-listen", "127.0.0.1:0", "--database-url",
                    "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)",
                ]
                try await ServiceProcess.run(arguments, in: folder) { process in
                    let client = try await process.becomesReady()
                    let atRest = try #require(process.residentMiB)
                    let quick = [
                        Data((#"{"name":"x"}"# + String(repeating: " ", count: (1 << 20) - 12)).utf8),
                        Data((#"{"name":""# + String(repeating: "x", count: (1 << 20) - 11) + #""}"#).utf8),
                        Data(String(repeating: "[", count: 1 << 20).utf8),
                        Data(String(repeating: "[", count: 5_000_000).utf8),
                    ]
                    // These take long to read where the service is built for debugging.
                    let slow = [
                        Data(("{" + (0..<95_000).map { "\"n\($0)\":0" }.joined(separator: ",") + "}").utf8),
                        Data(("{\"name\":[" + String(repeating: "0,", count: 500_000) + "0]}").utf8),
                    ]
                    let bodies = quick + quick + quick + quick + slow
                    func flood(_ count: Int) async throws {
                        try await withThrowingTaskGroup(of: Int.self) { group in
                            for index in 0..<count {
                                if index >= 4 { _ = try await group.next() }
                                let body = bodies[index % bodies.count]
                                group.addTask {
                                    try await client.send(
                                        "POST", "/v1/devices", body: body, isChunked: index.isMultiple(of: 2)
                                    ).status
                                }
                            }
                            for try await status in group { #expect([201, 400, 413].contains(status)) }
                        }
                    }
                    try await flood(40)
                    let warm = try #require(process.residentMiB)
                    try await flood(200)
                    let after = try #require(process.residentMiB)
                    print(
                        "Memory of the service: \(atRest) MiB at rest, \(warm) MiB after 40 large bodies, \(after) MiB after 240"
                    )
                    #expect(after < warm + 48, "\(atRest), \(warm), \(after) MiB")
                    process.signal(SIGTERM)
                    #expect(try await process.exit() == 0)
                }
            }
        }
    }
}
