import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Settings: flags before environment before file, and nothing that nobody knows.
@Suite("Settings", .ownTime)
struct SettingTests {
    private func sources(
        environment: [String: String] = [:], file: String? = nil
    ) async throws -> SettingSources {
        try await ServiceProcess.withFolder { folder in
            var environment = environment
            if let file {
                let path = folder.path + "/settings.json"
                try Data(file.utf8).write(to: URL(fileURLWithPath: path))
                environment["SUBTRACKIT_CONFIG_FILE"] = path
            }
            return try SettingSources(environment: environment)
        }
    }

    @Test("The names are those of the contract")
    func names() {
        #expect(Setting.httpListen.flag == "--http-listen" && Setting.httpListen.variable == "SUBTRACKIT_HTTP_LISTEN")
        #expect(Setting.databaseCaFile.variable == "SUBTRACKIT_DATABASE_CA_FILE")
        #expect(Setting.signInsPerMinute.variable == "SUBTRACKIT_SIGN_INS_PER_MINUTE")
        #expect(Setting.migratorPasswordFile.flag == "--migrator-password-file")
        #expect(Setting.databasePassword.flag == nil, "arguments can be read by everybody on the machine")
    }

    @Test("A flag wins over the environment, and that over the file")
    func order() async throws {
        let sources = try await sources(
            environment: ["SUBTRACKIT_HTTP_LISTEN": "b:2", "SUBTRACKIT_PUBLIC_URL": ""],
            file: "{\"httpListen\": \"c:3\", \"publicUrl\": \"https://c\", \"databaseConnections\": 7}")
        #expect(try sources.text(.httpListen, flag: "a:1") == "a:1")
        #expect(try sources.text(.httpListen) == "b:2")
        #expect(try sources.text(.publicUrl) == "https://c")
        #expect(try sources.text(.databaseConnections) == "7")
        #expect(try sources.value(.databaseConnections)?.origin == .file)
        #expect(try sources.text(.sendmail) == nil)
    }

