import Foundation
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// The commands of the program as an operator runs them. One at a time: some start a database of their own.
@Suite("Commands of subtrackd as processes", .serialized, .ownTime)
struct CommandProcessTests {
    @Test("An output that nobody reads, or that has no room, ends an export with its code and without a crash")
    func lostOutput() async throws {
        let server = try await PrivateServer.shared
        let program = try ServiceProcess.executable()
        try await TestDatabase.leaseControl { control in
            let database = ["--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)"]
            try await Command.run(program, ["migrate"] + database)
            func failure(_ script: String) async throws -> CommandFailure {
                try await #require(throws: CommandFailure.self) {
                    try await Command.run("bash", ["-c", "set -o pipefail; \(script)", program] + database)
                }
            }
            let closed = try await failure(#""$0" catalog export "$@" | true"#)
            #expect(closed.end.contains("141") && !closed.output.contains("subtrackd:"), "\(closed)")
            guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
            let full = try await failure(#""$0" catalog export "$@" >/dev/full"#)
            #expect(full.end.contains("69") && full.output.contains("cannot be written: No space left"), "\(full)")
        }
    }

    @Test("subtrackd migrate says what it did, and the second time that all is up to date; sql reads standard input")
    func migrate() async throws {
        let server = try await PrivateServer.shared
        let program = try ServiceProcess.executable()
        try await TestDatabase.leaseControl { control in
            let database = ["--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)"]
            let first = try await Command.run(program, ["migrate"] + database)
            #expect(first.contains(#/default: \d+ files applied/#), "\(first)")
            let second = try await Command.run(program, ["migrate"] + database)
            #expect(second.contains("default: up to date"), "\(second)")
            let printed = try await Command.run(
                program, ["sql"] + database, input: "SELECT COUNT(*) FROM Country;\nSELECT DATABASE();\n")
            #expect(printed.contains("249") && printed.contains("\(control.name)_default"), "\(printed)")
            try await ServiceProcess.withFolder { folder in
                let nowhere = "mysql://root@localhost/x?socket=\(folder.path)/none"
                try await ServiceProcess.run(["migrate", "--database-url", nowhere], in: folder) { process in
                    let code = try await process.exit()
                    #expect(code == 69, "\(process.output)")
                }
            }
        }
    }

    @Test("subtrackd sql fails where a statement of a sourced file fails, and runs nothing behind it")
    func sourced() async throws { try await runSourced(environment: [:]) }

    @Test(
        "subtrackd sql does so with MySQL's client as well, and ends with its exit code",
        .enabled(if: MySQLServer.tree != nil, Comment(rawValue: MySQLServer.skipped)))
    func sourcedByMySQL() async throws {
        let tree = try #require(MySQLServer.tree)
        try await ServiceProcess.withFolder { folder in
            // No mariadb is found here. The launcher of the tree's client needs a few programs.
            var programs = ["mysql": tree + "/launch/mysql"]
            for name in ["bash", "dirname", "readlink", "env"] { programs[name] = "/usr/bin/" + name }
            for (name, target) in programs {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: name).path, withDestinationPath: target)
            }
            // MariaDB's accounts need a plugin, which the client looks for where Debian installs it.
            try await runSourced(
                environment: ["PATH": folder.path, "LIBMYSQL_PLUGIN_DIR": tree + "/usr/lib/mysql/plugin"])
        }
    }

    /// Has a client run a file whose second statement fails.
    private func runSourced(environment: [String: String]) async throws {
        let server = try await PrivateServer.shared
        let program = try ServiceProcess.executable()
        try await TestDatabase.leaseControl { control in
            let database = ["--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)"]
            _ = try await Command.run(program, ["migrate"] + database)
            try await ServiceProcess.withFolder { folder in
                let path = folder.appending(path: "plans.sql").path
                try "SELECT 41 + 1;\nSELECT Nothing FROM Plan;\nSELECT 'behind';\n"
                    .write(toFile: path, atomically: true, encoding: .utf8)
                for (arguments, input) in [(["-e", "source \(path)"], ""), ([], "source \(path)\nSELECT 'behind';\n")] {
                    let failure = await #expect(throws: CommandFailure.self, "\(arguments)") {
                        _ = try await Command.run(
                            program, ["sql"] + arguments + database, environment: environment, input: input)
                    }
                    #expect(
                        failure?.end == "exit code 1" && failure?.output.contains("Unknown column 'Nothing'") == true)
                    #expect(failure?.output.contains("42") == true && failure?.output.contains("behind") == false)
                }
            }
        }
    }

    @Test(
        "Usage is exit code 64, configuration 78, and both say what is wrong",
        arguments: [
            (["serve", "--no-such-flag"], 64, "no-such-flag"), (["nonsense", "x"], 64, "nonsense"),
            (["serve", "--database-connections", "many"], 64, "many"), (["sql", "--tenant"], 64, "tenant"),
            (["serve", "--http-listen", "nowhere"], 78, "nowhere"),
            (["serve", "--http-listen", "127.0.0.1:70000"], 78, "70000"),
            (["serve", "--http-listen", "300.0.0.1:8080"], 78, "neither an IP address nor a name"),
            (["serve", "--http-listen", "no.such.host.invalid:8080"], 78, "neither an IP address nor a name"),
            (["serve", "--http-listen", "192.0.2.1:8080"], 69, "no such address"),
            (["serve", "--database-url", "postgres://x/y"], 78, "mysql://"),
            (["serve", "--database-url", "mysql://root:secret@localhost/x"], 78, "password"),
            (["serve", "--database-url", "mysql://root@localhost/Bad-Name"], 78, "small letters"),
            (
                ["serve", "--database-url", "mysql://root@localhost/x", "--database-password-file", "/nonexistent/p"],
                78, "/nonexistent/p"
            ),
            (["serve", "--database-connections", "0"], 78, "1000"), (["sql", "--tenant", "A;B"], 78, "small letters"),
        ] as [([String], Int32, String)])
    func exitCodes(arguments: [String], code: Int32, word: String) async throws {
        try await ServiceProcess.withFolder { folder in
            let all =
                ["nonsense"].contains(arguments[0]) ? arguments : arguments + ["--state-dir", folder.path + "/state"]
            try await ServiceProcess.run(arguments.last == "--tenant" ? arguments : all, in: folder) { process in
                let found = try await process.exit()
                #expect(found == code, "\(process.output)")
                #expect(process.output.contains(word), "\(process.output)")
                #expect(!process.output.contains("secret"))
            }
        }
    }

    @Test(
        "In a folder without a database no command but serve makes one, and each says where it looked",
        arguments: [
            ["doctor"], ["migrate"], ["sql", "-e", "SELECT 1"], ["seed", "--users", "1"], ["tenant", "list"],
            ["backup", "copy"], ["catalog", "export"], ["catalog", "import", "prices.json"],
            ["catalog", "diff", "plans.csv"], ["rates", "import", "eurofxref.csv"],
        ])
    func makesNoDatabase(command: [String]) async throws {
        try await ServiceProcess.withFolder { folder in
            try Data("Date,USD\n2026-01-28,1.25\n".utf8).write(to: folder.appending(path: "eurofxref.csv"))
            try Data("[]".utf8).write(to: folder.appending(path: "prices.json"))
            let columns = "provider,plan,country,currency,fee,duration\n"
            try Data(columns.utf8).write(to: folder.appending(path: "plans.csv"))
            let files = ["eurofxref.csv", "prices.json", "plans.csv"]
            let arguments = command.map { files.contains($0) ? folder.appending(path: $0).path : $0 }
            try await ServiceProcess.run(arguments, in: folder) { process in
                let code = try await process.exit()
                #expect(code == 69, "\(process.output)")
                #expect(process.output.contains("there is no database in /"), "\(process.output)")
                for word in ["/.subtrackit;", "--state-dir", "SUBTRACKIT_STATE_DIR", "--database-url"] {
                    #expect(process.output.contains(word), "\(process.output)")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: ".subtrackit").path))
        }
    }

    @Test(
        "Help is complete, and exit code 0",
        arguments: [["--help"], ["serve", "--help"], ["sql", "--help"], ["--version"]])
    func help(arguments: [String]) async throws {
        let output = try await Command.run(try ServiceProcess.executable(), arguments)
        #expect(!output.isEmpty)
        if arguments.first == "serve" {
            // Lines are broken between words.
            let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for setting in Setting.allCases {
                guard let flag = setting.flag else { continue }
                #expect(words.contains("\(flag) <"))
                #expect(words.contains("[\(setting.variable)] (default: \(setting.standard))"), "\(setting)")
            }
        }
    }
}
