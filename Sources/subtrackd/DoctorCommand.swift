import ArgumentParser
import Foundation
import SubTrackServer

/// `subtrackd doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks whether the database servers are as the service needs them.",
        discussion: """
            It signs in as the service and as the migrator, and looks at versions, settings, rights that are missing or too \
            many, binary logging, TLS, clocks, limits, tenants and mail. It takes the flags of serve, and looks at the \
            certificate that the service shows. Then it proves on each server that the service can \
            work there: the migrator makes a scratch database beside the tenants', the service writes a row of each kind, \
            renews and is refused what is wrong, and the database is dropped, also on Ctrl-C. No tenant is touched. What is \
            not as it should be is said with the statement that mends it. Exit codes: 0 no problem, 64 usage, 69 the server \
            cannot be reached, or it was interrupted, 78 a problem.
            """)

    @OptionGroup var serve: ServeOptions
    @Option(
        help: """
            A server to look at although no tenant is on it yet: mysql://user@host:3306, as for tenant create, import and \
            move. May be given again.
            """)
    var server: [String] = []
    @Flag(help: "As JSON.") var json = false
    @Flag(inversion: .prefixedNo, help: "Make a scratch tenant on each server, and try there what the service does.")
    var proof = true
    @Flag(help: "Print the GRANTs of the accounts in place of all that; nothing is connected to.") var grants = false

    func run() async throws {
        try await Exit.reporting {
            var problems = SettingsProblems()
            let sources = serve.database.sources(&problems)
            // A mail program that is missing hides nothing of the servers.
            var others = SettingsProblems()
            let settings = try serve.settings(sources, &others, ofDatabase: &problems).service
            if !problems.isEmpty { problems.add(others) }
            try problems.check()
            var local = others.findings + settings.mail.findings + settings.localFindings
            if let certificate = settings.certificateFinding,
                !local.contains(where: { $0.subject == certificate.subject })
            {
                local.append(certificate)
            }
            if grants { return try printGrants(settings) }
            local.append(try await settings.mail.carrierFinding())
            let findings = try await Interruption.cancelling { [proof, server, settings, local] in
                try await Commands.withDatabase(settings) { access in
                    var doctor = SubTrackServer.Doctor(access: access, logger: Commands.silent)
                    doctor.proves = proof
                    doctor.furtherServers = try server.map { try doctor.checked(server: $0) }.compactMap(\.self)
                    doctor.onWaiting = { Exit.say("subtrackd: \($0)") }
                    let findings = await doctor.findings()
                    try Task.checkCancellation()
                    return findings + local
                }
            }
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                print(String(decoding: try encoder.encode(findings), as: UTF8.self))
            } else {
                for line in Finding.lines(findings) { print(line) }
            }
            let severe = findings.filter { $0.level == .problem }
            if severe.contains(where: { $0.subject.hasPrefix("server ") }) { throw Exit.unavailable }
            if !severe.isEmpty { throw Exit.configuration }
        }
    }

    private func printGrants(_ settings: ServiceSettings) throws {
        guard let url = settings.database else {
            throw SettingsError("the embedded database needs no GRANTs; give --database-url")
        }
        for (user, isMigrator) in [(settings.migrator?.user, true), (url.user, settings.migrator == nil)] {
            guard let user else { continue }
            let account = "'\(user.replacing("'", with: "''"))'@'%'"
            for line in GrantStatements.statements(
                isMigrator: isMigrator, control: url.controlDatabase, account: account)
            {
                print(line)
            }
        }
    }
}
