import ArgumentParser
import SubTrackKit

/// A command that works on a person's data.
protocol SessionCommand: AsyncParsableCommand {
    /// Where the data are.
    var home: Home { get }
    /// Whether its work introduces itself.
    var introducesItself: Bool { get }
    /// Does the work; its errors are told in words.
    func run(_ session: Session) async throws
}

extension SessionCommand {
    var introducesItself: Bool { false }

    func run() async throws {
        try await perform {
            let session = try Session(home)
            do {
                try await run(session)
            } catch {
                if !introducesItself { try session.introduce() }
                throw error
            }
            if !introducesItself { try session.introduce() }
        }
    }
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
