import Foundation
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// The settings of a mail server, by the commands that take them.
@Suite("Settings of a mail server", .ownTime)
struct MailServerSettingTests {
    private static func output(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) async throws -> (code: Bool, text: String) {
        do {
            let text = try await Command.run(
                "env", environment.map { "\($0)=\($1)" } + [try ServiceProcess.executable()] + arguments)
            return (true, text)
        } catch let failure as CommandFailure {
            return (false, failure.output)
        }
    }

    @Test("Faults name the setting, and no password is shown")
    func faults() async throws {
        try await ServiceProcess.withFolder { folder in
            let file = folder.appending(path: "password")
            try Data("s3cret\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let url = ["--smtp-url", "smtps://ada@mail.example"]
            for (arguments, words) in [
                (url, "has a user and no password: give --smtp-password-file"),
                (["--smtp-url", "smtps://mail.example", "--smtp-password-file", file.path], "a password and no user"),
                (
                    url + ["--smtp-password-file", file.path, "--sendmail", "/bin/true"],
                    "are both set; use one of them"
                ),
                (["--smtp-url", "smtp://mail.example", "--smtp-tls", "none"], "only a mail server on this machine"),
                (["--smtp-url", "smtp://localhost", "--smtp-tls", "no"], "must be required or none, is \"no\""),
                (["--smtp-url", "smtp://ada:s3cret@mail.example"], "has a password: put it into a file"),
                (url + ["--smtp-password-file", folder.path + "/none"], "cannot be read"),
                (["--smtp-password-file", file.path], "a password of a mail server is set, and no mail server"),
                (["--smtp-tls", "none"], "--smtp-tls or SUBTRACKIT_SMTP_TLS is set, and no mail server"),
                (["--smtp-url", "smtps://a%0Ab@mail.example", "--smtp-password-file", file.path], "control character"),
            ] {
                let said = try await Self.output(["config", "check"] + arguments, in: folder)
                #expect(!said.code && said.text.contains(words), "\(words): \(said.text)")
                #expect(!said.text.contains("s3cret"), "\(said.text)")
            }
            let good = try await Self.output(
                ["config", "check"] + url + ["--smtp-password-file", file.path], in: folder)
            #expect(good.code && good.text.contains("smtps://ada@mail.example"), "\(good.text)")
            #expect(!good.text.contains("s3cret"), "\(good.text)")
            let twice = try await Self.output(
                ["config", "check"] + url + ["--smtp-password-file", file.path], in: folder,
                environment: ["SUBTRACKIT_SMTP_PASSWORD": "s3cret"])
            #expect(!twice.code && twice.text.contains("are both set; use one of them"), "\(twice.text)")
        }
    }

    @Test("doctor connects to the mail server and signs in", .enabled(if: MailSink.python != nil, MailSink.want))
    func doctor() async throws {
        let server = try await PrivateServer.shared
        try await ServiceProcess.withFolder { folder in
            try await MailSink.with("--password", "right") { sink in
                try await TestDatabase.leaseControl { control in
                    func said(_ password: String) async throws -> String {
                        try await Self.output(
                            [
                                "doctor", "--no-proof", "--smtp-url", "smtp://ada@127.0.0.1:\(sink.port)", "--smtp-tls",
                                "none",
                                "--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)",
                            ], in: folder, environment: ["SUBTRACKIT_SMTP_PASSWORD": password]
                        ).text
                    }
                    let right = try await said("right")
                    #expect(right.contains("ok      mail: the mail server smtp://127.0.0.1:\(sink.port)\n"), "\(right)")
                    let wrong = try await said("wrong")
                    #expect(
                        wrong.contains(
                            "problem mail: the mail server smtp://127.0.0.1:\(sink.port) takes no mail: the server does not take the user and the password"
                        ),
                        "\(wrong)")
                    #expect(sink.commands.allSatisfy { !$0.hasPrefix("RCPT") })
                }
            }
        }
    }
}
