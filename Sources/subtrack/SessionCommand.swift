import ArgumentParser
import SubTrackKit

/// A command that works on a person's data.
protocol SessionCommand: AsyncParsableCommand {
    /// Where the data are.
    var home: Home { get }
    /// Does the work; its errors are told in words.
    func run(_ session: Session) async throws
}

extension SessionCommand {
    func run() async throws { try await perform { try await run(Session(home)) } }
}

/// The one subscription that a command is about: options of every such command.
struct Chosen: ParsableArguments {
    @OptionGroup var home: Home
    @Argument(help: "Part of its name, or of its id.") var words: [String]
}

/// A command about one subscription.
protocol ChosenCommand: SessionCommand {
    var chosen: Chosen { get }
}

extension ChosenCommand {
    var home: Home { chosen.home }
    var words: [String] { chosen.words }
}
