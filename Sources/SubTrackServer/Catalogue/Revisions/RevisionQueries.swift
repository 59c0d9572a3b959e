import MariaDB
import SubTrackAPI

/// The statements of revisions of the catalogue. What they mean is the triggers' to know (`Revision`, `Revision_country`).
enum RevisionQueries {
    /// Begins a revision.
    static func begin(
        _ revision: String, effectiveOn day: CalendarDate, isComplete: Bool, on connection: Connection
    ) async throws {
        try await connection.execute(
            "INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES (\(revision), \(day), \(isComplete))")
    }

    /// Stages some rows.
    static func stage(_ rows: [StagedRow], for revision: String, on connection: Connection) async throws {
        guard !rows.isEmpty else { return }
        let values = rows.map { row -> SQL in
            "(\(revision), \(row.line), \(SQL.joined(row.values.map { value -> SQL in "\(value)" })))"
        }
        try await connection.execute(
            """
            INSERT INTO Staged_plan
                (Revision, Line, Country_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since,
                 Duration_value, Duration_unit, Trial_days, Notice_days, Withdrawn_on, Category)
            VALUES \(SQL.joined(values))
            """)
    }

    /// Checks a revision, or checks it again.
    static func check(_ revision: String, on connection: Connection) async throws {
        try await connection.execute("UPDATE Revision SET Checked_at = UTC_TIMESTAMP(6) WHERE Revision = \(revision)")
    }

    /// The countries of a revision that are not applied yet.
    static func pendingCountries(of revision: String, on connection: Connection) async throws -> [String] {
        try await connection.query(
            """
            SELECT Country_ID FROM Revision_country WHERE Revision = \(revision) AND Applied_at IS NULL
            ORDER BY Country_ID
            """
        ).decode(String.self)
    }

    /// Applies one country.
    /// - Parameter isOwn: whether nobody else can have changed the staged rows since the check. The trigger compares them
    ///   otherwise, all of them for each country.
    /// - Returns: whether it was there to be applied.
    @discardableResult
    static func apply(
        _ country: String, of revision: String, isOwn: Bool = false, on connection: Connection
    ) async throws -> Bool {
        if isOwn {
            try await connection.execute(
                "SET @subtrackit_compared = (SELECT Staged_sum FROM Revision WHERE Revision = \(revision))")
        }
        let result = try await connection.execute(
            """
            UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP(6)
            WHERE Revision = \(revision) AND Country_ID = \(country) AND Applied_at IS NULL
            """)
        if isOwn { try await connection.execute("SET @subtrackit_compared = NULL") }
        return result.affectedRows == 1
    }

    /// Throws away what runs of files left that were cut off more than a day ago.
    /// - Parameter prefix: how the names of such revisions begin.
    static func discardAbandoned(prefix: String, on connection: Connection) async throws {
        try await connection.execute(
            """
            DELETE FROM Revision
            WHERE Revision LIKE \(prefix + "%") AND Created_at < UTC_TIMESTAMP() - INTERVAL 1 DAY
            """)
    }

    /// Throws a revision away.
    static func discard(_ revision: String, on connection: Connection) async throws {
        try await connection.execute("DELETE FROM Revision WHERE Revision = \(revision)")
        try await connection.execute("DELETE FROM Staged_plan WHERE Revision = \(revision)")
    }

