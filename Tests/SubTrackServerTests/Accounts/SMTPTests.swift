import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Mails that reach a mail server that others wrote, by the service itself and by msmtp.
@Suite("Mails by SMTP", .ownTime)
struct SMTPTests {
    static let msmtp: String? = ["/usr/bin/msmtp", "/usr/local/bin/msmtp", "/opt/homebrew/bin/msmtp"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// A way to a sink.
    enum Way: String, CaseIterable, Sendable {
        /// The program msmtp, which hands it to the sink.
        case program
        /// The service itself.
        case server

        /// The flags of `subtrackd` for it.
        func arguments(_ sink: MailSink) throws -> [String] {
            switch self {
            case .program:
                [
                    "--sendmail",
                    "\(try #require(SMTPTests.msmtp)) --file=/dev/null --host=127.0.0.1 --port=\(sink.port)",
                ]
            case .server: ["--smtp-url", "smtp://127.0.0.1:\(sink.port)", "--smtp-tls", "none"]
            }
        }

        func carrier(_ sink: MailSink) throws -> any MailCarrier {
            switch self {
            case .program: try MailProgram(try arguments(sink)[1])
            case .server: try MailServer(try arguments(sink)[1], isPlain: true, password: nil)
            }
        }
    }

    /// Runs a service alone whose mails go to a sink.
    private func withSink(
        by way: Way, refusing refusals: Int, _ body: (TestService, MailSink) async throws -> Void
    ) async throws {
        try await MailSink.with("--refuse", "\(refusals)") { sink in
            let settings = try MailSink.settings(try way.carrier(sink))
            try await TestService.runAlone(configure: { $0.mail = settings }) { try await body($0, sink) }
        }
    }

    @Test(
        "A refused mail comes by the next attempt, whole; an international address too",
        .enabled(if: MailSink.python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python"),
        arguments: Way.allCases)
    func delivery(way: Way) async throws {
        try await withSink(by: way, refusing: 1) { service, sink in
            try await service.newUser().register("ada@example.org")
            try await eventually("the first attempt was refused") {
                try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Attempts = 1") == "1\n"
                    && service.log.lines.contains { $0.message.contains("was not handed over") }
            }
            try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
            try await service.newUser().register("用户@例子.广告")
            try await eventually("both came") { try sink.files(".mail").count == 2 }
            let all = try sink.sources()
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
        .enabled(if: MailSink.python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python"),
        arguments: Way.allCases)
    func command(way: Way) async throws {
        let executable = try ServiceProcess.executable()
        try await MailSink.with("--refuse", "1") { sink in
            let arguments =
                [
                    "mail", "test", "ada@example.org", "--mail-from", "noreply@subs.example", "--public-url",
                    "https://subs.example",
                ] + (try way.arguments(sink))
            do {
                let said = try await Command.run(executable, arguments)
                Issue.record("it was taken: \(said)")
            } catch let failure as CommandFailure {
                #expect(failure.end.contains("69") && failure.output.contains("come back later"), "\(failure)")
            }
            let said = try await Command.run(executable, arguments)
            #expect(said.contains("took a test mail to ada@example.org"), "\(said)")
            try await eventually("it came") { try sink.files(".mail").count == 1 }
            let mail = try #require(try sink.mails().first)
            #expect(mail.defects == [] && mail.subject == "SubTrackIt: test mail" && mail.to == "ada@example.org")
            #expect(mail.from == "SubTrackIt <noreply@subs.example>")
            #expect(mail.text.contains("Links in mails begin with https://subs.example."))
            #expect(mail.html.contains("<p>Links in mails begin with https://subs.example.</p>"))
        }
    }

    /// Set `SUBTRACKIT_MAIL_SAMPLES` to a folder, and the mails are there afterwards to be looked at.
    @Test(
        "Each mail in each language arrives as it was written, by a parser of others: subject, text and HTML",
        .enabled(if: MailSink.python != nil, MailSink.want))
    func everyMail() async throws {
        try await withSink(by: .server, refusing: 0) { service, sink in
            for language in MailLanguage.allCases {
                let email = "ada.\(language.rawValue)@example.org"
                try await service.newUser().register(email)
                try await eventually("the mail of the registration came") {
                    try sink.mails().contains { $0.to == email }
                }
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
                try sink.mails().count == MailLanguage.allCases.count * (1 + MailKind.allCases.count)
            }
            for language in MailLanguage.allCases {
                let email = "ada.\(language.rawValue)@example.org"
                for kind in MailKind.allCases {
                    let detail = [
                        MailKind.newDevice: "Ada's <Pixel 9> & Tablet", .emailChanged: "lovelace@example.org",
                    ][kind]
                    let plain = MailText(kind, language, email: email, detail: detail)
                    let mail = try #require(
                        try sink.mails().first { $0.to == email && $0.subject == plain.subject }, "\(kind) \(language)")
                    #expect(mail.defects == [] && mail.from == "SubTrackIt <noreply@subs.example>")
                    let token = mail.text.firstMatch(of: #/sub_[A-Za-z0-9_-]{43}/#).map { String($0.0) }
                    #expect((token != nil) == (kind.purpose != nil))
                    let link = token.map { "https://subs.example/account/\(kind.purpose?.rawValue ?? "")#token=\($0)" }
                    let whole = MailText(kind, language, email: email, detail: detail, link: link, token: token)
                    #expect(mail.text == whole.plain && mail.html == whole.html)
                }
            }
            if let samples = ProcessInfo.processInfo.environment["SUBTRACKIT_MAIL_SAMPLES"] {
                for file in try FileManager.default.contentsOfDirectory(atPath: sink.folder.path)
                where file.contains(".") {
                    try FileManager.default.copyItem(
                        atPath: sink.folder.path + "/" + file, toPath: samples + "/" + file)
                }
            }
        }
    }
}
