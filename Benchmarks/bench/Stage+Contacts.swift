import Foundation

/// Measurements of contacts: a search among many, and rows that go in through the triggers.
extension Stage {
    /// Contacts of a user, the most that there may be.
    private static let contacts = 10_000
    /// Contacts that are inserted, each with four parts.
    private static let inserted = 5_000
    private static let tables = ["Contact_phone", "Contact_address", "Contact_email", "Contact_date", "Contact"]

    // MARK: Search

    /// Measures a user's searches, in turn with the same beside 90,000 contacts of nine other users. Goals: 100 ms, and 1.2 times the
    /// time.
    func contactSearch(_ row: Row, rounds: Int) throws -> Report.Pairs {
        let service = try Server.service(
            subtrackd, database: database.url, connections: connections, log: scratch.file("subtrackd.log"),
            children: children)
        defer { children.end(service.process) }
        let token =
            try dataset.items(database, first: 1, last: 1).split(whereSeparator: \.isWhitespace).first.map(String.init)
            ?? ""
        defer { try? fillContacts(ofUsers: 0) }
        var result = Report.Pairs(row: row.name, title: row.title, baseline: "nobody else has contacts")
        for round in 1...rounds {
            try fillContacts(ofUsers: 1)
            let alone = try searches(on: service, token: token)
            try fillContacts(ofUsers: 10)
            let beside = try searches(on: service, token: token)
            result.rounds.append(Report.Pair(baseline: alone, measured: beside))
            say(
                "\(row.name), round \(round) of \(rounds): \(alone.p50 ?? 0) ms alone, \(beside.p50 ?? 0) ms beside others"
            )
        }
        let times = result.rounds.flatMap { [$0.baseline.p50, $0.measured.p50] }.compactMap(\.self)
        result.notes.append("a search takes \(Report.range(times)) ms, goal 100; ratio, goal 0.83 or more")
        return result
    }

    /// Searches one after the other: names, the middle of a word, digits, an accent, Chinese, nothing.
    private func searches(on service: Server, token: String) throws -> Report.Figure {
        let terms = ["last12", "ohnson", "5550", "jos%C3%A9", "%E5%8D%97", "first7%20street", "zzzz"]
        var times: [Double] = []
        for round in 0..<4 {
            for term in terms {
                let seconds = try children.run(
                    "curl",
                    [
                        "--silent", "--show-error", "--fail", "--output", "/dev/null", "--write-out", "%{time_total}",
                        "--header", "Authorization: Bearer \(token)",
                        "http://127.0.0.1:\(service.port)/v1/contacts?search=\(term)",
                    ])
                // The first ones fill caches.
                if round > 0 { times.append((Double(seconds) ?? .infinity) * 1_000) }
            }
        }
        let median = times.median
        return Report.Figure(perSecond: 1_000 / median, errors: 0, p50: median, p99: times.max())
    }

