import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import TestTraits
import Testing

@testable import enum subtrack.Exit

/// How commands of the terminal client end, as docs/use/terminal.md says.
@Suite("Exit codes", .ownTime)
struct ExitCodeTests {
    @Test("Errors of one kind end every command with one code")
    func kinds() {
        let fault = TLSFault(.noTLS, host: "x", authorities: nil, today: CalendarDate(daysSince1970: 0))
        let table: [(KitError, Int32)] = [
            (.offline(reason: "x", retryAfter: nil), 69), (.offline(reason: "x", retryAfter: 30), 75),
            (.nonsense("x"), 69), (.insecure(fault), 76), (.authorities(file: "x", isReadable: false), 66),
            (.authorities(file: "x", isReadable: true), 65), (.store("x"), 74), (.signedOut, 77),
            (.refused(Problem(.credentialsInvalid, "x")), 77), (.invalid(field: "fee", message: "x"), 64),
            (.refused(.input("fee", .range, "x")), 64), (.invalid(field: "", message: "x"), 1),
            (.refused(Problem(.statusConflict, "x")), 1), (.refused(Problem(.tooMany, "x")), 1), (.unknown("x"), 1),
            (.userDeleted, 1), (.newerStore, 1), (.otherServer("x"), 1), (.unsent(1), 1),
            (.onlyCopy, 1),
        ]
        for (error, code) in table { #expect(Exit.code(error).rawValue == code, "\(error)") }
    }

    /// Commands on data of their own, with a service that is away.
    static let table: [([String], Int)] = [
        (["list", "--no-such-option"], 64), (["nonsense"], 64), (["due", "-5"], 64), (["add"], 64),
        (["add", "Gym", "--every", "month"], 64), (["add", "Gym", "--every", "never", "--fee", "1"], 64),
        (["add", "Gym", "--fee", "1", "--every", "month", "--remind", "400"], 64),
        (["add", "Gym", "--fee", "1", "--every", "month", "--start", "2026-02-30"], 64), (["edit", "x"], 64),
        (["edit", "x", "--fee", "1", "--no-fee"], 64), (["me", "--country", "X1"], 64),
        (["me", "--time-zone", "Mars"], 64), (["sync", "--offline"], 64), (["logout", "--offline"], 64),
        (["login", "ada@example.org"], 64), (["register", "ada@example.org"], 64),
        (["import", "/nonexistent/file"], 65),
        (["import", "/dev/null"], 65), (["sync"], 69), (["plans", "x"], 69), (["add", "x", "--offline"], 69),
        (["move", "http://127.0.0.1:9"], 69), (["move", "http://"], 64), (["move", "http://", "--offline"], 64),
        (["sync", "--server", "http://exa mple"], 64), (["list", "--server", "ftp://example.org"], 64),
        (["help", "nonsense"], 64), (["help", "me", "nonsense"], 64), (["--offline", "nonsense"], 64),
        (["sync", "--ca-file", "/nonexistent/ca.pem"], 66), (["plans", "x", "--ca-file", "/nonexistent/ca.pem"], 66),
        (["sync", "--ca-file", "/dev/null"], 65), (["show", "x"], 1), (["renew", "x"], 1), (["restore", "x"], 1),
        (["contacts", "show", "x"], 1), (["contacts", "edit", "x"], 64), (["contacts", "add"], 64),
        (["contacts", "merge", "x", "y"], 1), (["contacts", "merge", "x", "y", "--offline"], 64),
        (["contacts", "import", "/dev/null"], 65), (["contacts", "one", "2", "3", "4", "5", "6", "7", "8", "9"], 64),
        (["contacts", "dates", "soon"], 64), (["contacts", "export", "--version", "5.0"], 64),
    ]

    @Test("Commands end with the code of their error", arguments: table)
    func commands(_ arguments: [String], _ code: Int) async throws {
        try await ServiceProcess.withFolder { folder in
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
            let said = try await home.fail(arguments)
            #expect(said.hasPrefix("exit code \(code)\n"), "\(said)")
        }
    }

    @Test("A wrong path or tenant in the address is no service: 69, and a change is kept")
    func wrongAddress() async throws {
        try await TestService.run { service in
            try await ServiceProcess.withFolder { folder in
                for (path, fault) in [
                    ("/wrong", "nothing at this path"), ("/t/nobody", "tenant"),
                    ("/t/default/v1", "nothing at this path"),
                ] {
                    let address = service.client.baseURL + path
                    let home = TerminalHome(home: folder.appendingPathComponent(path), server: address)
                    for command in [["sync"], ["plans", "x"], ["move", address]] {
                        let said = try await home.fail(command)
                        #expect(said.hasPrefix("exit code 69\n") && said.contains(fault), "\(command): \(said)")
                    }
                    #expect(try await home.fail(["sync"]).contains("--server says where the service is"))
                    let added = try await home.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month")
                    #expect(added.contains("Saved here; 1 change will be sent"), "\(added)")
                    var right = home
                    right.server = service.client.baseURL
                    #expect(try await right.run("sync").contains("1 sent"))
                }
            }
        }
    }

    @Test("A file of data that cannot be used ends a command with 74")
    func damaged() async throws {
        try await ServiceProcess.withFolder { folder in
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
            try FileManager.default.createDirectory(at: home.home, withIntermediateDirectories: true)
            try Data(repeating: 1, count: 8192).write(to: home.home.appendingPathComponent("subtrack.sqlite"))
            #expect(try await home.fail(["list", "--offline"]).hasPrefix("exit code 74\n"))
        }
    }
}
