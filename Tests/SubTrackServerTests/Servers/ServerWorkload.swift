import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// A little of everything that the service asks of a database server, by HTTP and by an admin's SQL.
struct ServerWorkload {
    let service: TestService
    /// The seeds of the histories of sync.
    let histories: ClosedRange<UInt64>

    /// Something that a server did otherwise than it must.
    struct Deviation: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs all of it.
    func run() async throws {
        let plan = try await service.addPlan(fee: "17.99")
        let ada = try await service.newUser()
        try await monthEndsAndPrices(plan, ada)
        try await badInput(plan, ada)
        try await revision()
        try await tenants()
        try await sync()
    }

    /// Types statements as an admin does, in a session that has the server's defaults but for `autocommit`.
    private func type(_ statements: String) async throws -> String {
        try await service.database.run("SET autocommit = 1;\n" + statements)
    }

    private func expect(_ found: String, _ wanted: String, _ what: String) throws {
        guard found == wanted else {
            throw Deviation(description: "\(what): \(found.debugDescription), not \(wanted.debugDescription)")
        }
    }

    private func monthEndsAndPrices(_ plan: Int64, _ ada: TestUser) async throws {
        let note = "'\"\\ 💸 ü"
        let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31"), note: note))
        try expect("\(made.endDate)", "2026-02-28", "the end of a month")
        let id = made.id.uuidString.replacing("-", with: "")
        let found = try await type(
            """
            UPDATE Plan SET Fee = 18.99, Fee_since = '2026-02-01' WHERE Plan_ID = \(plan);
            UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = UNHEX('\(id)');
            SELECT End_date, Period, Period_fee FROM Subscription WHERE Subscription_ID = UNHEX('\(id)');
            SELECT Fee FROM Subscription_period WHERE Subscription_ID = UNHEX('\(id)');
            SELECT COUNT(*) FROM Subscription_text WHERE Subscription_ID = '\(made.id.uuidString.lowercased())';
            """)
        try expect(found, "2026-03-31\t1\t18.990000\n17.990000\n1\n", "a renewal after another price")
        let renewed = try await ada.call(GetSubscription(id: made.id))
        let seen = "\(renewed.endDate) \(renewed.fee) \(renewed.note ?? "")"
        try expect(seen, "2026-03-31 18.99 \(note)", "the API's view")
    }

    private func badInput(_ plan: Int64, _ ada: TestUser) async throws {
        let refusals = [
            "INSERT INTO `User` (User_ID, Country_ID) VALUES ('0190abcd-0000-40', 'US')": "the text of a UUID",
            "INSERT INTO `User` (User_ID, Country_ID) VALUES (UNHEX('A1'), 'QQ')": "there is no such country: QQ",
            "UPDATE Plan SET Duration_value = 0 WHERE Plan_ID = \(plan)": "Plan.Duration_value",
            "INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('ü', 'x', 'USD')":
                "Country.Country_ID",
        ]
        for (statement, reason) in refusals {
            // Strict: a value that does not fit is bent before a trigger sees it elsewhere.
            let output = try await service.database.runFailing("SET sql_mode = 'STRICT_ALL_TABLES'; \(statement);")
            guard output.contains(reason) || output.contains("ERROR 1406") || output.contains("ERROR 1366") else {
                throw Deviation(description: "\(statement): \(output)")
            }
        }
        let problem = try await ada.refusal(
            of: CreateSubscription(planId: plan, label: String(repeating: "x", count: 300)))
        try expect("\(problem.status)", "400", "a label that is too long")
    }

    private func revision() async throws {
        let found = try await type(
            """
            SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
            INSERT INTO Revision (Revision, Effective_on) VALUES ('spring', '2026-02-01');
            INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) VALUES
                ('spring', 'US', 'Kanal Ü', 'Größe 🎬', '3.5', '1', 'month'),
                ('spring', 'US', 'Kanal Ü', 'Bad', '3,5', '1', 'month');
            UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'spring';
            SELECT New_plans, Rejected FROM Revision_country WHERE Country_ID = 'US';
            SELECT Explanation FROM Revised_plan WHERE Outcome = 'rejected';
            DELETE FROM Staged_plan WHERE Plan_name = 'Bad';
            UPDATE Revision SET Checked_at = NOW() WHERE Revision = 'spring';
            UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = 'spring';
            SELECT Plan_name, Fee FROM Plan WHERE Provider = 'Kanal Ü';
            """)
        try expect(
            found,
            "1\t1\nFee: no amount from 0 to 99999999999 such as 17.99: 3,5; write digits and at most one point\nGröße 🎬\t3.500000\n",
            "a revision of the catalogue")
    }

    private func tenants() async throws {
        try await ServiceProcess.withFolder { folder in
            try await service.withTenants { tenants in
                try await tenants.create("acme")
                _ = try await service.newUser(in: "acme")
                let rows = try await tenants.export("acme", to: folder.path + "/acme.jsonl")
                guard rows > 300 else { throw Deviation(description: "an export of a tenant has \(rows) rows") }
                _ = try await tenants.drop("acme", exportingTo: folder.path + "/dropped.jsonl")
                try expect("\(try await tenants.list().map(\.slug))", "[\"default\"]", "tenants after one was dropped")
            }
        }
    }

    private func sync() async throws {
        var plans: [Int64] = []
        for country in ["US", "US", "DE", "FR"] { plans.append(try await service.addPlan(country: country)) }
        try await service.database.withClient { admin in
            for seed in histories {
                let user = try await service.newUser(country: seed % 2 == 0 ? "US" : "DE")
                var history = History(seed: seed, plans: plans, user: user)
                await history.play(steps: 30, admin)
                await history.finish(admin)
                guard history.faults.isEmpty else {
                    throw Deviation(description: "a history of sync, seed \(seed): \(history.faults.prefix(3))")
                }
            }
        }
    }
}
