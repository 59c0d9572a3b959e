import SubTrackTestSupport
import Testing

/// What is derived from one place in another, and must agree with it.
enum DerivedFacts {
    /// Records an issue for each fact that does not hold in a database.
    static func check(in database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let facts = try Dependencies.read().derived
        var script = ""
        for (index, fact) in facts.enumerated() { script += "SELECT '@@fact \(index)';\n\(fact.query);\n" }
        let output = try await database.run(script)
        var current = 0
        var rows: [Int: [Substring]] = [:]
        for line in output.split(separator: "\n") {
            if let index = line.dropping("@@fact ").flatMap({ Int($0) }) {
                current = index
            } else {
                rows[current, default: []].append(line)
            }
        }
        for (index, against) in rows.sorted(by: { $0.key < $1.key }) {
            Issue.record(
                "not so: \(facts[index].fact)\n\(against.prefix(5).joined(separator: "\n"))",
                sourceLocation: sourceLocation)
        }
    }
}
