import Foundation

/// Measurements of sign-ins, whose cost is the hash of a password, and of what they leave to others.
extension Stage {
    /// The password of all accounts that are made for it.
    private static let password = "correct horse battery"
    /// How many accounts sign in, in turn.
    private static let accounts = 200
    /// How many sign-ins are under way at once: enough to keep all threads that hash busy.
    private static let signInConnections = 16

    /// Measures sign-ins beside the hashes that OpenSSL makes by itself, on as many threads as the service may use.
    func signIns(_ row: Row, rounds: Int, seconds: Double) throws -> Report.Pairs {
        try withAccounts { service, items in
            let threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
            var result = Report.Pairs(
                row: row.name, title: row.title, baseline: "OpenSSL alone, \(threads) of the processors")
            for round in 1...rounds {
                let openSSL = try self.openSSL(threads: threads, seconds: seconds)
                let signIns = try figure(
                    of: "wrk", try children.run("wrk", signInArguments(service, items: items, seconds: seconds)),
                    cpu: nil)
                let pair = Report.Pair(baseline: openSSL, measured: signIns)
                result.rounds.append(pair)
                say(
                    "\(row.name), round \(round) of \(rounds): \(Report.two(signIns.perSecond))/s, \(signIns.errors) errors, ratio \(Report.two(pair.ratio))"
                )
            }
            return result
        }
    }

    /// Measures a request alone, and while sign-ins take all that they may.
    func readsWhileSignIns(_ row: Row, rounds: Int, seconds: Double) throws -> Report.Pairs {
        let readers = scratch.file("readers")
        try dataset.items(database, first: 1, last: clients).write(
            toFile: readers, atomically: false, encoding: .utf8)
        return try withAccounts { service, items in
            var result = Report.Pairs(row: row.name, title: row.title, baseline: "without sign-ins")
            _ = try wrk(service, row: row, items: readers, seconds: min(3, seconds))
            for round in 1...rounds {
                let alone = try wrk(service, row: row, items: readers, seconds: seconds)
                // The sign-ins begin before and end after what is measured.
                let log = scratch.file("sign-ins.log")
                let signIns = try children.start(
                    "wrk", signInArguments(service, items: items, seconds: seconds + 3), log: log)
                Thread.sleep(forTimeInterval: 1)
                let beside = try wrk(service, row: row, items: readers, seconds: seconds)
                signIns.waitUntilExit()
                let meanwhile = try figure(of: "wrk", try String(contentsOfFile: log, encoding: .utf8), cpu: nil)
                guard meanwhile.errors == 0 else { throw BenchFailure("\(meanwhile.errors) sign-ins have failed") }
                let pair = Report.Pair(baseline: alone, measured: beside)
                result.rounds.append(pair)
                result.signIns.append(meanwhile.perSecond)
                say(
                    "\(row.name), round \(round) of \(rounds): alone \(alone), beside \(beside), ratio \(Report.two(pair.ratio))"
                )
            }
            return result
        }
    }

    /// Runs a service with accounts, and takes back afterwards what they have made.
    private func withAccounts<Result>(_ body: (_ service: Server, _ items: String) throws -> Result) throws -> Result {
        let few = min(Self.accounts, clients)
        let items = scratch.file("accounts")
        try dataset.items(database, first: 1, last: few).write(toFile: items, atomically: false, encoding: .utf8)
        let service = try Server.service(
            subtrackd, database: database.url, connections: connections,
            options: [
                "--sign-ins-per-minute", "1000000", "--tenant-sign-ins-per-minute", "1000000",
                "--registrations-per-hour", "1000000",
            ], log: scratch.file("subtrackd.log"), children: children)
        defer { children.end(service.process) }
        try database.sql(try dataset.text("accounts-remove"))
        let hash = try encodedHash(from: service)
        try database.sql("SET @password = '\(hash)';\n" + dataset.range(1, few) + (try dataset.text("accounts")))
        defer { _ = try? database.sql(try dataset.text("accounts-remove")) }
        _ = try children.run("wrk", signInArguments(service, items: items, seconds: 1))
        return try body(service, items)
    }

    /// The hash of the password as the service itself makes it; its account is removed again.
    private func encodedHash(from service: Server) throws -> String {
        let body = #"{"email":"first@bench.example","password":"\#(Self.password)","createIfMissing":true}"#
        let made = try children.run(
            "curl",
            [
                "--silent", "--show-error", "--fail", "--header", "Content-Type: application/json", "--data", body,
                "http://127.0.0.1:\(service.port)/v1/sessions",
            ])
        guard made.contains("\"created\":true") else { throw BenchFailure("the service says: \(made)") }
        let row = try database.sql("SELECT Password, HEX(User_ID) FROM Account WHERE Email = 'first@bench.example'")
        let values = row.split(whereSeparator: \.isWhitespace)
        guard values.count == 2 else { throw BenchFailure("the new account is not there") }
        try database.sql("DELETE FROM `User` WHERE User_ID = UNHEX('\(values[1])')")
        return String(values[0])
    }

    private func signInArguments(_ service: Server, items: String, seconds: Double) -> [String] {
        [
            "--threads", "1", "--connections", String(Self.signInConnections), "--timeout", "30s", "--duration",
            "\(Int(seconds.rounded(.up)))s", "--script", signInScript, "http://127.0.0.1:\(service.port)", "--", items,
            Self.password,
        ]
    }

    private func openSSL(threads: Int, seconds: Double) throws -> Report.Figure {
        // With the priority of the service's threads: where others are at work both get as little.
        let output = try children.run(
            "nice",
            [
                "-n", String(Self.niceness), "\(programs)/pbkdf2", String(Self.rounds), String(threads),
                String(seconds),
            ])
        let fields = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard fields.count == 2, fields[1] > 0 else { throw BenchFailure("pbkdf2 says: \(output)") }
        return Report.Figure(perSecond: fields[0] / fields[1], errors: 0)
    }

    /// The rounds of the service's hashes.
    private static let rounds = 220_000
    /// The nice value of the service's threads that hash.
    private static let niceness = 10
    private var signInScript: String { "\(root)/Benchmarks/wrk/sign-ins.lua" }
    private var root: String { dataset.root }
}