    @Test("What nobody knows is an error, and named")
    func unknown() async throws {
        func message(_ environment: [String: String] = [:], _ file: String? = nil) async -> String {
            do {
                _ = try await sources(environment: environment, file: file)
                return ""
            } catch { return "\(error)" }
        }
        let both = await message(["SUBTRACKIT_HTTP_LISTN": "x"], "{\"databaseurl\": \"x\", \"colour\": 1}")
        #expect(both.contains("SUBTRACKIT_HTTP_LISTN (did you mean SUBTRACKIT_HTTP_LISTEN?)"), "\(both)")
        #expect(both.contains("databaseurl (did you mean databaseUrl?), colour"), "\(both)")
        #expect(!both.contains("colour (did"), "\(both)")
        #expect(await message([:], "{\"httpListen\": 1, \"httpListen\": 2}") != "")
        #expect(await message([:], "[]") != "")
        #expect(await message([:], "{") != "")
        #expect(await message(["SUBTRACKIT_CONFIG_FILE": "/nonexistent"]).contains("/nonexistent"))
        // A service of that name in Kubernetes.
        #expect(await message(["SUBTRACKIT_SERVICE_HOST": "x", "SUBTRACKIT_PORT_8080_TCP": "y", "PATH": "z"]) == "")
        for wrong in ["true", "[1]", "{\"a\": 1}", "1.5"] {
            await #expect(throws: SettingsError.self, "\(wrong)") {
                _ = try await sources(file: "{\"httpListen\": \(wrong)}").text(.httpListen)
            }
        }
    }

    @Test("Mails that come from this machine alone, or lead back to it, are said where the settings are looked at")
    func mailFindings() async throws {
        var mail = MailSettings()
        #expect(mail.findings.isEmpty, "no mail is sent")
        mail.carrier = try MailProgram("/bin/true")
        #expect(mail.findings.map(\.remedy?.description).compactMap(\.self).joined().contains("--mail-from"))
        #expect(mail.findings.contains { $0.text.contains("noreply@localhost") })
        mail.publicURL = "http://localhost:8080"
        #expect(mail.findings.map(\.text).joined().contains("noreply@localhost"))
        mail.sender = try MailSender("Subs <noreply@example.org>")
        #expect(mail.findings.isEmpty)
        mail.sender = nil
        mail.publicURL = "https://subs.example.org"
        #expect(mail.findings.isEmpty)
        #expect(try mail.resolvedSender() == MailSender("noreply@subs.example.org"))

        let program = try ServiceProcess.executable()
        let shown = try await Command.run(program, ["config", "check", "--sendmail", "/bin/true"])
        #expect(shown.contains("noreply@localhost") && shown.contains("--mail-from") && shown.contains("can be used"))
        let named = try await Command.run(
            program, ["config", "check", "--sendmail", "/bin/true", "--public-url", "https://subs.example.org"])
        #expect(!named.contains("warning"), "\(named)")
    }

    @Test("All that is wrong is said at once")
    func allFaults() async throws {
        let program = try ServiceProcess.executable()
        for command in [["config", "check"], ["serve"]] {
            do {
                _ = try await Command.run(
                    program,
                    command + [
                        "--http-listen", "x", "--database-connections", "0", "--public-url", "y", "--tls-key-file",
                        "/z",
                        "--database-url", "mysql://nobody", "--database-statements", "1", "--migrator-url", "ftp://x",
                        "--free-wrong-passwords", "0", "--trusted-proxies", "q",
                        "--forwarded-header", "r",
                    ])
                Issue.record("it passed")
            } catch let failure as CommandFailure {
                #expect(failure.end.contains("78"), "\(failure)")
                for word in [
                    "127.0.0.1:8080", "CONNECTIONS must be from 1 to 1000, is \"0\"", "STATEMENTS must be from 100",
                    "https://subs.example.org", "together", "names no user",
                    "1 to 1000000", "\"q\"", "\"r\"", "must look like mysql://",
                ] { #expect(failure.output.contains(word), "\(word): \(failure.output)") }
            }
        }
    }

    @Test("A password in a URL is refused and not shown, and a file of certificates must have some")
    func misplaced() async throws {
        try await ServiceProcess.withFolder { folder in
            let empty = folder.path + "/ca.pem"
            try Data().write(to: URL(fileURLWithPath: empty))
            do {
                _ = try await Command.run(
                    try ServiceProcess.executable(),
                    ["config", "check", "--database-url", "mysql://me:hush-3@db.example.org/x", "--log-level", "info"])
                Issue.record("it passed")
            } catch let failure as CommandFailure {
                #expect(!failure.output.contains("hush-3") && failure.output.contains("--database-password-file"))
                #expect(failure.output.contains("mysql://me:***@db.example.org/x"), "\(failure.output)")
            }
            do {
                _ = try await Command.run(
                    try ServiceProcess.executable(), ["config", "check", "--database-ca-file", empty])
                Issue.record("it passed")
            } catch let failure as CommandFailure {
                #expect(failure.output.contains("has none: \(empty)"), "\(failure.output)")
            }
        }
    }

    @Test("Host names are those of RFC 1123")
    func hosts() throws {
        #expect(try TenantName.checked(host: "Acme.Example-1.org") == "acme.example-1.org")
        for wrong in [
            "", ".", "a..b", ".a", "a.", "-a.b", "a-.b", "a.-b", "a_b", "a b", "a:80", "ä.org",
            String(repeating: "a", count: 64) + ".org", Array(repeating: "abcdefg.", count: 33).joined() + "org",
        ] { #expect(throws: SettingsError.self, "\(wrong)") { try TenantName.checked(host: wrong) } }
    }

    @Test("config check shows where each value comes from, no secret, and what is wrong")
    func check() async throws {
        try await ServiceProcess.withFolder { folder in
            let file = folder.path + "/settings.json"
            try Data("{\"databasePassword\": \"hush-1\", \"httpListen\": \"127.0.0.1:9\"}".utf8)
                .write(to: URL(fileURLWithPath: file))
            let program = try ServiceProcess.executable()
            let shown = try await Command.run(
                program, ["config", "check", "--config-file", file, "--log-level", "debug"],
                environment: ["SUBTRACKIT_MIGRATOR_PASSWORD": "hush-2"])
            #expect(!shown.contains("hush") && shown.contains("***"))
            #expect(shown.contains(#/httpListen +127.0.0.1:9  \(file\)/#), "\(shown)")
            #expect(shown.contains(#/logLevel +debug  \(flag\)/#) && shown.contains(#/sendmail +none  \(default\)/#))
            #expect(shown.contains(#/devicesPerHour +600  \(default\)/#))
            for (arguments, word) in [
                (["--database-connections", "0"], "1 to 1000"), (["--http-listen", "x"], "127.0.0.1:8080"),
                (["--tls-key-file", "/x"], "together"),
                (["--database-connections", "500", "--database-statements", "400"], "no less than"),
                (["--database-password-file", "/nonexistent/p"], "/nonexistent/p"),
                (["--migrator-url", "mysql://a@b/subtrackit"], "--database-url"),
            ] {
                do {
                    _ = try await Command.run(program, ["config", "check"] + arguments)
                    Issue.record("it passed: \(arguments)")
                } catch let failure as CommandFailure {
                    #expect(failure.end.contains("78") && failure.output.contains(word), "\(failure)")
                }
            }
        }
    }
}
