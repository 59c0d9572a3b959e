import Foundation
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// A mail server that others wrote: aiosmtpd, run by `Tests/Python/mail_sink.py`.
struct MailSink: Sendable {
    /// What the sink has made of a mail.
    struct Mail: Decodable {
        let subject: String
        let from: String
        let to: String
        let text: String
        let html: String
        let defects: [String]
        let connection: Int
        let isEncrypted: Bool
        let user: String?
        let greeting: String
    }

    /// A Python that has aiosmtpd; nil where there is none.
    static let python = PythonTools.python(with: "aiosmtpd")

    /// The reason of a test that is skipped.
    static let want: Comment = "wants aiosmtpd in .build-python (script/test makes it)"

    let folder: URL
    let port: String

    /// Lends a sink.
    static func with<Result: Sendable>(
        _ arguments: String..., body: (MailSink) async throws -> Result
    ) async throws -> Result {
        try await PythonServer.with("mail_sink.py", by: try #require(Self.python), arguments) { folder, port in
            try await body(MailSink(folder: folder, port: port))
        }
    }

    /// The mails as they came, each after a line with its sender and recipients.
    func sources() throws -> [String] {
        try files(".mail").map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// The mails as the sink reads them.
    func mails() throws -> [Mail] {
        try files(".json").map { try JSONDecoder().decode(Mail.self, from: Data(contentsOf: $0)) }
    }

    /// The commands of clients.
    var commands: [String] {
        (try? String(contentsOf: folder.appending(path: "commands"), encoding: .utf8))?.split(separator: "\n").map(
            String.init) ?? []
    }

    func files(_ ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix("part-") }.sorted().map { folder.appending(path: $0) }
    }

    /// The settings of a service whose mails leave by a carrier.
    static func settings(_ carrier: any MailCarrier) throws -> MailSettings {
        var mail = MailSettings()
        mail.carrier = carrier
        mail.sender = try MailSender("noreply@subs.example")
        mail.publicURL = "https://subs.example"
        mail.sweep = .milliseconds(50)
        return mail
    }
}
