import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What commands do before and after their work.
struct Session {
    let home: Home
    let kit: Kit

    init(_ home: Home) throws {
        self.home = home
        do {
            kit = try home.open()
        } catch let error as KitError {
            throw Failure(error)
        }
    }

    /// Says something beside the result.
    static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Sends what was changed and pulls what is new. Without network it says so and goes on: nothing is lost.
    /// - Parameter id: the subscription that was changed.
    /// - Throws: ``Failure`` when the service refused a change of that subscription.
    func sendAndPull(_ id: UUID? = nil) async throws {
        guard !home.offline else { return try tellPending("offline, as you asked") }
        do {
            try await kit.sync()
            home.rememberServer()
            let reports = try tellReports()
            let isRefused = reports.contains { $0.problem != nil && UUID(uuidString: $0.mutation.id) == id }
            if id != nil, isRefused { throw Failure("the service refused it; nothing was changed") }
        } catch let error as KitError where error.isTransient {
            try tellPending("\(error)")
        } catch KitError.signedOut {
            try tellPending("this device is signed out: subtrack login")
        } catch let error as KitError {
            throw Failure(error)
        }
    }

    private func tellPending(_ reason: String) throws {
        let count = try kit.pendingCount()
        guard count > 0 else { return }
        let what = count == 1 ? "1 change" : "\(count) changes"
        Self.say("Saved here; \(what) will be sent by the next sync (\(Terminal.clean(reason))).")
    }

    /// Says what was not done as it was made, once.
    /// - Parameter say: shows a line.
    /// - Returns: what was told.
    @discardableResult
    func tellReports(_ say: (String) -> Void = Self.say) throws -> [ChangeReport] {
        let reports = try kit.reports()
        guard let last = reports.last else { return [] }
        for report in reports {
            let what = try name(of: report.mutation)
            if let problem = report.problem {
                say("Not done: \(report.mutation.op) \(what): \(Terminal.clean(problem.detail))")
            }
            for field in report.lost {
                say(
                    "Changed elsewhere first: \(field.field) of \(what) is \(Terminal.clean(field.kept.written)), "
                        + "not \(Terminal.clean(field.yours.written))")
            }
        }
        try kit.dismissReports(through: last.id)
        return reports
    }

    private func name(of mutation: PushChanges.Mutation) throws -> String {
        guard let id = UUID(uuidString: mutation.id) else { return mutation.entity }
        if let name = try kit.details(of: id)?.tracked.name { return Terminal.clean(name) }
        // What was refused at once is not here; it said itself what it was.
        if case .string(let label)? = mutation.fields?["label"] { return Terminal.clean(label) }
        if case .object(let plan)? = mutation.fields?["plan"], case .string(let provider)? = plan["provider"] {
            return Terminal.clean(provider)
        }
        return mutation.entity
    }

    /// The one subscription that some words lead to.
    func find(_ words: [String], among list: [TrackedSubscription]) throws -> TrackedSubscription {
        let text = words.joined(separator: " ")
        let found = Matching.best(text, among: list)
        guard let first = found.first else {
            throw Failure("there is no subscription like \"\(text)\"", hint: "subtrack list shows those there are")
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map {
                "  \($0.shortID)  \(Terminal.clean($0.name)), ends \($0.subscription.endDate)"
            }
            throw Failure(
                "\"\(text)\" could be \(found.count) subscriptions:\n" + names.joined(separator: "\n"),
                hint: "give more of the name, or the digits in front of it")
        }
        return first
    }
}

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
        Session.say("Error: \(failure)")
        throw failure.isUnavailable ? Exit.unavailable : ExitCode.failure
    }
}

/// How words lead to subscriptions.
enum Matching {
    /// Those that all words lead to, the best ones alone: an id or its last digits, or words that begin words of the name.
    static func best(_ text: String, among list: [TrackedSubscription]) -> [TrackedSubscription] {
        let text = text.lowercased()
        let words = text.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return [] }
        if words.count == 1, words[0].count >= 4, words[0].allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            let byID = list.filter { $0.id.uuidString.lowercased().hasSuffix(text) }
            if !byID.isEmpty { return byID }
        }
        let scored = list.compactMap { tracked -> (TrackedSubscription, Int)? in
            let plan = tracked.subscription.plan
            let names = [tracked.subscription.label ?? "", plan.provider, plan.name, plan.type].map { $0.lowercased() }
            if names.contains(text) || tracked.name.lowercased() == text { return (tracked, 0) }
            var score = 1
            for word in words {
                let starts = names.contains { name in
                    name.hasPrefix(word)
                        || name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { $0.hasPrefix(word) }
                }
                if starts { continue }
                guard names.contains(where: { $0.contains(word) }) else { return nil }
                score += 1
            }
            return (tracked, score)
        }
        guard let best = scored.map(\.1).min() else { return [] }
        return scored.filter { $0.1 == best }.map(\.0)
    }
}

/// Reads what is typed.
enum Prompt {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// A line; nil at the end of the input.
    static func line(_ question: String) -> String? {
        FileHandle.standardError.write(Data(question.utf8))
        return readLine()
    }

    /// A password, which is not shown.
    static func password(_ question: String) -> String? {
        guard isInteractive else { return readLine() }
        var former = termios()
        guard tcgetattr(STDIN_FILENO, &former) == 0 else { return line(question) }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return line(question)
    }
}

extension AnyJSON {
    /// A value for people.
    var written: String {
        switch self {
        case .null: "nothing"
        case .bool(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .string(let text): "\"\(text)\""
        case .array, .object: "another"
        }
    }
}

extension TrackedSubscription {
    /// The last digits of the id, which tell one from another: the first ones are its time.
    var shortID: String { String(id.uuidString.lowercased().suffix(6)) }
}

extension AnyJSON {
    /// The value with ids as the service writes them, in lower case.
    var withLowerIDs: AnyJSON {
        switch self {
        case .string(let text) where UUID(uuidString: text) != nil: .string(text.lowercased())
        case .array(let elements): .array(elements.map(\.withLowerIDs))
        case .object(let members): .object(members.mapValues(\.withLowerIDs))
        default: self
        }
    }
}

/// JSON for programs.
func json(_ value: some Encodable, isPretty: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let plain = try JSONDecoder().decode(AnyJSON.self, from: encoder.encode(value)).withLowerIDs
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(plain), as: UTF8.self)
}

/// Prints JSON for programs.
func printJSON(_ value: some Encodable) throws { print(try json(value)) }
