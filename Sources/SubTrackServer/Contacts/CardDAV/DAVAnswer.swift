import NIOCore
import NIOHTTP1

/// Names and texts of WebDAV (RFC 4918), CardDAV (RFC 6352) and the calendar server's extension.
enum DAV {
    static let space = "DAV:"
    static let cards = "urn:ietf:params:xml:ns:carddav"
    static let calendarServer = "http://calendarserver.org/ns/"

    static let methods = ["OPTIONS", "GET", "HEAD", "PUT", "DELETE", "PROPFIND", "REPORT"]

    /// A text inside an element. Characters that XML 1.0 cannot have are left out.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.unicodeScalars.reserveCapacity(text.unicodeScalars.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // A bare one would come back as a line feed alone.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// An element that a request names, in the prefixes of an answer.
    static func tag(_ name: DAVElement.Name) -> (start: String, end: String) {
        switch name.space {
        case space: ("d:\(name.local)", "d:\(name.local)")
        case cards: ("c:\(name.local)", "c:\(name.local)")
        case calendarServer: ("s:\(name.local)", "s:\(name.local)")
        // A prefix cannot stand for no namespace.
        case "": (name.local, name.local)
        default:
            (
                "x:\(name.local) xmlns:x=\"\(escaped(name.space).replacing("\"", with: "&quot;"))\"", "x:\(name.local)"
            )
        }
    }

    /// An answer without a body.
    static func empty(_ status: HTTPResponseStatus, _ headers: HTTPHeaders = [:]) -> ServerResponse {
        var headers = headers
        headers.add(name: "dav", value: "1, 3, addressbook")
        headers.add(name: "cache-control", value: "no-store")
        return ServerResponse(status: status, headers: headers)
    }

    /// The refusal of a precondition: `no-uid-conflict`, `valid-sync-token`.
    /// - Parameter content: XML inside the element.
    static func refusal(
        _ status: HTTPResponseStatus, _ name: DAVElement.Name, content: String = "", _ reason: String
    ) -> ServerResponse {
        let (start, end) = tag(name)
        return xml(
            status,
            """
            <d:error xmlns:d="DAV:" xmlns:c="\(cards)"><\(start)>\(content)</\(end)>\
            <d:responsedescription>\(escaped(reason))</d:responsedescription></d:error>
            """)
    }

    /// An answer of XML.
    static func xml(_ status: HTTPResponseStatus, _ content: String) -> ServerResponse {
        var response = empty(status, ["content-type": "application/xml; charset=utf-8"])
        response.body = ByteBuffer(string: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + content)
        return response
    }
}

/// The answer to a question about several resources (RFC 4918 §13).
struct MultiStatus {
    /// The size of an answer, in bytes. Cards beyond it are named as such, and a client asks for them by themselves.
    static let maximumBytes = 8 << 20

    private var content = ""

    /// Whether there is no room for more cards.
    var isFull: Bool { content.utf8.count > Self.maximumBytes }

    /// Appends some resources.
    mutating func append(_ resources: String) { content += resources }

    /// A resource with the properties that it has, and those that it lacks.
    static func resource(
        _ href: String, found: [(name: DAVElement.Name, content: String)], missing: [DAVElement.Name] = []
    ) -> String {
        var text = "<d:response><d:href>\(DAV.escaped(href))</d:href>"
        if !found.isEmpty || missing.isEmpty {
            text += "<d:propstat><d:prop>"
            for (name, value) in found {
                let (start, end) = DAV.tag(name)
                text += value.isEmpty ? "<\(start)/>" : "<\(start)>\(value)</\(end)>"
            }
            text += "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        }
        if !missing.isEmpty {
            text += "<d:propstat><d:prop>" + missing.map { "<\(DAV.tag($0).start)/>" }.joined()
            text += "</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
        }
        return text + "</d:response>\n"
    }

    /// A resource that is not there, or no longer.
    static func missing(_ href: String) -> String { status(href, "404 Not Found") }

    /// A resource that is left out: the answer is full, or has as many as were asked for.
    static func leftOut(_ href: String) -> String { status(href, "507 Insufficient Storage") }

    private static func status(_ href: String, _ status: String) -> String {
        "<d:response><d:href>\(DAV.escaped(href))</d:href><d:status>HTTP/1.1 \(status)</d:status></d:response>\n"
    }

    /// The answer.
    /// - Parameter token: the sync token, of a `sync-collection`.
    func response(token: String? = nil) -> ServerResponse {
        let token = token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? ""
        return DAV.xml(
            .multiStatus,
            """
            <d:multistatus xmlns:d="DAV:" xmlns:c="\(DAV.cards)" xmlns:s="\(DAV.calendarServer)">
            \(content)\(token)</d:multistatus>
            """)
    }
}
