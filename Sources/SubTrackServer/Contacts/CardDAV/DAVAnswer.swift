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

    /// Appends a resource with the properties that it has, and those that it lacks.
    mutating func append(
        _ href: String, found: [(name: DAVElement.Name, content: String)], missing: [DAVElement.Name] = []
    ) {
        content += "<d:response><d:href>\(DAV.escaped(href))</d:href>"
        if !found.isEmpty || missing.isEmpty {
            content += "<d:propstat><d:prop>"
            for (name, value) in found {
                let (start, end) = DAV.tag(name)
                content += value.isEmpty ? "<\(start)/>" : "<\(start)>\(value)</\(end)>"
            }
            content += "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        }
        if !missing.isEmpty {
            content += "<d:propstat><d:prop>" + missing.map { "<\(DAV.tag($0).start)/>" }.joined()
            content += "</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
        }
        content += "</d:response>\n"
    }

    /// Appends a resource that is not there, or no longer.
    mutating func append(missing href: String) {
        content += "<d:response><d:href>\(DAV.escaped(href))</d:href>"
        content += "<d:status>HTTP/1.1 404 Not Found</d:status></d:response>\n"
    }

    /// Appends the word that there are more than were asked for.
    mutating func append(truncated href: String) {
        content += "<d:response><d:href>\(DAV.escaped(href))</d:href>"
        content += "<d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>\n"
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
