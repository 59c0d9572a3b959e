import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Mails through programs that others wrote: msmtp hands them to aiosmtpd.
@Suite("Mails by SMTP", .ownTime)
struct SMTPTests {
    /// A Python that has aiosmtpd, in the environment that `script/lib/python.sh` makes; nil where there is none.
    static let python: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let isThere = versions.contains {
            FileManager.default.fileExists(atPath: "\(library)/\($0)/site-packages/aiosmtpd")
        }
        return isThere && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let msmtp: String? = ["/usr/bin/msmtp", "/usr/local/bin/msmtp", "/opt/homebrew/bin/msmtp"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Takes mails, but refuses the first few for the time being; writes each with its envelope to a file, and beside it
    /// what Python's own parser makes of it.
    private static let sink = """
        import email, email.policy, json, os, socket, sys
        from aiosmtpd.controller import Controller
        folder, refused = sys.argv[1], int(sys.argv[2])
        def write(name, data):
            with open(os.path.join(folder, "part"), "wb") as file: file.write(data)
            os.rename(os.path.join(folder, "part"), os.path.join(folder, name))
        def parsed(data):
            mail = email.message_from_bytes(data, policy=email.policy.default)
            text, html = mail.get_body(("plain",)), mail.get_body(("html",))
            parts = [mail, text, html] + [mail[name] for name in mail.keys()]
            return {"subject": mail["subject"], "from": mail["from"], "to": mail["to"],
                    "text": text.get_content(), "html": html.get_content(),
                    "defects": [str(defect) for part in parts for defect in part.defects]}
        class Handler:
            count = 0
            async def handle_DATA(self, server, session, envelope):
                Handler.count += 1
                if Handler.count <= refused: return "451 4.3.0 come back later"
                name = f"{Handler.count:03}"
                write(name + ".json", json.dumps(parsed(envelope.content)).encode())
                line = f"{envelope.mail_from} {' '.join(envelope.rcpt_tos)}\\n"
                write(name + ".mail", line.encode() + envelope.content)
                return "250 OK"
        controller = Controller(Handler(), hostname="127.0.0.1", port=0, enable_SMTPUTF8=True)
        def port(): return controller.server.sockets[0].getsockname()[1]
        # The controller greets its server to see that it lives, at port 0 unless told.
        controller._trigger_server = lambda: socket.create_connection(("127.0.0.1", port()), 5).close()
        controller.start()
        write("port", str(port()).encode())
        sys.stdin.read()
        controller.stop()
        """

    /// What the sink has made of a mail.
    private struct Parsed: Decodable {
        let subject: String
        let from: String
        let to: String
        let text: String
        let html: String
        let defects: [String]
    }

    /// Runs a service alone whose mails go by msmtp to aiosmtpd.
    /// - Parameters:
    ///   - refusals: how many mails are refused at first.
    ///   - body: gets the folder of the mails that came.
    private func withSink(
        refusing refusals: Int, _ body: (TestService, _ folder: URL) async throws -> Void
    ) async throws {
        try await withProgram(refusing: refusals) { program, folder in
            var mail = MailSettings()
            mail.program = try MailProgram(program)
            mail.sender = try MailSender("noreply@subs.example")
            mail.publicURL = "https://subs.example"
            mail.sweep = .milliseconds(50)
            let settings = mail
            try await TestService.runAlone(configure: { $0.mail = settings }) { try await body($0, folder) }
        }
    }

    /// Lends a command of msmtp that leads to aiosmtpd.
    /// - Parameters:
    ///   - refusals: how many mails are refused at first.
    ///   - body: gets the command, and the folder of the mails that came.
    private func withProgram(
        refusing refusals: Int, _ body: (_ program: String, _ folder: URL) async throws -> Void
    ) async throws {
        let python = try #require(Self.python)
        let msmtp = try #require(Self.msmtp)
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = Process()
        server.executableURL = URL(fileURLWithPath: python)
        server.arguments = ["-c", Self.sink, folder.path, String(refusals)]
        let input = Pipe()
        server.standardInput = input
        try server.run()
        defer {
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
        }
        let portFile = folder.appending(path: "port")
        try await eventually("the SMTP server listens") {
            FileManager.default.fileExists(atPath: portFile.path)
        }
        let port = try String(contentsOf: portFile, encoding: .utf8)
        try await body("\(msmtp) --file=/dev/null --host=127.0.0.1 --port=\(port)", folder)
    }

    private static func files(_ ending: String, in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
            .map { folder.appending(path: $0) }
    }

    @Test(
        "A refused mail comes by the next attempt, whole; an international address too",
        .enabled(if: python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python (script/test makes it)")
    )
    func delivery() async throws {
        try await withSink(refusing: 1) { service, folder in
            try await service.newUser().register("ada@example.org")
            try await eventually("the first attempt was refused") {
                try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Attempts = 1") == "1\n"
                    && service.log.lines.contains { $0.message.contains("was not handed over") }
            }
            try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
            try await service.newUser().register("用户@例子.广告")
            try await eventually("both came") { try Self.files(".mail", in: folder).count == 2 }
            let all = try Self.files(".mail", in: folder).map { try String(contentsOf: $0, encoding: .utf8) }
            let ascii = try #require(all.first { $0.hasPrefix("noreply@subs.example ada@example.org\n") })
            let international = try #require(all.first { $0.hasPrefix("noreply@subs.example 用户@例子.广告\n") })
            for mail in [ascii, international] {
                let source = mail.split(separator: "\n", maxSplits: 1)[1].replacing("\r\n", with: "\n").replacing(
                    "\n", with: "\r\n")
                let parsed = MailFolder.Mail(arguments: [], source: String(source))
                let token = try #require(parsed.token)
                #expect(parsed.header("Subject") == "Confirm your e-mail address")
                try await service.client.call(VerifyEmail(token: token))
            }
        }
    }

    @Test(
        "subtrackd mail test tells the refusal of the mail server, and sends a mail that others can read",
        .enabled(if: python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python (script/test makes it)")
    )
    func command() async throws {
        let executable = try ServiceProcess.executable()
        try await withProgram(refusing: 1) { program, folder in
            let arguments = [
                "mail", "test", "ada@example.org", "--sendmail", program, "--mail-from", "noreply@subs.example",
                "--public-url", "https://subs.example",
            ]
            do {
                let said = try await Command.run(executable, arguments)
                Issue.record("it was taken: \(said)")
            } catch let failure as CommandFailure {
                #expect(failure.end.contains("69") && failure.output.contains("come back later"), "\(failure)")
            }
            let said = try await Command.run(executable, arguments)
            #expect(said.contains("took a test mail to ada@example.org"), "\(said)")
            try await eventually("it came") { try Self.files(".mail", in: folder).count == 1 }
            let file = try #require(try Self.files(".json", in: folder).first)
            let mail = try JSONDecoder().decode(Parsed.self, from: Data(contentsOf: file))
            #expect(mail.defects == [] && mail.subject == "SubTrackIt: test mail" && mail.to == "ada@example.org")
            #expect(mail.from == "SubTrackIt <noreply@subs.example>")
            #expect(mail.text.contains("Links in mails begin with https://subs.example."))
            #expect(mail.html.contains("<p>Links in mails begin with https://subs.example.</p>"))
        }
    }

    /// Set `SUBTRACKIT_MAIL_SAMPLES` to a folder, and the mails are there afterwards to be looked at.
    @Test(
        "Each mail in each language arrives as it was written, by a parser of others: subject, text and HTML",
        .enabled(if: python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python (script/test makes it)")
    )
    func everyMail() async throws {
        try await withSink(refusing: 0) { service, folder in
            func came() throws -> [Parsed] {
                try Self.files(".json", in: folder).map {
                    try JSONDecoder().decode(Parsed.self, from: Data(contentsOf: $0))
                }
            }
            for language in MailLanguage.allCases {
                let email = "ada.\(language.rawValue)@example.org"
                try await service.newUser().register(email)
                try await eventually("the mail of the registration came") { try came().contains { $0.to == email } }
                for kind in MailKind.allCases {
                    let detail = [
                        MailKind.newDevice: "Ada's <Pixel 9> & Tablet", .emailChanged: "lovelace@example.org",
                    ][kind]
                    try await service.database.run(
                        """
                        INSERT INTO Mail (Mail_ID, Kind, Email, Detail, Language, Expires_at)
                        VALUES (RANDOM_BYTES(16), '\(kind.rawValue)', '\(email)',
                                \(detail.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"), '\(language.rawValue)',
                                UTC_TIMESTAMP() + INTERVAL 1 HOUR)
                        """)
                }
            }
            try await eventually("all came") {
                try came().count == MailLanguage.allCases.count * (1 + MailKind.allCases.count)
            }
            for language in MailLanguage.allCases {
                let email = "ada.\(language.rawValue)@example.org"
                for kind in MailKind.allCases {
                    let detail = [
                        MailKind.newDevice: "Ada's <Pixel 9> & Tablet", .emailChanged: "lovelace@example.org",
                    ][kind]
                    let plain = MailText(kind, language, email: email, detail: detail)
                    let mail = try #require(
                        try came().first { $0.to == email && $0.subject == plain.subject }, "\(kind) \(language)")
                    #expect(mail.defects == [] && mail.from == "SubTrackIt <noreply@subs.example>")
                    let token = mail.text.firstMatch(of: #/sub_[A-Za-z0-9_-]{43}/#).map { String($0.0) }
                    #expect((token != nil) == (kind.purpose != nil))
                    let link = token.map { "https://subs.example/account/\(kind.purpose?.rawValue ?? "")#token=\($0)" }
                    let whole = MailText(kind, language, email: email, detail: detail, link: link, token: token)
                    #expect(mail.text == whole.plain && mail.html == whole.html)
                }
            }
            if let samples = ProcessInfo.processInfo.environment["SUBTRACKIT_MAIL_SAMPLES"] {
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.contains(".") {
                    try FileManager.default.copyItem(atPath: folder.path + "/" + file, toPath: samples + "/" + file)
                }
            }
        }
    }
}
