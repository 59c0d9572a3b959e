import ArgumentParser
import SubTrackKit

/// A command that works on a person's data.
protocol SessionCommand: AsyncParsableCommand {
    /// Where the data are.
    var home: Home { get }
    /// Whether its work introduces itself.
    var introducesItself: Bool { get }
    /// The address of the account that the command names; nil: it names none.
    var account: String? { get }
    /// The names of the fields that it sends.
    static var fieldNames: FieldNames { get }
    /// Does the work; its errors are told in words.
    func run(_ session: Session) async throws
}

extension SessionCommand {
    var introducesItself: Bool { false }
    var account: String? { nil }
    static var fieldNames: FieldNames { .of(configuration.commandName) }

    func run() async throws {
        try await perform {
            let session = try opened()
            do {
                try await run(session)
            } catch {
                if !introducesItself { try session.introduce() }
                throw failure(error, account ?? (try? session.kit.user().accounts.first?.email))
            }
            if !introducesItself { try session.introduce() }
        }
    }

    /// The session, opened.
    private func opened() throws -> Session {
        do {
            return try Session(home)
        } catch {
            throw failure(error, account)
        }
    }

    /// An error whose remedies can be run as they stand.
    /// - Parameter email: the address of the account.
    private func failure(_ error: any Error, _ email: String?) -> any Error {
        guard let known = error as? KitError else { return error }
        return Failure(known, names: Self.fieldNames).replacing("EMAIL", with: email)
            .replacing("ADDRESS", with: home.address)
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
