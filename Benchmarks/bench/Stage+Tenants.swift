import Foundation

/// Many tenants beside one, on a server of their own.
extension Stage {
    /// How many users send requests, over all tenants.
    private static let tenantUsers = 2_000
    /// Another number for each way in which the tenants are filled: those of an earlier way are not taken for them.
    private static let layout = 3
    /// What the optimizer goes by is to be from after the rows were loaded, in all of them.
    private static let analysis = "ANALYZE TABLE Subscription, Plan, Plan_price, Provider"

    /// Measures a request of users who are spread over many tenants, in turn with the same in one.
    func tenants(_ row: Row, rounds: Int, seconds: Double, state: String) throws -> Report.Pairs {
        let count = row.tenants ?? 100
        let each = Self.tenantUsers / count
        let folder = "\(state)/tenants-\(count)-\(Self.layout)-\(try dataset.fingerprint())"
        if !FileManager.default.fileExists(atPath: folder) { try makeTenants(count, each: each, in: folder) }
        let server = try startForTenants(folder)
        defer { server.stop() }
        let creation = try timeCreation(server)

        let service = try Server.service(
            subtrackd, database: server.url, connections: connections,
            // Room for the lists of both sets of users, so that neither drives out the other's.
            options: ["--list-memory", row.remembersNothing ? "0" : "64"], log: scratch.file("subtrackd.log"),
            children: children)
        defer { children.end(service.process) }
        let one = try tenantItems(server, users: Self.tenantUsers, source: "subtrackit_one", slugs: ["one"])
        let many = try tenantItems(
            server, users: each, source: "subtrackit_t1", slugs: (1...count).map { "t\($0)" })
        for items in [one, many] { try warmUp(service, row: row, items: items) }
        let statements = try listStatements()
        let floor = { (items: String) in
            try self.floor(statements, items: items, seconds: seconds, on: server, name: "subtrackit_{tenant}")
        }
        _ = try (floor(one), floor(many))
        var result = Report.Pairs(row: row.name, title: row.title, baseline: "the same users in one tenant")
        var floors: [Report.Pair] = []
        for round in 1...rounds {
            let pair = Report.Pair(
                baseline: try wrk(service, row: row, items: one, seconds: seconds),
                measured: try wrk(service, row: row, items: many, seconds: seconds))
            result.rounds.append(pair)
            let alone = Report.Pair(baseline: try floor(one), measured: try floor(many))
            floors.append(alone)
            say(
                "\(row.name), round \(round) of \(rounds): one \(pair.baseline), many \(pair.measured), ratio \(Report.two(pair.ratio)); "
                    + "the database alone: one \(alone.baseline), many \(alone.measured)"
            )
        }
        result.notes = [
            "the database alone, the list's rows: \(Report.two(floors.map(\.measured.perSecond).median))/s beside "
                + "\(Report.two(floors.map(\.baseline.perSecond).median))/s: ratio \(Report.range(floors.map(\.ratio)))",
            creation,
        ]
        return result
    }

    /// Asks until most users have come several times, for four minutes at the most: each tenant is looked at when it is used
    /// first, and the server reads its tables' triggers, which with a thousand tenants takes the better part of a minute.
    private func warmUp(_ service: Server, row: Row, items: String) throws {
        let seconds = 5.0
        var requests = 0.0
        for _ in 1...48 where requests < Double(Self.visits * Self.tenantUsers) {
            requests += try wrk(service, row: row, items: items, seconds: seconds).perSecond * seconds
        }
        _ = try wrk(service, row: row, items: items, seconds: seconds)
    }

    /// A file with the statement that reads a list, as a service sends it that remembers nothing.
    private func listStatements() throws -> String {
        guard let row = Row.all.first(where: { $0.name == "list-anew" }) else { throw BenchFailure("there is no list") }
        let items = scratch.file("list-items")
        try dataset.items(database, first: 1, last: 1).write(toFile: items, atomically: false, encoding: .utf8)
        try StatementLog.begin(database)
        let service = try Server.service(
            subtrackd, database: database.url, connections: connections, options: ["--list-memory", "0"],
            log: scratch.file("watched.log"), children: children)
        defer { children.end(service.process) }
        _ = try watch(row, by: try callers(of: row, items: items, on: service).watched, on: service)
        return try write(try StatementLog.end(database).statements())
    }

