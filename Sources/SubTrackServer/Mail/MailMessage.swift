import Foundation
import SubTrackAPI

/// A mail as a mail program takes it: RFC 5322 headers, and a text in plain and in HTML (RFC 2046 §5.1.4).
public struct MailMessage: Sendable {
    /// The sender.
    var from: MailSender
    /// The recipient.
    var to: EmailAddress
    /// The subject.
    var subject: String
    /// The text for programs without HTML.
    var text: String
    /// The text as HTML.
    var html: String
    /// When it was written.
    var date: Instant
    /// Its unique id.
    var id: UUID
    /// The address to which one `POST` ends such mails (RFC 8058); nil: there is none.
    var unsubscribe: String?

    /// The bytes of the mail, its lines ended by CR LF.
    var bytes: [UInt8] {
        let boundary = "part-\(id.uuidString.lowercased())"
        let domain = from.address.text.split(separator: "@").last.map(String.init) ?? "localhost"
        let lines =
            [
                "From: \(Self.encoded(from.name))", " <\(from.address.text)>",
                "To: \(to.text)",
                "Subject: \(Self.encoded(subject))",
                "Date: \(Self.formatted(date))",
                "Message-ID: <\(id.uuidString.lowercased())@\(domain)>",
                // No holiday notice is to answer it (RFC 3834 §5).
                "Auto-Submitted: auto-generated",
            ] + unsubscribing + [
                "MIME-Version: 1.0",
                "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"",
                "",
            ] + Self.part("text/plain", text, boundary) + Self.part("text/html", html, boundary) + [
                "--\(boundary)--", "",
            ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private var unsubscribing: [String] {
        guard let unsubscribe else { return [] }
        return ["List-Unsubscribe:", " <\(unsubscribe)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    }

    private static func part(_ type: String, _ text: String, _ boundary: String) -> [String] {
        let encoded = Data(text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return [
            "--\(boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", "",
        ] + encoded.split(separator: "\n").map(String.init)
    }

    /// A header's text: as it is where it is plain ASCII, else in encoded words of at most 75 characters (RFC 2047 §2).
    static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
        if isPlain, text.utf8.count <= 60 { return text }
        var words: [String] = []
        var piece = ""
        for character in text {
            // 36 bytes are 48 characters of base 64, and 60 with their frame: the header's name has room before.
            if piece.utf8.count + String(character).utf8.count > 36, !piece.isEmpty {
                words.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        words.append(piece)
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// A date as RFC 5322 §3.3 has it: `Sat, 31 Jan 2026 09:30:00 +0000`.
    static func formatted(_ instant: Instant) -> String {
        let date = instant.date(secondsFromUTC: 0)
        let (year, month, day) = date.components
        // 1 January 1970 was a Thursday.
        let weekday = ((Int(date.daysSince1970) + 4) % 7 + 7) % 7
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = instant.description.dropFirst(11).dropLast()
        return "\(weekdays[weekday]), \(day) \(months[Int(month) - 1]) \(year) \(time) +0000"
    }
}

/// The sender of the service's mails.
public struct MailSender: Sendable, Hashable {
    /// The name that mail programs show.
    let name: String
    /// The address.
    let address: EmailAddress

    /// Reads `address` or `Name <address>`.
    /// - Throws: ``SettingsError``.
    public init(_ text: String) throws {
        var name = "SubTrackIt"
        var typed = text
        if let open = text.lastIndex(of: "<"), text.hasSuffix(">") {
            let before = text[..<open].trimmingCharacters(in: .whitespaces.union(["\""]))
            if !before.isEmpty { name = before }
            typed = String(text[text.index(after: open)...].dropLast())
        }
        guard let address = try? EmailAddress(typed), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            !name.contains(where: { "<>@\",;:\\()[]".contains($0) })
        else {
            throw SettingsError(
                "the sender of mails must look like noreply@example.org or Name <noreply@example.org>, is \"\(text)\"")
        }
        self.name = name
        self.address = address
    }
}
