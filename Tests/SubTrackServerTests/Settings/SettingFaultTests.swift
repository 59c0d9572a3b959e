import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What an operator reads of faults: all of them, each by the name that stands where it is to be mended.
@Suite("Faults of the configuration", .ownTime)
struct SettingFaultTests {
    /// What `config check` and `serve` say of a configuration file and some arguments.
    private func output(
        of file: String, _ arguments: [String] = [], command: [String] = ["config", "check"], in folder: URL
    ) async throws -> (code: Int, output: String) {
        let path = folder.path + "/settings.json"
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        do {
            return (
                0,
                try await Command.run(
                    try ServiceProcess.executable(), command + ["--config-file", path] + arguments)
            )
        } catch let failure as CommandFailure {
            return (failure.end.firstMatch(of: #/\d+/#).flatMap { Int($0.0) } ?? -1, failure.output)
        }
    }

    @Test("An unknown key hides no other fault, of the file, the environment and flags; each is told by its own name")
    func all() async throws {
        try await ServiceProcess.withFolder { folder in
            let file = """
                {"databaseConections": 3, "databaseConnections": 0, "httpListen": "x", "publicUrl": "y", "logLevel": "loud",
                 "socketListen": "z:z:z", "trustedProxies": "q", "forwardedHeader": "r", "mailsPerHour": 0, "sendmail": [1],
                 "databaseUrl": "mysql://nobody", "tlsKeyFile": "/k", "databasePasswordFile": "/nonexistent/p",
                 "publicMetrics": "s"}
                """
            for command in [["config", "check"], ["serve"]] {
                let (code, output) = try await output(
                    of: file, ["--free-wrong-passwords", "0"], command: command, in: folder)
                #expect(code == 78, "\(output)")
                let path = folder.path + "/settings.json"
                for words in [
                    "databaseConections (did you mean databaseConnections?)",
                    "databaseConnections in \(path) must be from 1 to 1000", "(httpListen in \(path))",
                    "(publicUrl in \(path))", "logLevel in \(path) must be one of", "(socketListen in \(path))",
                    "(trustedProxies in \(path))", "forwardedHeader in \(path) must be",
                    "publicMetrics in \(path) must be yes or no",
                    "mailsPerHour in \(path) must be",
                    "sendmail must be a text", "(databaseUrl in \(path))", "tlsKeyFile in \(path) is set alone",
                    "(databasePasswordFile in \(path))",
                    "--free-wrong-passwords or SUBTRACKIT_FREE_WRONG_PASSWORDS must be",
                ] { #expect(output.contains(words), "\(words): \(output)") }
                for name in [
                    "SUBTRACKIT_DATABASE_CONNECTIONS", "SUBTRACKIT_MAILS_PER_HOUR", "SUBTRACKIT_FORWARDED_HEADER",
                ] {
                    #expect(!output.contains(name), "\(name) is set nowhere: \(output)")
                }
            }
            let broken = try await output(of: "{", ["--http-listen", "x"], in: folder)
            #expect(broken.code == 78 && broken.output.contains("127.0.0.1:8080"), "\(broken)")
            let twice = try await output(
                of: "{\"migratorPassword\": \"a\", \"migratorPasswordFile\": \"/b\", \"colour\": 1}", in: folder)
            #expect(twice.output.contains("colour") && twice.output.contains("are both set"), "\(twice)")
            #expect(twice.output.contains("migratorPassword in \(folder.path)"), "\(twice)")
        }
    }

    @Test("A password that a file holds is shown as the file's, not as the service's or none")
    func origins() async throws {
        try await ServiceProcess.withFolder { folder in
            let secret = folder.path + "/secret"
            #expect(
                FileManager.default.createFile(
                    atPath: secret, contents: Data("hush".utf8), attributes: [.posixPermissions: 0o600]))
            let (code, shown) = try await output(
                of: "{\"databasePassword\": \"hush-1\"}",
                [
                    "--database-url", "mysql://a@b/subtrackit", "--migrator-url", "mysql://m@b/subtrackit",
                    "--migrator-password-file", secret,
                ], in: folder)
            #expect(code == 0, "\(shown)")
            #expect(shown.contains(#/migratorPassword +that of migratorPasswordFile  \(default\)/#), "\(shown)")
            #expect(shown.contains(#/databasePasswordFile +none, databasePassword is set  \(default\)/#), "\(shown)")
            #expect(!shown.contains("hush"))
            let (_, plain) = try await output(of: "{}", in: folder)
            #expect(plain.contains(#/migratorPassword +the service's  \(default\)/#), "\(plain)")
        }
    }

    @Test("A byte order mark, CRLF, empty values and keys, duplicates, and settings without effect are read or told")
    func oddFiles() async throws {
        try await ServiceProcess.withFolder { folder in
            let bom = try await output(of: "\u{FEFF}{\r\n\"httpListen\": \"127.0.0.1:1\"\r\n}\r\n", in: folder)
            #expect(bom.code == 0 && bom.output.contains(#/httpListen +127.0.0.1:1  \(file\)/#), "\(bom)")
            #expect(bom.output.hasSuffix("The configuration can be used.\n"), "the verdict is last: \(bom)")
            let twice = try await output(of: "{\r\n\"logLevel\": \"info\",\r\n \"logLevel\": \"debug\"}", in: folder)
            #expect(twice.code == 78 && twice.output.contains("settings.json: line 3, column "), "\(twice)")
            #expect(twice.output.contains("the name \"logLevel\" is there twice"), "\(twice)")
            let empty = try await output(of: "{\"httpListen\": \"\", \"databasePassword\": \"x\"}", in: folder)
            #expect(empty.code == 0 && empty.output.contains("setting httpListen: it is empty in"), "\(empty)")
            #expect(empty.output.contains("setting databaseUrl: it is missing"), "\(empty)")
            #expect(empty.output.contains("has no use for databasePassword in"), "\(empty)")
            let list = try await output(of: "[]", in: folder)
            #expect(list.output.contains("settings.json: line 1, column 1: the file must be an object"), "\(list)")

            func password(_ bytes: [UInt8]) async throws -> (code: Int, output: String) {
                let path = folder.path + "/password"
                try Data(bytes).write(to: URL(filePath: path))
                return try await output(
                    of: "{\"databaseUrl\": \"mysql://a@b/subtrackit\"}", ["--database-password-file", path], in: folder)
            }
            for (text, words) in [("", "is empty"), ("\r\n", "is empty"), ("a\nb\n", "has several lines")] {
                let refused = try await password(Array(text.utf8))
                #expect(refused.code == 78 && refused.output.contains(words), "\(refused)")
            }
            #expect(try await password([0xFF, 0xFE]).output.contains("is not in UTF-8"))
            let path = folder.path + "/password"
            #expect(try await password(Array("\u{FEFF}hush\r\n".utf8)).code == 0)
            #expect(try PasswordFile.read(path, what: "password") == "hush")

            // Two faults are two lines of the program's.
            let faults = try await output(of: "{\"httpListen\": \"x\", \"colour\": 1}", in: folder)
            #expect(faults.output.matches(of: #/(?m)^subtrackd: /#).count == 2, "\(faults)")
            let missing = try? await Command.run(
                try ServiceProcess.executable(), ["config", "check", "--config-file", folder.path])
            #expect(missing == nil)
        }
    }

    @Test("A configuration that everybody can change is named, and a file that two settings name is named once")
    func changeable() async throws {
        try await ServiceProcess.withFolder { folder in
            chmod(folder.path, 0o755)
            let path = folder.path + "/settings.json"
            _ = try await output(of: "{}", in: folder)
            chmod(path, 0o646)
            let open = try await output(of: "{}", in: folder)
            #expect(
                open.output.contains("everybody on this machine can change the configuration (mode 646)"), "\(open)")
            #expect(open.output.contains("chmod 644 '\(path)'"), "\(open)")
            let secret = folder.path + "/secret"
            try Data("hush".utf8).write(to: URL(filePath: secret))
            chmod(secret, 0o644)
            let once = try await output(
                of: "{}",
                [
                    "--database-url", "mysql://a@b/subtrackit", "--migrator-url", "mysql://m@b/subtrackit",
                    "--database-password-file", secret, "--migrator-password-file", secret,
                ], in: folder)
            #expect(once.output.matches(of: #/chmod 640/#).count == 1, "\(once)")
        }
    }

    @Test("Files of passwords and keys that everybody can read are named, with the statement that mends it")
    func readable() async throws {
        try await ServiceProcess.withFolder { folder in
            func file(_ name: String, _ mode: Int) throws -> String {
                let path = folder.path + "/" + name
                try Data("hush".utf8).write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                return path
            }
            chmod(folder.path, 0o755)
            let (open, closed) = (try file("open", 0o644), try file("closed", 0o640))
            let url = ["--database-url", "mysql://a@b/subtrackit", "--migrator-url", "mysql://m@b/subtrackit"]
            let (code, output) = try await output(
                of: "{}", url + ["--database-password-file", open, "--migrator-password-file", closed], in: folder)
            #expect(
                code == 0 && output.contains("everybody on this machine can read the password of the database's user"))
            #expect(output.contains("chmod 640 '\(open)'") && !output.contains(closed + ":"), "\(output)")
            // A configuration with a password in it, a folder of passwords, a private key.
            var settings = ServiceSettings(stateDirectory: folder)
            settings.tls = TLSFiles(certificate: open, key: try file("key", 0o604))
            settings.serverPasswords = folder.appending(path: "passwords")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "passwords"), withIntermediateDirectories: true)
            _ = try file("passwords/db2", 0o646)
            let found = settings.localFindings.map(\.description).joined(separator: "\n")
            #expect(
                found.contains("private key") && found.contains("read and change the password of a database server"))
            let (_, configuration) = try await self.output(of: "{\"databasePassword\": \"x\"}", url, in: folder)
            #expect(configuration.contains("can read the databasePassword of the configuration"), "\(configuration)")
            // A folder that others may not enter protects what is in it.
            chmod(folder.path, 0o700)
            #expect(settings.localFindings.isEmpty)
        }
    }
}
