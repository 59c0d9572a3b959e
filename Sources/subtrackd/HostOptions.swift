import ArgumentParser
import SubTrackServer

/// The setting of requests for hosts that no tenant has.
struct HostOptions: ParsableArguments {
    @Option(help: .of(.defaultTenant)) var defaultTenant: String?

    /// Puts the option, the environment or the file into settings.
    /// - Parameter problems: gets the fault of a name that is no tenant's.
    func apply(
        to settings: inout ServiceSettings, _ sources: SettingSources, _ problems: inout SettingsProblems
    ) throws {
        try problems.collect {
            settings.defaultTenant = try sources.read(.defaultTenant, flag: defaultTenant) {
                try TenantName.checked(slug: $0)
            }
        }
    }
}
