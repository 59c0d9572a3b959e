import SubTrackTestSupport
import TestTraits
import Testing

/// A renewal that leads over many periods in one statement.
@Suite("Renewals over many periods", .tags(.everyDay), .ownTime)
struct RenewalRunTests {
    @Test("one statement records what renewing one by one does, on MariaDB")
    func mariaDB() async throws { try await check(.mariaDB) }

    @Test("one statement records what renewing one by one does, on MySQL", .mySQL, .repeated)
    func mySQL() async throws { try await check(.mySQL) }

    /// How a subscription begins, and up to which day it is renewed.
    private struct History {
        var plan: Int
        var columns = ""
        var until: String
    }

    private static let histories = [
        // Month ends and leap days, and a price line with days in and between periods, in two currencies.
        History(plan: 1, columns: "Start_date = '2023-01-31'", until: "2027-03-01"),
        History(plan: 1, columns: "Start_date = '2024-02-29', Own_fee = 3.49", until: "2026-02-28"),
        // A trial, whose end is a new anchor; one that begins before all prices.
        History(plan: 1, columns: "Start_date = '2024-01-24', Free_trial = TRUE", until: "2025-12-31"),
        History(plan: 1, columns: "Start_date = '2019-05-31'", until: "2023-01-31"),
        History(plan: 2, columns: "Start_date = '2020-02-29'", until: "2031-02-28"),
        History(plan: 4, columns: "Start_date = '2022-11-30', Auto_renew = TRUE", until: "2026-05-29"),
        History(plan: 5, columns: "Start_date = '2024-12-31'", until: "2026-12-31"),
        History(plan: 7, columns: "Start_date = '2024-12-31', Free_trial = TRUE", until: "2026-06-30"),
        // The day of an end, the day before and the day after; and a day that has passed already: one renewal.
        History(plan: 1, columns: "Start_date = '2025-01-31'", until: "2025-06-30"),
        History(plan: 1, columns: "Start_date = '2025-01-31'", until: "2025-06-29"),
        History(plan: 1, columns: "Start_date = '2025-01-31'", until: "2025-07-01"),
        History(plan: 1, columns: "Start_date = '2025-01-31'", until: "2020-01-01"),
    ]

    private func check(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            try await database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES
                    (1, '2021-01-01', 9.99, 'USD'), (1, '2024-03-31', 990, 'JPY'), (1, '2024-04-29', 17.99, 'USD'),
                    (1, '2025-08-15', 18.99, 'EUR'), (5, '2025-06-01', 11, 'USD'), (7, '2026-01-01', 4, 'USD');
                """)
            let user = "0x01900000000070008000000000000001"
            for (index, history) in Self.histories.enumerated() {
                func make(_ label: String) -> String {
                    """
                    INSERT INTO Subscription SET User_ID = \(user), Plan_ID = \(history.plan), Label = '\(label)',
                        \(history.columns);
                    """
                }
                let oneByOne = String(
                    repeating:
                        "UPDATE Subscription SET Start_date = End_date WHERE Label = 'steps \(index)' AND End_date < '\(history.until)';\n",
                    count: 80)
                try await database.run(
                    """
                    \(make("steps \(index)"))
                    \(make("run \(index)"))
                    UPDATE Subscription SET Start_date = End_date WHERE Label = 'steps \(index)';
                    \(oneByOne)
                    UPDATE Subscription SET Start_date = End_date, End_date = '\(history.until)', Ver = 0
                    WHERE Label = 'run \(index)';
                    """)
                func picture(_ label: String) async throws -> String {
                    try await database.run(
                        """
                        SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Period, Period_fee, Period_currency, Plan_ID
                        FROM Subscription WHERE Label = '\(label)';
                        SELECT p.Period, p.Start_date, p.End_date, p.Fee, p.Currency_code, p.Free_trial, p.Plan_ID
                        FROM Subscription_period p JOIN Subscription s ON s.Subscription_ID = p.Subscription_ID
                        WHERE s.Label = '\(label)' ORDER BY 1
                        """)
                }
                let (steps, run) = (try await picture("steps \(index)"), try await picture("run \(index)"))
                #expect(steps == run, "\(history)")
            }
            // The one version of the change is that of all its periods; what is further off takes a further statement.
            let rest = try await database.run(
                """
                SELECT COUNT(*) FROM Subscription_period p JOIN Subscription s ON s.Subscription_ID = p.Subscription_ID
                WHERE s.Label LIKE 'run %' AND p.Ver <> s.Ver;
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                VALUES (90, 'Gym', 'A day', 1, 'US', 1, 'day');
                INSERT INTO Subscription SET User_ID = \(user), Plan_ID = 90, Start_date = '2000-01-01', Label = 'far';
                UPDATE Subscription SET Start_date = End_date, End_date = '2027-01-01', Ver = 0 WHERE Label = 'far';
                SELECT Period, Anchor_count, End_date FROM Subscription WHERE Label = 'far';
                UPDATE Subscription SET Start_date = End_date, End_date = '2027-01-01', Ver = 0 WHERE Label = 'far';
                UPDATE Subscription SET Start_date = End_date, End_date = '2027-01-01', Ver = 0 WHERE Label = 'far';
                SELECT Period, End_date FROM Subscription WHERE Label = 'far';
                """)
            #expect(rest == "0\n4000\t4001\t2010-12-15\n9861\t2027-01-01\n")
        }
    }
}
