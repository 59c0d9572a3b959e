import ArgumentParser
import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackServer

/// `subtrackd sql`
struct SQLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Opens the mariadb client on a tenant's database.",
        discussion: """
            Statements also come from standard input. There, and with -e, the first statement that fails ends the client, \
            also one of a file that source names. Without the mariadb client, mysql takes its place. The embedded database \
            is used while the service runs, and started for as long as the client runs where it does not. The exit code is \
            the client's: 0 done, 1 a statement failed or the server refused, 128 and the number of the signal that ended \
            it. Where no client was started: 64 usage, 69 something needed is unavailable, 78 configuration.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The tenant whose database to open.")
    var tenant = "default"

    @Option(name: .customShort("e"), help: "A statement to run, in place of a session.")
    var execute: String?

    func run() async throws {
        try await Exit.reporting {
            let settings = try database.settings()
            _ = try TenantName.checked(slug: tenant)
            let code = try await Commands.withPreparedDatabase(settings) { access in
                // As the control database has it: a restored or moved tenant has another database than its first one.
                let place = try await TenantPlace.find(tenant, on: access, logger: Commands.logger)
                return try await client(place, ca: settings.databaseCA)
            }
            guard code == 0 else { throw ExitCode(code) }
        }
    }

    /// Runs the client and waits for it.
    /// - Returns: its exit code.
    private func client(_ place: TenantPlace, ca: String? = nil) async throws -> Int32 {
        var arguments = ["--no-defaults", "--default-character-set=utf8mb4", "--user=\(place.user)"]
        switch place.endpoint {
        case .unix(let path): arguments.append("--socket=\(path)")
        case .tcp(let host, let port): arguments += ["--protocol=tcp", "--host=\(host)", "--port=\(port)"]
        }
        // Each statement is kept once it is done, and does what it says, whatever the server's defaults are.
        arguments.append("--init-command=\(MariaDBConfiguration.Session.statementForOtherClients)")
        let mariadb = Self.find("mariadb")
        guard let program = mariadb ?? Self.find("mysql") else {
            throw Unavailable("the mariadb client is not installed; on Debian: apt-get install mariadb-client-core")
        }
        if let ca {
            arguments += ["--ssl-ca=\(ca)", "--ssl-verify-server-cert"]
        } else if mariadb != nil {
            // As the service itself: MariaDB's client verifies unasked from 11.4 on, and refuses a server without TLS.
            arguments.append("--disable-ssl-verify-server-cert")
        }
        // Without it that client goes on behind a failed statement of a sourced file, and ends with 0. In a session it may go on.
        if mariadb != nil, execute != nil || isatty(STDIN_FILENO) == 0 { arguments.append("--abort-source-on-error") }
        // MySQL's client of 9.7 takes "source" for SQL without it. Older ones do not know the option.
        if mariadb == nil, try await Self.knows("--commands", program) { arguments.append("--commands") }
        if let execute { arguments.append("--execute=\(execute)") }
        arguments.append(place.database)
        var environment = ProcessInfo.processInfo.environment
        // Arguments can be seen by everybody on the machine; the environment only by the same user.
        if let password = place.password { environment["MYSQL_PWD"] = password }
        // In the foreground: the terminal and its Ctrl-C are the client's.
        signal(SIGINT, SIG_IGN)
        switch try await ChildProcess.spawnInForeground(program, arguments, environment: environment).exit() {
        case .exited(let code): return code
        case .signalled(let signal): return 128 + signal
        case .unknown, nil: return 1
        }
    }

    /// Whether a client knows an option. It ends with 2 at one that it does not know, and with 1 where no server is.
    private static func knows(_ option: String, _ program: String) async throws -> Bool {
        try await ChildProcess.spawn(
            program, ["--no-defaults", option, "--protocol=socket", "--socket=/dev/null"],
            environment: ProcessInfo.processInfo.environment
        ).exit() == .exited(1)
    }

    private static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
