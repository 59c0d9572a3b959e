import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// The page of prices by hand: its statements run, and the database gives the errors that it shows.
@Suite("Prices by hand", .ownTime)
struct ByHandTests {
    @Test("on MariaDB")
    func mariaDB() async throws { try await check(.mariaDB) }

    @Test("on MySQL", .mySQL, .repeated)
    func mySQL() async throws { try await check(.mySQL) }

    private func check(_ server: TestServer) async throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/catalogue/by-hand.md")
        let page = try String(contentsOf: url.standardizedFileURL, encoding: .utf8)
        let block = try #require(page.firstMatch(of: #/(?s)```sql\n(.*?)```/#)).output.1
        let rows = page.matches(of: #/\n\| `((?:INSERT|UPDATE|DELETE)[^`]*)` \| `([^`]*)` \|/#)
        #expect(rows.count >= 6, "the table was read")
        try await server.leaseTenant { database in
            let strict = "SET SESSION sql_mode = 'STRICT_TRANS_TABLES';\n"
            let before = try await database.run("SELECT COUNT(*) FROM Plan WHERE Provider = 'Filmclub'")
            #expect(before == "0\n")
            _ = try await database.run(strict + block)
            for row in rows {
                let (statement, error) = (String(row.output.1), String(row.output.2))
                do {
                    _ = try await database.run(strict + statement)
                    Issue.record("it was taken: \(statement)")
                } catch let failure as CommandFailure {
                    // An ellipsis stands for the part that differs.
                    let parts = error.split(separator: "…", omittingEmptySubsequences: false)
                        .map { $0.trimmingCharacters(in: .whitespaces) }
                    let (first, last) = (parts.first ?? "", parts.last ?? "")
                    let isTold =
                        failure.output.contains(": \(first)")
                        && failure.output.hasSuffix(last + (last.isEmpty ? "" : "\n"))
                    #expect(isTold, "\(statement): \(failure.output)")
                }
            }
            let after = try await database.run("SELECT COUNT(*), MAX(Fee) FROM Plan WHERE Provider = 'Filmclub'")
            #expect(after == "1\t17.990000\n", "no statement of the table did anything")
        }
    }
}
