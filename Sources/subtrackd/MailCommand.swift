import ArgumentParser
import Foundation
import SubTrackServer

/// `subtrackd mail`
struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Looks after the service's mails.", subcommands: [Test.self])

    /// `subtrackd mail test`
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a test mail by the service's mail program or mail server.",
            discussion: """
                It takes the settings of serve, and connects to no database. The mail is handed to the program \
                (--sendmail) or the server (--smtp-url) at once; what takes it may still have it in a queue of its own. Exit \
                codes: 0 it took the mail, 64 usage, 69 it did not, 78 configuration.
                """)

        @Argument(help: "The recipient: ada@example.org.")
        var address: String

        @OptionGroup var database: DatabaseOptions
        @OptionGroup var accounts: AccountOptions

        func run() async throws {
            try await Exit.reporting {
                var problems = SettingsProblems()
                let sources = database.sources(&problems)
                var settings = try database.settings(listen: .default, sources, &problems)
                try accounts.apply(to: &settings, sources, &problems)
                try problems.check()
                for finding in settings.mail.findings { Exit.say("\(finding)") }
                let mail = try MailTest(settings.mail, to: address)
                // A program that ends before it has read its mail is not the end of this one.
                signal(SIGPIPE, SIG_IGN)
                try await mail.send()
                print(
                    "\(mail.carrierName.prefix(1).uppercased())\(mail.carrierName.dropFirst()) took a test mail to \(address), from \(mail.sender)."
                )
            }
        }
    }
}
