import ArgumentParser
import SubTrackServer

/// The service and the commands for those who operate it.
@main
struct Subtrackd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subtrackd",
        abstract: "Keeps track of what people keep paying for.",
        version: ServiceVersion.text,
        subcommands: [
            Serve.self, Migrate.self, SQLCommand.self, Catalog.self, Rates.self, Seed.self, TenantCommand.self,
            Backup.self, Restore.self, DoctorCommand.self, MailCommand.self, NotificationsCommand.self, Config.self,
            VersionCommand.self,
        ],
        defaultSubcommand: Serve.self)

    /// Runs the command that was typed.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try CommandPath.check(arguments, in: Self.self)
        } catch {
            Exit.say("subtrackd: \(error)")
            exit(withError: ExitCode.validationFailure)
        }
        await main(arguments)
    }
}
