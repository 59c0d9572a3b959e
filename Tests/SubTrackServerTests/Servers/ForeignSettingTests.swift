import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The service on servers with other people's settings, with accounts that have no more rights than the service asks for.
///
/// `script/servers` runs all of it on each version, and writes the table of the documentation from
/// `SUBTRACKIT_SERVERS_REPORT`. Without that variable `script/test --full` tries one combination.
@Suite("Servers with foreign settings", .serialized, .tags(.otherMariaDB), .ownTime)
struct ForeignSettingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let report = environment["SUBTRACKIT_SERVERS_REPORT"].flatMap { $0.isEmpty ? nil : $0 }
    private static let server = environment["SUBTRACKIT_SERVERS_NAME"]
    private static let isMySQL = ServicesServer.kind == .mysql
    private static let firstSeed = environment["SUBTRACKIT_SERVERS_SEED"].flatMap { UInt64($0) } ?? 1
    private static let combinations = environment["SUBTRACKIT_SERVERS_COMBINATIONS"].flatMap { UInt64($0) } ?? 1
    private static var settings: [ForeignSetting] {
        ForeignSetting.all.filter { (isMySQL ? $0.mySQL : $0.mariaDB) != nil }
    }

    @Test("one setting", .enabled(if: report != nil, "script/servers"), arguments: settings)
    func single(_ setting: ForeignSetting) async throws {
        let outcome = try await check([setting], name: setting.name)
        // A server without the variable has nothing to try.
        #expect(["holds", "refused", "–"].contains(outcome))
    }

    @Test(
        "several settings, drawn at random",
        .enabled(if: TestStage.full || report != nil, "script/test --full, script/servers: a server of its own"),
        arguments: firstSeed..<firstSeed + combinations)
    func combination(seed: UInt64) async throws {
        let settings = ForeignSetting.combination(seed: seed, isMySQL: Self.isMySQL)
        let outcome = try await check(
            settings, name: "seed \(seed): " + settings.map(\.name).joined(separator: ", "))
        #expect(["holds", "refused"].contains(outcome))
    }

    @Test("a server that cannot do is refused before anything is written")
    func refusal() async throws {
        let setting = try #require(ForeignSetting.all.first { $0.name.hasPrefix("read_only") })
        #expect(try await check([setting], name: setting.name) == "refused")
    }

    /// Tries settings on a server of its own.
    /// - Returns: the word of the table: `holds`, `refused`, `fails`, or `–` where the server has no such setting.
    private func check(_ settings: [ForeignSetting], name: String) async throws -> String {
        let arguments = settings.flatMap { (Self.isMySQL ? $0.mySQL : $0.mariaDB) ?? [] }
        let body: @Sendable (String) async throws -> String = { socket in try await check(settings, name, on: socket) }
        do {
            if Self.isMySQL {
                // As MySQL is by default: with a binary log.
                return try await MySQLServer.own(arguments: arguments, body)
            } else {
                return try await PrivateServer.own(configure: { $0.extraArguments = arguments }) {
                    try await body($0.socketPath)
                }
            }
        } catch {
            // It does not start, or ends: its version is known to the script alone.
            if let server = Self.server { try note(server, settings, name, "fails") }
            throw error
        }
    }

    private func check(_ settings: [ForeignSetting], _ name: String, on socket: String) async throws -> String {
        let version = try await root(socket, "SELECT VERSION()").prefix { $0.isNumber || $0 == "." }
        let known = try await root(socket, "SHOW GLOBAL VARIABLES").split(separator: "\n")
            .compactMap { $0.split(separator: "\t").first.map(String.init) }
        let missing = settings.compactMap(\.variable).filter { !known.contains($0) }
        var outcome = "–"
        if missing.isEmpty || settings.count > 1 {
            try await ServicesServer.addAccounts(socket)
            do {
                outcome = try await seen(settings, on: socket)
            } catch {
                outcome = "fails"
                Issue.record("\(version), \(name): \(error)")
            }
        }
        try note((Self.isMySQL ? "MySQL " : "MariaDB ") + version, settings, name, outcome)
        return outcome
    }

    /// Runs the workload, or the commands that must refuse.
    private func seen(_ settings: [ForeignSetting], on socket: String) async throws -> String {
        let statements = settings.map(\.statements).joined()
        for setting in settings {
            guard case .refused(let naming) = setting.outcome else { continue }
            try await refused(naming, statements, on: socket)
            return "refused"
        }
        try await TestService.runAlone(
            at: "2026-02-10", onSocket: socket,
            prepare: { _ = try await root(socket, statements.replacing("{control}", with: $0.name)) }
        ) { service in
            try await ServerWorkload(service: service, histories: 1...3).run()
        }
        return "holds"
    }

    private func refused(_ naming: String, _ statements: String, on socket: String) async throws {
        let control = "test_refused"
        _ = try await root(socket, statements.replacing("{control}", with: control))
        // The service says the same and waits until the setting is mended.
        for command in ["doctor", "migrate"] {
            var failure: CommandFailure?
            do {
                try await Command.run(
                    "timeout", ["60", try ServiceProcess.executable(), command],
                    environment: ServicesServer.environment(socketPath: socket, control: control))
            } catch let error as CommandFailure {
                failure = error
            }
            guard let failure, failure.output.contains(naming) else {
                throw ServerWorkload.Deviation(
                    description: "\(command) does not say \(naming): \(failure?.description ?? "it succeeded")")
            }
            let made = try await root(socket, "SHOW DATABASES LIKE '\(control)%'")
            guard made.isEmpty else {
                throw ServerWorkload.Deviation(description: "\(command) leaves databases behind: \(made)")
            }
        }
    }

    private func root(_ socket: String, _ statements: String) async throws -> String {
        try await Command.run(
            "mariadb",
            [
                "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(socket)", "--user=root", "--batch",
                "--skip-column-names",
            ],
            input: statements)
    }

    /// Writes a cell of the table.
    private func note(_ server: String, _ settings: [ForeignSetting], _ name: String, _ outcome: String) throws {
        guard let path = Self.report else { return }
        let line = "\(server)\t\(settings.count > 1 ? "combination" : "setting")\t\(name)\t\(outcome)\n"
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        try FileHandle(fileDescriptor: file).write(contentsOf: Data(line.utf8))
    }
}
