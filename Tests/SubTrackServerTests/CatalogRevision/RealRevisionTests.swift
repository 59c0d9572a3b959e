import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The dated snapshots through the staging way, as a service of one provider's whole catalogue, by SQL that an admin types.
@Suite(.enabled(if: RealSnapshots.areThere, "the dated price snapshots are not beside the checkout"), .ownTime)
struct RealRevisionTests {
    @Test(
        "After each file the counts and all price lines are those of the files; a subscription has the prices of its days"
    )
    func inOrder() async throws {
        let files = try RealSnapshots.all()
        try await ImportDatabase.lease { database in
            var expected: [String: ExpectedLine] = [:]
            var sold: Set<String> = []
            for file in files {
                // Counted by what stands in the files alone.
                let counts = file.merge(into: &expected)
                let now = Set(file.offers.map(\.plan))
                let withdrawn = sold.subtracting(now).count
                sold = now
                let rows = file.offers.map { plan, entry in
                    "('\(file.day)', '\(plan.prefix(2))', 'Netflix', '\(plan.dropFirst(3))', '\(entry.fee)', "
                        + "'\(entry.currency)', '1', 'month')"
                }
                let apply = String(
                    repeating: "UPDATE Revision_country SET Applied_at = NOW() WHERE Revision = '\(file.day)' "
                        + "AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;\n", count: 250)
                let output = try await database.rows(
                    """
                    SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
                    INSERT INTO Revision (Revision, Effective_on, Is_complete) VALUES ('\(file.day)', '\(file.day)', TRUE);
                    INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Currency_code, Duration_value,
                        Duration_unit) VALUES \(rows.joined(separator: ",\n"));
                    UPDATE Revision SET Checked_at = NOW() WHERE Revision = '\(file.day)';
                    SELECT SUM(New_plans), SUM(Changed_price), SUM(Unchanged), SUM(Withdrawn), SUM(Rejected), SUM(Changed_terms)
                    FROM Revision_country WHERE Revision = '\(file.day)';
                    \(apply)
                    """)
                #expect(output == ["\(counts[0]) \(counts[1]) \(counts[2]) \(withdrawn) 0 0"], "\(file.day)")
                #expect(try await database.lines() == expected, "\(file.day)")
                let onSale = "SELECT COUNT(*) FROM Plan WHERE Withdrawn_on IS NULL"
                #expect(try await database.rows(onSale) == ["\(now.count)"])
            }
            // Begun in January 2023, renewed until December 2025.
            let text = try await database.database.run(
                """
                INSERT INTO `User` (User_ID, Country_ID) VALUES (UNHEX('018CC251F40070008000000000000001'), 'US');
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                SELECT UNHEX('018CC251F40070008000000000000001'), Plan_ID, '2023-01-31' FROM Plan
                WHERE Country_ID IN ('US', 'TR', 'BG', 'HR') AND Fee_since = '\(files[0].day)';
                \(String(repeating: "UPDATE Subscription SET Start_date = End_date;\n", count: 34))
                SELECT p.Country_ID, p.Plan_name, x.Start_date, x.Fee, x.Currency_code FROM Subscription_period x
                JOIN Plan p ON p.Plan_ID = x.Plan_ID ORDER BY 1, 2, 3;
                """)
            let periods = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            #expect(periods.count > 34 * 8)
            for period in periods {
                let right = try #require(expected["\(period[0]) \(period[1])"]?.price(on: period[2]))
                #expect((Decimal(string: period[3]) ?? .nan, period[4]) == (right.fee, right.currency), "\(period)")
            }
            #expect(Set(periods.map { $0[3] }).count > 15)
        }
    }
}
