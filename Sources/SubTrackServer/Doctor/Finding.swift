/// What the doctor found out.
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
    /// What was looked at.
    public let subject: String
    /// What was found.
    public let text: String
    /// The statement or setting that mends it.
    public let remedy: String?
    /// Whether it says that a server cannot be reached, so that nothing more can be found out there.
    var isUnreachable = false
    /// Whether it says that the service cannot work on the server as that is set, so that nothing is written there.
    var isUnusable = false

    private enum CodingKeys: CodingKey { case level, subject, text, remedy }

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

    public var description: String {
        "\(level.rawValue.padded(to: 8))\(subject): \(text)"
            + (remedy.map { "\n" + $0.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n") } ?? "")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