    /// Gives the first users 10,000 contacts each, and all others none. The triggers are away meanwhile: they would take minutes.
    private func fillContacts(ofUsers count: Int) throws {
        let triggers = try sqlFiles("contacts/triggers").map { try String(contentsOfFile: $0, encoding: .utf8) }
        let names = triggers.flatMap { $0.matches(of: #/CREATE TRIGGER (\w+)/#).map { String($0.output.1) } }
        var script = names.map { "DROP TRIGGER IF EXISTS \($0);\n" }.joined()
        script += "SET FOREIGN_KEY_CHECKS = 0;\n"
        script += (["Former_card"] + Self.tables).map { "TRUNCATE TABLE \($0);\n" }.joined()
        for user in stride(from: 1, through: count, by: 1) { script += Self.rows(of: user, Self.contacts) }
        if count > 0 { script += "ANALYZE TABLE \(Self.tables.joined(separator: ", "));\n" }
        try database.sql(script + triggers.joined(separator: "\n"))
    }

    /// Statements that give a user contacts with three parts each and an address, their ids and versions by their number.
    private static func rows(of user: Int, _ count: Int) -> String {
        let owner =
            "UNHEX(CONCAT(LPAD(HEX(1700000000000 + 1000 * \(user)), 12, '0'), '7', LEFT(MD5(\(user)), 3), 'a', "
            + "MID(MD5(\(user)), 4, 15)))"
        let (key, from) = ("\(owner), UNHEX(MD5(CONCAT('contact ', seq)))", "FROM seq_1_to_\(count);\n")
        return """
            INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name, Note, Ver, Ver_note)
            SELECT \(key), IF(seq MOD 50, CONCAT('First', seq MOD 977), 'José'), ELT(1 + seq MOD 3, CONCAT('Last', seq), 'Johnson', '南京'),
                CONCAT('met in year ', seq MOD 60), seq, seq \(from)
            INSERT INTO Contact_phone (User_ID, Contact_ID, Phone_ID, Area_code, Phone_number, Ver)
            SELECT \(key), UNHEX(MD5(seq)), 200 + seq MOD 700, 5550000 + seq, seq \(from)
            INSERT INTO Contact_address (User_ID, Contact_ID, Address_ID, Street, City, Zip, Ver)
            SELECT \(key), UNHEX(MD5(seq)), CONCAT(seq, ' High Street'), 'Springfield', 10000 + seq, seq \(from)
            INSERT INTO Contact_email (User_ID, Contact_ID, Email_ID, Email, Ver)
            SELECT \(key), UNHEX(MD5(seq)), CONCAT('person', seq, '@example.org'), seq \(from)
            INSERT INTO Contact_date (User_ID, Contact_ID, Date_ID, Happens_on, Ver)
            SELECT \(key), UNHEX(MD5(seq)), '1980-06-25', seq \(from)
            """
    }

    // MARK: Insertion

    private static let plain = "subtrackit_bench_plain"
    private static let guarded = "subtrackit_bench_guarded"

    /// Measures contacts with four parts by SQL, beside the same on tables without triggers. The goal: half of the rate.
    func contactInsert(_ row: Row, rounds: Int) throws -> Report.Pairs {
        var result = Report.Pairs(row: row.name, title: row.title, baseline: "the same tables without triggers")
        defer {
            for name in [Self.plain, Self.guarded] {
                _ = try? database.sql("DROP DATABASE IF EXISTS `\(name)`", in: "mysql")
            }
        }
        for round in 1...rounds {
            let pair = Report.Pair(
                baseline: try insertions(in: Self.plain), measured: try insertions(in: Self.guarded))
            result.rounds.append(pair)
            say(
                "\(row.name), round \(round) of \(rounds): \(pair.baseline), \(pair.measured), ratio \(Report.two(pair.ratio))"
            )
        }
        return result
    }

    private func insertions(in name: String) throws -> Report.Figure {
        try make(name, withTriggers: name == Self.guarded, area: "contacts")
        try database.sql("INSERT INTO `User` (User_ID, Country_ID) VALUES ('the probing user', 'US')", in: name)
        var script = ""
        for contact in 0..<Self.inserted {
            // 500 contacts are a transaction, as of an import.
            if contact.isMultiple(of: 500) { script += contact == 0 ? "BEGIN;\n" : "COMMIT;\nBEGIN;\n" }
            let (key, id) = ("'the probing user', UNHEX(MD5(\(contact)))", "UNHEX(MD5('part \(contact)'))")
            script += """
                INSERT INTO Contact (User_ID, Contact_ID, First_name, Last_name) VALUES (\(key), 'First', 'Last \(contact)');
                INSERT INTO Contact_phone (User_ID, Contact_ID, Phone_ID, Area_code, Phone_number)
                VALUES (\(key), \(id), '788', '\(6_000_000 + contact)');
                INSERT INTO Contact_address (User_ID, Contact_ID, Address_ID, Street, City)
                VALUES (\(key), \(id), '\(contact) High Street', 'Springfield');
                INSERT INTO Contact_email (User_ID, Contact_ID, Email_ID, Email)
                VALUES (\(key), \(id), 'person\(contact)@example.org');
                INSERT INTO Contact_date (User_ID, Contact_ID, Date_ID, Happens_on) VALUES (\(key), \(id), '1980-06-25');

                """
        }
        script += "COMMIT;\n"
        let start = ContinuousClock.now
        try database.sql(script, in: name)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let found = try database.sql("SELECT COUNT(*) FROM Contact_date", in: name)
        guard Int(found.trimmingCharacters(in: .whitespacesAndNewlines)) == Self.inserted else {
            throw BenchFailure("not all contacts are there: \(found)")
        }
        return Report.Figure(perSecond: Double(Self.inserted) / max(seconds, 0.001), errors: 0)
    }
}
