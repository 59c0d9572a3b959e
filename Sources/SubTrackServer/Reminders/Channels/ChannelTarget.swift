import Foundation
import SubTrackAPI

/// The URL of a channel.
struct ChannelTarget: Sendable, Equatable {
    /// The URL as it was typed.
    let text: String
    private let components: URLComponents

    /// The most characters.
    static let maximumLength = 2000

    /// A URL, or the reason for which it is none for a channel of this kind.
    init(_ text: String, kind: ChannelKind) throws(Refusal) {
        guard text.utf8.count <= Self.maximumLength else {
            throw Refusal(code: .range, reason: "may have \(Self.maximumLength) characters")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let components = URLComponents(string: text),
            let scheme = components.scheme, ["https", "http"].contains(scheme), text.hasPrefix(scheme + "://"),
            components.host?.isEmpty == false
        else { throw Refusal(code: .malformed, reason: "must be a URL such as https://ntfy.sh/my-topic") }
        guard components.user == nil, components.password == nil, components.fragment == nil,
            !text.dropFirst(scheme.count + 3).prefix(while: { $0 != "/" && $0 != "?" }).contains("@")
        else { throw Refusal(code: .malformed, reason: "must have no user, password or fragment") }
        guard kind != .webpush || scheme == "https" else {
            throw Refusal(code: .malformed, reason: "must begin with https://")
        }
        self.text = text
        self.components = components
        if kind == .ntfy, topic == nil {
            throw Refusal(
                code: .malformed,
                reason: "must end in a topic of 1 to 64 letters, digits, - and _, as https://ntfy.sh/my-topic does")
        }
    }

    /// A URL that is none for a channel.
    struct Refusal: Error {
        let code: FieldProblem.Code
        let reason: String
    }

    /// The host in small letters, as a key of turns.
    var host: String { components.host?.lowercased() ?? "" }

    /// Scheme, host and port.
    var origin: String {
        var origin = "\(components.scheme ?? "https")://\(host)"
        if let port = components.port { origin += ":\(port)" }
        return origin
    }

    /// The topic of a ntfy server, and the server's root, to which messages in JSON are posted; nil: it has no topic.
    var topic: (name: String, root: String)? {
        guard components.query == nil, let slash = text.lastIndex(of: "/") else { return nil }
        let name = text[text.index(after: slash)...]
        let isTopic = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let root = String(text[...slash])
        guard isTopic, (1...64).contains(name.utf8.count), root.count > "https://".count else { return nil }
        return (String(name), root)
    }
}
