import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// A program that keeps a user's contacts by CardDAV.
struct AddressBook {
    let port: Int
    /// The user's id.
    let user: UUID
    /// The values of `Authorization: Basic`; nil: it sends none.
    var name: String?
    var password = ""

    /// The program of a user, with the token of the user's device as its password.
    init(_ service: TestService, _ user: TestUser) {
        self.init(port: service.port, user: user.user.id, password: user.client.token ?? "")
    }

    /// The program of a user.
    init(port: Int, user: UUID, password: String) {
        self.port = port
        self.user = user
        name = user.uuidString.lowercased()
        self.password = password
    }

    /// The path of the user's contacts.
    var home: String { "/dav/\(user.uuidString.lowercased())/contacts/" }
    /// The path of a card.
    func path(_ card: String) -> String { "\(home)\(card).vcf" }

    func send(
        _ method: String, _ path: String, _ body: String = "", _ headers: [String] = []
    ) async throws -> APIResponse {
        var headers = headers
        if let name { headers.append("Authorization: Basic \(Data("\(name):\(password)".utf8).base64EncodedString())") }
        return try await RawHTTP.send(method, path, port: port, headers: headers, body: Array(body.utf8))
    }

    /// Writes a card.
    func put(_ card: String, _ text: String, _ headers: String...) async throws -> APIResponse {
        try await send("PUT", path(card), text, headers)
    }

    /// Asks for properties of a place.
    /// - Parameter names: in XML, `d:` for WebDAV's, `c:` for CardDAV's, `s:` for the calendar server's.
    func properties(_ names: String..., of path: String, depth: Int = 0) async throws -> [Resource] {
        let response = try await send(
            "PROPFIND", path,
            """
            <d:propfind \(Self.spaces)><d:prop>\(names.map { "<\($0)/>" }.joined())</d:prop></d:propfind>
            """, ["Depth: \(depth)"])
        return try Self.resources(response)
    }

    /// The changes since a sync token, and the next token.
    func changes(since token: String = "") async throws -> (resources: [Resource], token: String) {
        let response = try await sync(token)
        let token = try DAVElement.read(Array(response.body)).child(DAV.space, "sync-token")?.text
        return (try Self.resources(response), try #require(token))
    }

    /// Asks for the changes since a sync token.
    func sync(_ token: String) async throws -> APIResponse {
        try await send(
            "REPORT", home,
            """
            <d:sync-collection \(Self.spaces)><d:sync-token>\(token)</d:sync-token><d:sync-level>1</d:sync-level>\
            <d:prop><d:getetag/></d:prop></d:sync-collection>
            """)
    }

    static let spaces = "xmlns:d='DAV:' xmlns:c='\(DAV.cards)' xmlns:s='\(DAV.calendarServer)'"

    /// A resource of an answer.
    struct Resource {
        var href: String
        /// Of a resource that is not there.
        var status: String?
        /// The properties that are there, and the names of those that are not.
        var found: [DAVElement] = []
        var missing: [DAVElement.Name] = []

        func property(_ local: String) -> DAVElement? { found.first { $0.name.local == local } }
        /// The last part of its path, without `.vcf`.
        var name: String { String(href.split(separator: "/").last?.dropLast(4) ?? "") }
    }

    static func resources(_ response: APIResponse) throws -> [Resource] {
        guard response.status == 207 else { throw UnexpectedAnswer(response: response, reason: "it is no multistatus") }
        let document = try DAVElement.read(Array(response.body))
        return document.children.filter { $0.name.local == "response" }.map { response in
            var resource = Resource(
                href: response.child(DAV.space, "href")?.text ?? "", status: response.child(DAV.space, "status")?.text)
            for part in response.children where part.name.local == "propstat" {
                let properties = part.child(DAV.space, "prop")?.children ?? []
                if part.child(DAV.space, "status")?.text.contains("200") == true {
                    resource.found += properties
                } else {
                    resource.missing += properties.map(\.name)
                }
            }
            return resource
        }
    }

    /// A card of a person.
    static func card(_ uid: String?, _ first: String, _ more: String...) -> String {
        let uid = uid.map { ["UID:\($0)"] } ?? []
        return
            (["BEGIN:VCARD", "VERSION:3.0"] + uid + ["N:Test;\(first);;;", "FN:\(first) Test"] + more
            + ["END:VCARD", ""]).joined(separator: "\r\n")
    }
}