    /// What the last check found, and what was applied. Rejected rows come in the order of the file.
    /// - Parameter limit: how many rows it names.
    static func report(
        of revision: String, file: String, limit: Int, on connection: Connection
    ) async throws -> RevisionReport? {
        let sums = try await connection.query(
            """
            SELECT v.Effective_on, COUNT(c.Country_ID), COUNT(c.Applied_at),
                CAST(COALESCE(SUM(c.New_plans), 0) AS SIGNED), CAST(COALESCE(SUM(c.Changed_price), 0) AS SIGNED),
                CAST(COALESCE(SUM(c.Changed_terms), 0) AS SIGNED), CAST(COALESCE(SUM(c.Withdrawn), 0) AS SIGNED),
                CAST(COALESCE(SUM(c.Unchanged), 0) AS SIGNED), CAST(COALESCE(SUM(c.Rejected), 0) AS SIGNED)
            FROM Revision v LEFT JOIN Revision_country c ON c.Revision = v.Revision
            WHERE v.Revision = \(revision) GROUP BY v.Effective_on
            """
        ).decode((CalendarDate, Int, Int, Int, Int, Int, Int, Int, Int).self).first
        guard let sums else { return nil }
        let rows = try await connection.query(
            """
            SELECT Line, Row_no, Country_ID, Provider, Plan_name, Outcome, Explanation FROM Revised_plan
            WHERE Revision = \(revision) AND (Outcome <> 'unchanged' OR Explanation IS NOT NULL)
            ORDER BY Outcome = 'rejected' DESC, IF(Outcome = 'rejected', Row_no, 0), Country_ID, Row_no LIMIT \(limit)
            """
        ).decode((Int?, Int, String, String?, String?, String, String?).self)
        return RevisionReport(
            file: file, effectiveOn: sums.0, countries: sums.1, applied: sums.2, new: sums.3, changedPrice: sums.4,
            changedTerms: sums.5, withdrawn: sums.6, unchanged: sums.7, rejected: sums.8,
            rows: rows.map { row in
                // A plan that is not in the file has a number of its own, and no line.
                .init(
                    line: row.0, row: row.0 == nil ? nil : row.1, country: row.2, provider: row.3, plan: row.4,
                    outcome: row.5, explanation: row.6)
            })
    }

    /// The digits of each currency.
    static func digits(on connection: Connection) async throws -> [String: Int] {
        let rows = try await connection.query("SELECT Currency_code, Minor_digits FROM Currency")
            .decode((String, Int).self)
        return Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    /// All prices of the catalogue's plans, in the columns of ``StagedRow``, by country, plan and day.
    static func export(country: String?, on connection: Connection) -> RowStream {
        var filter: SQL = "p.Listed = 1"
        if let country { filter += " AND p.Country_ID = \(country)" }
        let plan: SQL = "p.Country_ID AS Country_ID, p.Plan_ID AS Plan_ID, p.Provider, p.Plan_name, p.Subscription_type"
        let terms: SQL =
            "p.Duration_value, p.Duration_unit, p.Trial_days, p.Notice_days, p.Withdrawn_on, v.Category"
        return connection.stream(
            """
            SELECT \(plan), p.Fee, p.Currency_code, p.Fee_since AS Day, \(terms)
            FROM Plan p JOIN Provider v ON v.Provider = p.Provider WHERE \(filter)
            UNION ALL
            SELECT \(plan), x.Fee, x.Currency_code, x.Effective_on AS Day, \(terms)
            FROM Plan p JOIN Provider v ON v.Provider = p.Provider JOIN Plan_price x ON x.Plan_ID = p.Plan_ID
            WHERE \(filter)
            ORDER BY Country_ID, Plan_ID, Day
            """)
    }

    /// The texts of a row of ``export(country:on:)``.
    static func exported(_ row: Row, digits: [String: Int]) throws -> [String?] {
        let currency = try row.decode(String.self, at: 6)
        return [
            try row.decode(String.self, at: 0), try row.decode(String.self, at: 2), try row.decode(String.self, at: 3),
            try row.decode(String.self, at: 4),
            try row.decode(Amount.self, at: 5).written(in: currency, digits: digits).description, currency,
            try row.decode(CalendarDate.self, at: 7).description, String(try row.decode(Int.self, at: 8)),
            try row.decode(String.self, at: 9), try row.decode(Int?.self, at: 10).map(String.init),
            String(try row.decode(Int.self, at: 11)), try row.decode(CalendarDate?.self, at: 12)?.description,
            try row.decode(String.self, at: 13),
        ]
    }
}
