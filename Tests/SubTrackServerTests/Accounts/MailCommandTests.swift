import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// `subtrackd mail test` with a program that takes mails as sendmail does.
@Suite("Command for mails", .ownTime)
struct MailCommandTests {
    @Test("subtrackd mail test hands a mail to the program, and tells its refusal")
    func program() async throws {
        let executable = try ServiceProcess.executable()
        try await MailFolder.with { mails in
            let arguments = [
                "mail", "test", "ada@example.org", "--sendmail", mails.folder.path + "/program", "--public-url",
                "https://subs.example/app",
            ]
            let said = try await Command.run(executable, arguments)
            #expect(said.contains("to ada@example.org, from SubTrackIt <noreply@subs.example>"), "\(said)")
            let mail = try #require(try mails.mails().first)
            #expect(mail.arguments == ["-i", "-f", "noreply@subs.example", "--", "ada@example.org"])
            #expect(mail.header("subject") == "SubTrackIt: test mail")
            #expect(mail.part("text/plain").contains("Links in mails begin with https://subs.example/app."))
            try mails.refuse(true)
            do {
                let said = try await Command.run(executable, arguments)
                Issue.record("it was taken: \(said)")
            } catch let failure as CommandFailure {
                #expect(failure.end.contains("69") && failure.output.contains("cannot reach the mail server"))
            }
            #expect(try mails.mails().count == 1)
        }
    }

    @Test(
        "Without a program, or to no address, subtrackd mail test names the setting",
        arguments: [
            (["ada@example.org"], "--sendmail"), (["nobody", "--sendmail", "/bin/true"], "ada@example.org"),
        ] as [([String], String)])
    func refused(arguments: [String], word: String) async throws {
        do {
            let said = try await Command.run(try ServiceProcess.executable(), ["mail", "test"] + arguments)
            Issue.record("it was taken: \(said)")
        } catch let failure as CommandFailure {
            #expect(failure.end.contains("78") && failure.output.contains(word), "\(failure)")
        }
    }
}
