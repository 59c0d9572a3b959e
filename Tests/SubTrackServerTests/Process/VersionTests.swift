import Foundation
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// A report of a fault begins with what this prints.
@Suite("The version", .ownTime)
struct VersionTests {
    @Test("The first line is the version alone; build, system and client follow; JSON has the same")
    func report() async throws {
        let program = try ServiceProcess.executable()
        let lines = try await Command.run(program, ["version"]).split(separator: "\n").map(String.init)
        #expect(lines.first == ServiceVersion.text)
        #expect(try await Command.run(program, ["--version"]) == ServiceVersion.text + "\n")
        let json = try await Command.run(program, ["version", "--json"])
        let report = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        #expect(Set(report.keys) == ["version", "build", "system", "databaseClient"])
        for (name, value) in report where name != "version" {
            #expect(lines.contains { $0.hasSuffix(" " + value) }, "\(name): \(value)")
        }
        #expect(report["databaseClient"]?.contains(#/libmariadb \d+\.\d+/#) == true)
        #expect(report["system"]?.contains("Linux") == true || report["system"]?.contains("Darwin") == true)
    }
}
