import ArgumentParser
import SubTrackAPI
import SubTrackKit

/// An error with what to do about it.
struct Failure: Error, CustomStringConvertible {
    let message: String
    let hint: String?
    /// How the program ends.
    let code: ExitCode

    init(_ message: String, hint: String? = nil, code: ExitCode = .failure) {
        self.message = message
        self.hint = hint
        self.code = code
    }

    init(_ error: KitError) {
        let code: ExitCode =
            switch error {
            case .offline: Exit.unavailable
            case .insecure: Exit.insecure
            default: .failure
            }
        self.init("\(error)", hint: Self.hint(error), code: code)
    }

    /// The remedy of an error; nil: its message has it.
    static func hint(_ error: KitError) -> String? {
        switch error {
        case .offline: "is the service running? --server says where it is"
        case .insecure(let fault) where fault.kind == .unknownIssuer:
            fault.authorities == nil
                ? "--ca-file FILE, the certificate of your own authority, if it has issued this one"
                : "--ca-file FILE for another authority, --ca-file \"\" for those that this device knows"
        case .insecure(let fault): fault.remedy
        case .signedOut: "subtrack login"
        case .newerStore: "update subtrack"
        case .otherServer:
            "subtrack move ADDRESS, if that service has moved; --home FOLDER keeps the data of another one apart"
        case .unsent: "subtrack login sends them; subtrack logout --discard forgets them"
        case .nonsense: "--server says where the service is"
        default: nil
        }
    }

    /// No plan is like what was typed.
    /// - Parameter reason: why the catalogue was not pulled, where that was tried.
    static func noPlan(_ text: String, in kit: Kit, because reason: KitError?) throws -> Failure {
        guard try kit.hasPulled() else {
            return reason.map { Failure($0) }
                ?? Failure("the catalogue is not here yet", hint: "subtrack sync", code: Exit.unavailable)
        }
        let name = text.isEmpty ? "NAME" : Terminal.clean(text)
        let own = "subtrack add \(name) --fee 9.99 --currency \(try kit.currency() ?? "USD") --every month"
        guard try kit.hasCatalogue() else {
            let place = try kit.placeInWords().country
            return Failure(
                "the catalogue has no plans for \(place)",
                hint: "\(own), for one of your own; subtrack me --country US, if you are there")
        }
        return Failure("there is no plan like \"\(name)\"", hint: "\(own), for one of your own")
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
        throw failure.code
    }
}

/// How a command came out: the exit codes of the project (sysexits).
enum Exit {
    /// The command line makes no sense.
    static let usage = ExitCode(64)
    /// Of a file nothing could be taken.
    static let nothingTaken = ExitCode(65)
    static let unavailable = ExitCode(69)
    /// The connection to the service is not safe.
    static let insecure = ExitCode(76)
    /// Nobody reads the output any more: what a shell says of a program that SIGPIPE has ended.
    static let brokenPipe = ExitCode(128 + 13)
}
