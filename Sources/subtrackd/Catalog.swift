import ArgumentParser

/// `subtrackd catalog`
struct Catalog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads catalogues of plans.", subcommands: [])
}
