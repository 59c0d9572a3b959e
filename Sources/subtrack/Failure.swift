import ArgumentParser
import SubTrackKit

/// An error with what to do about it.
struct Failure: Error, CustomStringConvertible {
    let message: String
    let hint: String?
    /// Whether the service is away, or something else that is needed.
    let isUnavailable: Bool

    init(_ message: String, hint: String? = nil, isUnavailable: Bool = false) {
        self.message = message
        self.hint = hint
        self.isUnavailable = isUnavailable
    }

    init(_ error: KitError) {
        let hint: String? =
            switch error {
            case .offline: "is the service running? --server says where it is"
            case .signedOut: "subtrack login"
            case .newerStore: "update subtrack"
            case .otherServer:
                "subtrack move ADDRESS, if that service has moved; --home FOLDER keeps the data of another one apart"
            case .unsent: "subtrack login sends them; subtrack logout --discard forgets them"
            case .nonsense: "--server says where the service is"
            default: nil
            }
        self.init("\(error)", hint: hint, isUnavailable: error.isTransient)
    }

    /// No plan is like what was typed.
    /// - Parameter reason: why the catalogue was not pulled, where that was tried.
    static func noPlan(_ text: String, in kit: Kit, because reason: KitError?) throws -> Failure {
        guard try kit.hasPulled() else {
            return reason.map { Failure($0) }
                ?? Failure("the catalogue is not here yet", hint: "subtrack sync", isUnavailable: true)
        }
        let name = text.isEmpty ? "NAME" : text
        return Failure(
            text.isEmpty ? "there are no plans" : "there is no plan like \"\(text)\"",
            hint: "subtrack add \(name) --fee 9.99 --currency USD --every month, for one of your own")
    }

    var description: String { hint.map { "\(message)\nTry: \($0)" } ?? message }
}

extension AsyncParsableCommand {
    /// Runs a command's work with errors told in words.
    func perform(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as KitError {
            try Self.tell(Failure(error))
        } catch let failure as Failure {
            try Self.tell(failure)
        }
    }

    private static func tell(_ failure: Failure) throws {
        Output.say("Error: \(failure)")
        throw failure.isUnavailable ? Exit.unavailable : ExitCode.failure
    }
}

/// How a command came out: the exit codes of the project (sysexits).
enum Exit {
    static let unavailable = ExitCode(69)
    /// Nobody reads the output any more: what a shell says of a program that SIGPIPE has ended.
    static let brokenPipe = ExitCode(128 + 13)
}
