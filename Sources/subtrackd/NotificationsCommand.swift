import ArgumentParser
import SubTrackServer

/// `subtrackd notifications`
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Looks after the reminders of tenants.",
        subcommands: [Status.self, Retry.self])

    /// `subtrackd notifications status`
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells how the reminders of each tenant stand.",
            discussion: """
                Looks find the reminders that are due; a look that is late by more than a minute or two means that no service \
                runs. A mail waits until the mail program takes it, for three days at most. Exit codes: 0 told, 64 usage, 69 a \
                tenant cannot be read, 78 configuration.
                """)

        @Option(help: "One tenant; all unless given.") var tenant: String?
        @Flag(help: "As JSON.") var json = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            let all = try await options.withTenants { [tenant] in try await $0.notificationStatus(of: tenant) }
            if json {
                try TenantCommand.printJSON(all)
            } else {
                for one in all { print("\(one.tenant)\t\(one.words)") }
            }
            guard all.allSatisfy({ $0.problem == nil }) else { throw Exit.unavailable }
        }
    }

    /// `subtrackd notifications retry`
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has the mails of reminders that wait tried soon.",
            discussion: """
                For a mail server that works again: a refused mail is tried later and later otherwise. The service tries them \
                in two minutes, when none can be under way. A tenant whose database is away is named and left out. A suspended \
                tenant sends no mails. Exit codes: 0 done, 64 usage, 69 a tenant was left out, 78 configuration.
                """)

        @Option(help: "One tenant; all unless given.") var tenant: String?
        @OptionGroup var options: TenantOptions

        func run() async throws {
            let all = try await options.withTenants { [tenant] in try await $0.retryNotifications(of: tenant) }
            for one in all { if let problem = one.problem { Exit.say("\(one.tenant): left out: \(problem)") } }
            print(NotificationRetry.words(all))
            guard all.allSatisfy({ $0.problem == nil }) else { throw Exit.unavailable }
        }
    }
}
