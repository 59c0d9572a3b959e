import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

/// A day of a test, as it is written.
func day(_ text: String) -> CalendarDate {
    guard let day = CalendarDate(text) else { preconditionFailure("no day: \(text)") }
    return day
}

/// An amount of a test, as it is written.
func amount(_ text: String) -> Amount {
    guard let amount = Amount(text) else { preconditionFailure("no amount: \(text)") }
    return amount
}

/// Reads a list page by page until it ends.
/// - Parameter page: reads the page of a cursor and gives the cursor of the next one.
/// - Throws: `NeverHappened` when the list does not end.
func forEachPage(_ page: (_ cursor: String?) async throws -> String?) async throws {
    var cursor: String?
    for _ in 0..<1000 {
        cursor = try await page(cursor)
        if cursor == nil { return }
    }
    throw NeverHappened(description: "the list ends: a thousand pages are not enough")
}

/// Expects input to be refused because of one field.
func expectRefused(
    _ problem: Problem, _ field: String, _ code: FieldProblem.Code, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(problem.status == 400, "\(problem)", sourceLocation: sourceLocation)
    #expect(problem.code == .inputInvalid, sourceLocation: sourceLocation)
    #expect(problem.errors?.map(\.field) == [field], "\(problem)", sourceLocation: sourceLocation)
    #expect(problem.errors?.map(\.code) == [code], "\(problem)", sourceLocation: sourceLocation)
}

extension TestService {
    /// How many rows each table of the tenant has, to see that nothing was stored.
    func rowCounts() async throws -> [String: Int] {
        let tables = try await database.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
            .split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        let counts = try await database.run(
            tables.map { "SELECT '\($0)', COUNT(*) FROM `\($0)`;" }.joined(separator: "\n"))
        return Dictionary(
            uniqueKeysWithValues: counts.split(separator: "\n").map { line in
                let parts = line.split(separator: "\t")
                return (String(parts[0]), Int(parts[1]) ?? -1)
            })
    }
}