    /// Makes a tenant with all users and so many with a few each, once.
    private func makeTenants(_ count: Int, each: Int, in folder: String) throws {
        let unfinished = folder + ".unfinished"
        try? FileManager.default.removeItem(atPath: unfinished)
        say("Making \(count) tenants")
        try Database.install(in: unfinished, children: children)
        let server = try startForTenants(unfinished)
        let start = ContinuousClock.now
        for (slug, users) in [("one", Self.tenantUsers), ("few", each)] {
            try children.run(subtrackd, ["tenant", "create", slug, "--database-url", server.url])
            let database = "subtrackit_\(slug)"
            try server.sql(try dataset.text("catalogue"), in: database)
            for part in ["users", "devices", "sessions"] {
                try server.sql(dataset.range(1, users) + (try dataset.text(part)), in: database)
            }
            // Of a thousand users at once.
            for first in stride(from: 1, through: users, by: 1_000) {
                let range = dataset.range(first, min(users, first + 999))
                try server.sql(range + (try dataset.text("subscriptions")), in: database)
            }
            try server.sql(Self.analysis, in: database)
        }
        let file = scratch.file("tenant-\(count).jsonl")
        try children.run(subtrackd, ["tenant", "export", "few", file, "--database-url", server.url])
        for number in 1...count {
            try children.run(subtrackd, ["tenant", "import", "t\(number)", file, "--database-url", server.url])
            // A copy of a tenant has nobody who is signed in.
            try server.sql(dataset.range(1, each) + (try dataset.text("sessions")), in: "subtrackit_t\(number)")
            try server.sql(Self.analysis, in: "subtrackit_t\(number)")
            if number.isMultiple(of: 50) {
                say(
                    "\(number) of \(count), \((ContinuousClock.now - start).formatted(.units(allowed: [.minutes, .seconds])))"
                )
            }
        }
        server.stop()
        try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
    }

    /// A server that may have the tables of many databases open.
    private func startForTenants(_ folder: String) throws -> Database {
        try Database.start(
            folder, scratch: scratch, children: children, name: "tenants",
            options: [
                "--table-open-cache=40000", "--table-definition-cache=40000", "--innodb-open-files=40000",
                "--open-files-limit=65535", "--max-connections=200",
            ])
    }

    /// How long `tenant create` takes, and how much of the database's processor time.
    private func timeCreation(_ server: Database) throws -> String {
        var times: [Double] = []
        var processor: [Double] = []
        for number in 1...5 {
            let slug = "made\(number)"
            let clock = CPUClock(servers: [server.process.processIdentifier])
            let start = ContinuousClock.now
            try children.run(subtrackd, ["tenant", "create", slug, "--database-url", server.url])
            times.append((ContinuousClock.now - start) / .seconds(1))
            if let elapsed = clock.elapsed() { processor.append(elapsed.servers[0]) }
            try server.sql(
                "DELETE FROM Tenant WHERE Slug = '\(slug)'; DROP DATABASE subtrackit_\(slug)", in: "subtrackit")
        }
        return
            "a tenant is created in \(Report.two(times.median)) s, \(Report.two(processor.median)) s of them the database's processor time"
    }

    /// A file of lines for some users of each tenant, all made of the same rows.
    private func tenantItems(_ server: Database, users: Int, source: String, slugs: [String]) throws -> String {
        let lines = try server.sql(dataset.range(1, users) + (try dataset.text("items")), in: source)
            .split(separator: "\n")
        let file = scratch.file("items-\(slugs.count)")
        let text = slugs.map { slug in lines.map { "\($0)\t\(slug)\n" }.joined() }.joined()
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}
