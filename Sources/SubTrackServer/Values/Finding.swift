/// A judgement of the doctor.
public struct Finding: Encodable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Level: String, Encodable, Sendable {
        /// As it should be.
        case ok
        /// The service works, and something could be better or may go wrong.
        case warning
        /// The service does not work, or not safely.
        case problem
    }

    public let level: Level
    /// The checked thing: a variable, a right, a tenant.
    public let subject: String
    /// The judgement, as the rest of a sentence that begins with the subject.
    public let text: String
    /// The statement or setting that mends it.
    public let remedy: String?
    /// The server that it is about; nil where it is about none.
    public internal(set) var server: String?
    /// Whether it says that a server cannot be reached, so that nothing more can be found out there.
    var isUnreachable = false
    /// Whether it says that the service cannot work on the server as that is set, so that nothing is written there.
    var isUnusable = false

    private enum CodingKeys: CodingKey { case level, subject, text, remedy, server }

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(level: .ok, subject: subject, text: text, remedy: nil)
    }

    static func warning(_ subject: String, _ text: String, remedy: String) -> Finding {
        Finding(level: .warning, subject: subject, text: text, remedy: remedy)
    }

    static func problem(
        _ subject: String, _ text: String, remedy: String, isUnreachable: Bool = false
    ) -> Finding {
        Finding(level: .problem, subject: subject, text: text, remedy: remedy, isUnreachable: isUnreachable)
    }

    public var description: String { line(namesServer: false) }

    /// The finding as text, with its remedy below it.
    /// - Parameter namesServer: whether the server is named, as where several were looked at.
    public func line(namesServer: Bool) -> String {
        let place = server.flatMap { namesServer && !subject.contains($0) ? " on \($0)" : nil } ?? ""
        return "\(level.rawValue.padded(to: 8))\(subject)\(place): \(text)"
            + (remedy.map { "\n" + $0.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n") } ?? "")
    }
}

extension Finding {
    /// Findings as text. The version names its server, so that a reader sees where the doctor looked. Where there are several servers,
    /// all lines name theirs.
    public static func lines(_ findings: [Finding]) -> [String] {
        let isSeveral = Set(findings.compactMap(\.server)).count > 1
        return findings.map { $0.line(namesServer: isSeveral || $0.subject == "version") }
    }
}

extension [Finding] {
    /// The same findings, as those of a server.
    func of(_ server: String) -> [Finding] {
        map { finding in
            var finding = finding
            finding.server = server
            return finding
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
