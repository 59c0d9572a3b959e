import Foundation

/// Who sends the requests of a row, and what they know already.
struct Callers {
    /// The file with a line for each: token, user, subscription, and what they know.
    let file: String
    /// The one whose request is watched.
    let watched: Caller

    struct Caller {
        let token: String
        /// A cursor, or the tag of an answer; empty where the row needs neither.
        var known = ""
    }
}

extension Stage {
    /// Makes whoever a row needs, and lets them ask for what they have to know: a cursor, or the tag of the last answer.
    /// - Parameter items: the file of those who send requests; changed where a row has a user of its own.
    func callers(of row: Row, items: String, on server: Server) throws -> Callers {
        var lines = try String(contentsOfFile: items, encoding: .utf8).split(separator: "\n").map(String.init)
        var watched = Callers.Caller(token: try token("0"))
        if let count = row.among {
            let user = try makeUser(having: count)
            watched = Callers.Caller(token: user.token)
            lines = [user.item]
            try user.item.write(toFile: items, atomically: false, encoding: .utf8)
        }
        guard row.needsCursor || row.isConditional else { return Callers(file: items, watched: watched) }
        say("Asking for what the callers have to know")
        // Fewer than elsewhere: each of them reads the whole catalogue first.
        lines = try lines.prefix(200).map { line in
            let token = line.prefix { !$0.isWhitespace }
            return line + "\t" + (try known(to: String(token), row, on: server))
        }
        watched.known = try known(to: watched.token, row, on: server)
        let file = scratch.file("callers")
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        if let count = row.among {
            // A cursor from before this change finds it, however often it is asked.
            try database.sql(
                "UPDATE Subscription SET Note = CONCAT('changed ', UUID()) WHERE User_ID = '\(Probe.user(having: count))' LIMIT 1"
            )
        }
        return Callers(file: file, watched: watched)
    }

    /// The token that was made from a word.
    private func token(_ word: String) throws -> String {
        try database.sql(
            """
            SELECT CONCAT('sub_', TRIM(TRAILING '=' FROM REPLACE(REPLACE(
                TO_BASE64(UNHEX(SHA2('benchmark token \(word)', 256))), '+', '-'), '/', '_')))
            """
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func known(to token: String, _ row: Row, on server: Server) throws -> String {
        if row.isConditional {
            let answer = try server.send("GET", row.path, body: "", token: token, folder: scratch)
            let tag = answer.headers.first { $0.lowercased().hasPrefix("etag:") }?.dropFirst("etag:".count)
            guard let tag else { throw BenchFailure("the answer has no tag") }
            return tag.trimmingCharacters(in: .whitespaces)
        }
        var cursor = ""
        for _ in 0..<1000 {
            let query = "?limit=1000" + (cursor.isEmpty ? "" : "&cursor=\(cursor)")
            let answer = try server.send("GET", "/v1/changes" + query, body: "", token: token, folder: scratch)
            guard let page = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
                let next = page["cursor"] as? String, let hasMore = page["more"] as? Bool
            else { throw BenchFailure("a pull answers \(answer.status)") }
            cursor = next
            if !hasMore { return cursor }
        }
        throw BenchFailure("a pull does not end")
    }

    /// A user who has so many subscriptions, made when it is needed first.
    private func makeUser(having count: Int) throws -> (token: String, item: String) {
        let (user, word) = (Probe.user(having: count), "of \(count)")
        let known = try database.sql("SELECT COUNT(*) FROM `User` WHERE User_ID = '\(user)'")
        if known.hasPrefix("0") {
            try database.sql(
                """
                INSERT INTO `User` (User_ID, Country_ID) VALUES ('\(user)', 'US');
                INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES ('\(user)', '\(user)', 'Bench');
                INSERT INTO Session (Session_ID, Device_ID, Token_hash)
                VALUES ('\(user)', '\(user)', UNHEX(SHA2(UNHEX(SHA2('benchmark token \(word)', 256)), 256)));
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                SELECT '\(user)', 1 + seq % 900, UTC_DATE() - INTERVAL seq % 20 DAY FROM seq_1_to_\(count);
                """)
        }
        let token = try token(word)
        let id = try database.sql("SELECT HEX(MIN(Subscription_ID)) FROM Subscription WHERE User_ID = '\(user)'")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return (token, "\(token)\t\(Probe.hexadecimal(user))\t\(id)")
    }
}
