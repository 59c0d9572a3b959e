import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization

@testable import SubTrackKit

/// A person's terminal: a folder of data and a service.
struct TerminalHome: Sendable {
    var home: URL
    var server: String
    /// Variables of the environment beside those that every test sets.
    var more: [String: String] = [:]

    /// Runs a command.
    /// - Returns: what it wrote.
    /// - Throws: `CommandFailure` unless its exit code is 0.
    @discardableResult
    func run(_ arguments: String..., input: String = "") async throws -> String {
        try await run(arguments, input: input)
    }

    @discardableResult
    func run(_ arguments: [String], input: String = "") async throws -> String {
        try await Command.run(try Self.program(), arguments, environment: environment, input: input)
    }

    /// Runs a command that must fail.
    /// - Returns: what it wrote.
    func fail(_ arguments: String...) async throws -> String { try await fail(arguments) }

    func fail(_ arguments: [String], input: String = "") async throws -> String {
        do {
            let output = try await run(arguments, input: input)
            throw NeverHappened(description: "\(arguments) fails: \(output)")
        } catch let failure as CommandFailure {
            return "\(failure.end)\n\(failure.output)"
        }
    }

    var environment: [String: String] {
        [
            "SUBTRACK_HOME": home.path, "SUBTRACK_SERVER": server, "SUBTRACK_COUNTRY": "US",
            "SUBTRACK_TIME_ZONE": "UTC", "SUBTRACK_CA_FILE": "", "SSL_CERT_FILE": "",
        ].merging(more) { $1 }
    }

    static func program() throws -> String {
        let service = URL(fileURLWithPath: try ServiceProcess.executable())
        return service.deletingLastPathComponent().appendingPathComponent("subtrack").path
    }

    /// A kit on the same data.
    func kit() throws -> Kit {
        try Kit(.init(server: server, folder: home, deviceName: "x", country: "US", timeZone: "UTC"))
    }

    /// From now on it is noon of a day for the programs, as after a sync with a service whose clock says so.
    func setDay(_ today: CalendarDate) throws {
        let noon = Int64(today.daysSince1970) * 86_400 + 43_200
        try kit().store.set(.clockOffset, String(noon - Int64(Date().timeIntervalSince1970)))
    }
}

extension TerminalHome {
    /// Begins a command that is ended by a signal, or by itself.
    func start(_ arguments: [String]) throws -> ChildProcess {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let environment = Command.inherited.merging(environment) { $1 }
        return try ChildProcess.spawn(
            try Self.program(), arguments, environment: environment, input: null, output: null)
    }

    /// Runs a sync that is killed in the middle of an exchange.
    /// - Parameters:
    ///   - moment: where in it.
    ///   - start: how the request of the exchange begins.
    ///   - number: which of such requests.
    /// - Returns: whether it was killed; it was not where it made fewer requests.
    func killedSync(through door: Door, _ moment: Door.Moment, of start: String, number: Int = 1) async throws -> Bool {
        let child = Mutex<ChildProcess?>(nil)
        door.atOnce(moment, of: start, number: number) { child.withLock { $0?.signal(SIGKILL) } }
        try child.withLock { $0 = try self.start(["sync"]) }
        let process = child.withLock { $0 }
        let end = await process?.exit()
        door.atOnce(.request, of: "none", number: .max) {}
        return end == .signalled(SIGKILL)
    }
}
