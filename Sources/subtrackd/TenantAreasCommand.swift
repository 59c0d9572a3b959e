import ArgumentParser
import SubTrackServer

extension TenantCommand {
    /// `subtrackd tenant areas`
    struct Areas: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the areas of a tenant, or switches them on and off.",
            discussion: """
                An area is a part of the service, such as subscriptions. Some are on in every tenant, others as the operator \
                decides. --enable makes the tables of an area first, with the migrator's account; cut off in the middle, the \
                same command completes it. --disable hides an area and keeps its data: its operations answer 404 area_off. \
                Running services follow within five seconds.
                """)
        @Argument(help: "The tenant.") var slug: String
        @Option(help: "Areas to switch on, with commas between them; may be given again.") var enable: [String] = []
        @Option(help: "Areas to switch off, with commas between them; may be given again.") var disable: [String] = []
        @Flag(help: "As JSON.") var json = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            let (enabling, disabling) = (AreaNames.all(in: enable), AreaNames.all(in: disable))
            try await options.withTenants { [slug, json] tenants in
                let areas =
                    enabling.isEmpty && disabling.isEmpty
                    ? try await tenants.areas(of: slug)
                    : try await tenants.setAreas(slug, enabling: enabling, disabling: disabling)
                guard !json else { return try TenantCommand.printJSON(areas) }
                for area in areas { print("\(area.name)\t\(Self.words(for: area))") }
            }
        }

        private static func words(for area: TenantAdministration.AreaState) -> String {
            guard !area.isFixed else { return "always on" }
            return (area.isOn ? "on" : "off") + (area.isDecided ? "" : ", as every tenant unless you decide otherwise")
        }
    }
}

/// Names of areas as they are typed: with commas between them.
enum AreaNames {
    /// The names in some options.
    static func all(in options: [String]) -> [String] {
        options.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }
}
