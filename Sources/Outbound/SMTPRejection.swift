/// The answer of a mail server that did not take a mail.
public struct SMTPRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of the answer: 550, for example.
    public let code: Int
    /// The command that it answered: `RCPT`, for example; `DATA` for the mail itself.
    public let command: String
    /// The answer's last line, at most 400 characters.
    public let text: String

    /// An answer.
    public init(code: Int, command: String, text: String) {
        self.code = code
        self.command = command
        self.text = text
    }

    public var description: String { "the mail server answered \(command) with \(text.isEmpty ? String(code) : text)" }

    /// Whether the server says for good that there is no such recipient.
    ///
    /// The enhanced code says so (RFC 3463). A refusal without one, or for policy (5.7), such as "relaying denied", is often a fault
    /// of settings, and would hit every address. A full mailbox (5.2.2) is empty again some day.
    public var isFinalForRecipient: Bool {
        guard command == "RCPT", (500...599).contains(code) else { return false }
        let enhanced = text.split(separator: " ").dropFirst().first?.split(separator: ".").compactMap { Int($0) } ?? []
        guard enhanced.count == 3, enhanced[0] == 5 else { return false }
        // 5.1.7 and 5.1.8 are about the sender's address.
        return (enhanced[1] == 1 && ![7, 8].contains(enhanced[2])) || (enhanced[1] == 2 && enhanced[2] == 1)
    }
}
