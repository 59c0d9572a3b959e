import ArgumentParser
import SubTrackAPI
import SubTrackKit

/// An error with its remedies.
struct Failure: Error, CustomStringConvertible {
    let message: String
    /// The remedies, a line each. A line that begins with the program's name is a command that works as it stands.
    let hint: String?
    /// How the program ends.
    let code: ExitCode

    init(_ message: String, hint: String? = nil, code: ExitCode = .failure) {
        self.message = message
        self.hint = hint
        self.code = code
    }

    /// An error of the kit.
    /// - Parameter names: the names of the fields that were sent.
    init(_ error: KitError, names: FieldNames = .of(nil)) {
        self.init(names.text(error), hint: Self.hint(error), code: Exit.code(error))
    }

    /// The remedy of an error; nil: its message has it. `EMAIL` and `ADDRESS` are replaced where they are known.
    static func hint(_ error: KitError) -> String? {
        switch error {
        case .offline(_, nil): "Is the service running? --server says where it is"
        case .insecure(let fault) where fault.kind == .unknownIssuer:
            fault.authorities == nil
                ? "--ca-file FILE trusts the certificate of your own authority, if that has issued this one"
                : "--ca-file FILE trusts another authority, --ca-file \"\" those that this device knows"
        case .insecure(let fault): fault.remedy
        case .authorities: "--ca-file FILE names another file, --ca-file \"\" goes without one"
        case .signedOut: "subtrack login EMAIL"
        case .newerStore: "update subtrack"
        case .otherServer:
            "subtrack move ADDRESS\n--home FOLDER keeps the data of another service apart"
        case .userDeleted: "subtrack refused"
        case .unsent: "subtrack login EMAIL\nsubtrack logout --discard"
        case .onlyCopy:
            "subtrack login EMAIL --create\nsubtrack export > subscriptions.json\nsubtrack logout --discard"
        case .refused(let problem) where problem.code == .credentialsInvalid: "subtrack password --forgot EMAIL"
        case .nonsense: "--server says where the service is"
        case .refused(let problem) where problem.isOfAddress: "--server says where the service is"
        default: nil
        }
    }

    /// The error with a word of its remedies replaced, as a shell reads it.
    /// - Parameter value: nil: it is not known, and the word stays.
    func replacing(_ word: String, with value: String?) -> Failure {
        guard let value, let hint else { return self }
        return Failure(message, hint: hint.replacing(word, with: TypedCommand.quoted(value)), code: code)
    }

    /// The failure with the faults of the command's options, which are told together with it.
    func with(_ faults: OptionFaults) -> Failure {
        guard !faults.all.isEmpty else { return self }
        return Failure(([message] + faults.all).joined(separator: "\n"), hint: hint, code: Exit.usage)
    }

    /// The service refused a change of the command.
    static let refused = Failure("the service refused it; nothing was changed", code: Exit.dataRefused)

    /// No plan is like what was typed.
    /// - Parameters:
    ///   - own: the command that adds a plan of one's own by that name.
    ///   - reason: why the catalogue was not pulled, where that was tried.
    static func noPlan(_ text: String, in kit: Kit, own: String, because reason: KitError?) throws -> Failure {
        guard try kit.hasPulled() else {
            guard let reason else {
                return Failure(
                    "the catalogue is not here yet; a plan of your own needs none", hint: "subtrack sync\n\(own)",
                    code: Exit.unavailable)
            }
            return Failure(
                "the catalogue is not here yet, and a plan of your own needs none: \(FieldNames.of(nil).text(reason))",
                hint: [hint(reason), own].compactMap { $0 }.joined(separator: "\n"), code: Exit.code(reason))
        }
        guard try kit.hasCatalogue() else {
            let place = try kit.placeInWords().country
            return Failure(
                "the catalogue has no plans for \(place); add one of your own, or change the country",
                hint: "\(own)\nsubtrack me --country US")
        }
        let name = text.isEmpty ? "NAME" : Terminal.clean(text)
        return Failure("there is no plan like \"\(name)\"; add one of your own", hint: own)
    }

    /// The remedies, line by line. Only a command is to be tried; any other text is a sentence.
    static func ways(_ hint: String?) -> [String] {
        (hint ?? "").split(separator: "\n").map { way in
            way.hasPrefix("subtrack ") ? "Try: \(way)" : "\(way.prefix(1).uppercased())\(way.dropFirst())"
        }
    }

    var description: String { ([message] + Self.ways(hint)).joined(separator: "\n") }

    /// Says it on the standard error. A command stays on one line: it is there to be copied.
    func say() {
        Output.say("Error: \(message)")
        for way in Self.ways(hint) {
            if way.hasPrefix("Try: subtrack ") { Output.mutter(way + "\n") } else { Output.say(way) }
        }
    }
}

extension AsyncParsableCommand {
    /// Runs a command's work with errors told in words.
    func perform(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as KitError {
            try Self.tell(Failure(error, names: .of(Self.configuration.commandName)))
        } catch let failure as Failure {
            try Self.tell(failure)
        }
    }

    private static func tell(_ failure: Failure) throws {
        failure.say()
        throw failure.code
    }
}

/// How a command came out: the exit codes of the project (sysexits).
enum Exit {
    /// The command line makes no sense, or a value in it cannot be taken.
    static let usage = ExitCode(64)
    /// Of a file nothing could be taken.
    static let nothingTaken = ExitCode(65)
    /// A file that was named cannot be read.
    static let noInput = ExitCode(66)
    /// The service refused a change.
    static let dataRefused = ExitCode(65)
    static let unavailable = ExitCode(69)
    /// The data on this device, or the output, cannot be read or written.
    static let input = ExitCode(74)
    /// The service asks to try again later.
    static let later = ExitCode(75)
    /// The connection to the service is not safe.
    static let insecure = ExitCode(76)
    /// The device is signed out, or a password is wrong.
    static let refused = ExitCode(77)
    /// Nobody reads the output any more: what a shell says of a program that SIGPIPE has ended.
    static let brokenPipe = ExitCode(128 + 13)

    /// The code of an error of the kit.
    static func code(_ error: KitError) -> ExitCode {
        switch error {
        case .offline(_, let retryAfter): retryAfter == nil ? unavailable : later
        case .insecure: insecure
        case .authorities(_, let isReadable): isReadable ? nothingTaken : noInput
        case .nonsense: unavailable
        case .signedOut: refused
        case .store: input
        case .invalid(let field, _): field.isEmpty ? .failure : usage
        case .refused(let problem):
            switch problem.code {
            case .credentialsInvalid: refused
            case _ where problem.isOfAddress: unavailable
            case .inputInvalid: problem.errors?.contains { !$0.field.isEmpty } == true ? usage : .failure
            default: .failure
            }
        case .userDeleted, .unknown, .newerStore, .otherServer, .unsent, .onlyCopy: .failure
        }
    }
}

extension Problem {
    /// Whether no service for this device is at the address: its path or its tenant is another, or the tenant is suspended.
    var isOfAddress: Bool {
        switch code {
        case .notFound, .tenantUnknown, .tenantSuspended, .methodNotAllowed: true
        default: false
        }
    }
}
