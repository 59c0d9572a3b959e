import ArgumentParser
import Foundation
import MariaDB
import SubTrackServer

/// Prints the program's version and what it runs on, for reports of faults.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version of this program, how it was built and what it runs on.",
        discussion: """
            A report of a fault needs these lines. The version alone is the first one, and what --version prints. \
            The versions of the database servers are in the output of doctor.
            """)

    @Flag(help: "Print JSON.")
    var json = false

    /// What a report of a fault needs of this program.
    private struct Report: Encodable {
        let version = ServiceVersion.text
        let build = Report.build
        let system = Report.system
        let databaseClient = "libmariadb \(ClientLibrary.version)"

        private static var build: String {
            #if DEBUG
                let configuration = "debug"
            #else
                let configuration = "release"
            #endif
            #if compiler(>=6.4)
                return "\(configuration), Swift 6.4 or newer"
            #elseif compiler(>=6.3)
                return "\(configuration), Swift 6.3"
            #else
                return "\(configuration), Swift 6.2"
            #endif
        }

        /// The system with its kernel and processor: `Debian GNU/Linux 12 (bookworm); Linux 6.1.0 x86_64`.
        private static var system: String {
            var name = utsname()
            guard uname(&name) == 0 else { return ProcessInfo.processInfo.operatingSystemVersionString }
            let kernel = [text(name.sysname), text(name.release), text(name.machine)].joined(separator: " ")
            return "\(ProcessInfo.processInfo.operatingSystemVersionString); \(kernel)"
        }

        /// The text of a field of the system's, which ends at a zero.
        private static func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }

    func run() throws {
        let report = Report()
        guard json else {
            return print(
                """
                \(report.version)
                build            \(report.build)
                system           \(report.system)
                database client  \(report.databaseClient)
                """)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
