import Foundation
import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI

/// Serves a user's contacts to address books (CardDAV, RFC 6352).
///
/// A collection is the user's contacts, its sync token the scope's version, a card's entity tag the contact's version.
struct DAVResponder: Sendable {
    let tenant: Tenant
    let request: ServerRequest
    let target: RequestTarget
    let call: Call
    /// The root of the tenant's paths.
    var base: String { target.slug.map { "/t/\($0)" } ?? "" }

    /// Whether a path is one of CardDAV.
    static func has(_ target: RequestTarget) -> Bool {
        target.segments.first == "dav" || target.segments == [".well-known", "carddav"]
    }

    /// The answer that needs no sign-in: the way from the well-known path, and the methods of a path.
    static func open(_ request: ServerRequest, _ target: RequestTarget) -> ServerResponse? {
        let base = target.slug.map { "/t/\($0)" } ?? ""
        if target.segments == [".well-known", "carddav"] {
            return DAV.empty(.movedPermanently, ["location": "\(base)/dav/"])
        }
        guard DAV.methods.contains(request.method.rawValue) else {
            return DAV.empty(.methodNotAllowed, ["allow": DAV.methods.joined(separator: ", ")])
        }
        guard request.method == .OPTIONS else { return nil }
        return DAV.empty(.ok, ["allow": DAV.methods.joined(separator: ", "), "content-length": "0"])
    }

    /// The name and the password of `Authorization: Basic`; nil where there are none.
    static func credentials(_ headers: HTTPHeaders) -> (name: String, password: String)? {
        guard let header = headers.first(name: "authorization"), header.count <= 1000,
            header.prefix(6).lowercased() == "basic ",
            let data = Data(base64Encoded: String(header.dropFirst(6)).trimmingCharacters(in: .whitespaces)),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// The answer to a caller without the right password.
    static func unauthorized() -> ServerResponse {
        var response = DAV.empty(
            .unauthorized, ["www-authenticate": "Basic realm=\"SubTrackIt\", charset=\"UTF-8\""])
        response.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        response.body = ByteBuffer(string: "Sign in with your e-mail address and a password made for this program.\n")
        return response
    }

    /// Answers a request of a caller that is signed in.
    func respond() async throws -> ServerResponse {
        let user = try call.requireSession().user
        guard let path = DAVPath(target.segments), path.user == nil || path.user == user.uuid else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        switch (request.method, path) {
        case (.PROPFIND, _): return try await propfind(path, user)
        case (.REPORT, .collection): return try await report(user)
        case (.GET, .card(_, let name)), (.HEAD, .card(_, let name)): return try await get(name, user)
        case (.PUT, .card(_, let name)): return try await put(name, user)
        case (.DELETE, .card(_, let name)): return try await delete(name, user)
        default: return DAV.empty(.methodNotAllowed, ["allow": DAV.methods.joined(separator: ", ")])
        }
    }

    /// The XML of the request; nil: it has no body.
    private func document() throws -> DAVElement? {
        guard request.body.readableBytes > 0 else { return nil }
        do throws(DAVElement.Failure) {
            return try DAVElement.read(Array(request.body.readableBytesView))
        } catch {
            throw Problem(.inputInvalid, "The body cannot be read as XML: \(error.reason).")
        }
    }

    /// The tenant's epoch, which another one follows when a backup is restored: versions reach the same values again.
    private var epoch: String {
        tenant.epoch.value.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The sync token of a version.
    private func token(_ version: Int64) -> String { "urn:subtrackit:\(epoch):\(version)" }

    /// The entity tag of a version, in quotes.
    func tag(_ version: Int64) -> String { "\"\(epoch)-\(version)\"" }

    func href(_ name: String, _ user: UserID) -> String { DAVPath.card(user.uuid, name: name).href(base) }

    // MARK: PROPFIND

    private func propfind(_ path: DAVPath, _ user: UserID) async throws -> ServerResponse {
        let properties = DAVProperties(try document())
        let depth = request.headers.first(name: "depth") ?? "infinity"
        guard ["0", "1"].contains(depth) else {
            return DAV.refusal(
                .forbidden, DAVProperties.dav("propfind-finite-depth"), "Ask with Depth: 0 or Depth: 1.")
        }
        return try await tenant.read { connection in
            var answer = MultiStatus()
            if case .card(_, let name) = path {
                guard let entry = try await CardQueries.entry(name, of: user, on: connection) else {
                    throw Problem(.notFound, "There is no such card.")
                }
                try await append([entry], properties, to: &answer, user, on: connection)
                return answer.response()
            }
            let counter = try await CardQueries.counter(of: user, on: connection)
            let inside: DAVPath? =
                switch path {
                case .root: .home(user.uuid)
                case .home: .collection(user.uuid)
                case .collection, .card: nil
                }
            for place in [path] + (depth == "1" ? [inside].compactMap(\.self) : []) {
                let all = DAVProperties.collection(
                    place, user: .home(user.uuid), base: base, token: token(counter.version))
                let (found, missing) = properties.select(all)
                answer.append(place.href(base), found: found, missing: missing)
            }
            if case .collection = path, depth == "1" {
                let entries = try await CardQueries.entries(of: user, on: connection)
                try await append(entries, properties, to: &answer, user, on: connection)
            }
            return answer.response()
        }
    }

    private func append(
        _ entries: [CardQueries.Entry], _ properties: DAVProperties, to answer: inout MultiStatus, _ user: UserID,
        on connection: Connection
    ) async throws {
        guard properties.needsText else {
            for entry in entries {
                let (found, missing) = properties.select(DAVProperties.card(tag: tag(entry.version), text: nil))
                answer.append(href(entry.name, user), found: found, missing: missing)
            }
            return
        }
        for batch in Self.batches(entries) {
            if answer.isFull {
                for entry in batch { answer.append(truncated: href(entry.name, user)) }
                continue
            }
            for card in try await CardQueries.cards(batch, of: user, on: connection) {
                let all = DAVProperties.card(tag: tag(card.version), text: try card.text)
                let (found, missing) = properties.select(all)
                answer.append(href(card.name, user), found: found, missing: missing)
            }
        }
    }

    /// Contacts in parts that are read at once: a photo is a quarter of a mebibyte.
    private static func batches(_ entries: [CardQueries.Entry]) -> [[CardQueries.Entry]] {
        stride(from: 0, to: entries.count, by: 30).map { Array(entries[$0..<min($0 + 30, entries.count)]) }
    }

    // MARK: REPORT

    private func report(_ user: UserID) async throws -> ServerResponse {
        guard let document = try document() else { throw Problem(.inputInvalid, "A REPORT has a body of XML.") }
        switch (document.name.space, document.name.local) {
        case (DAV.cards, "addressbook-multiget"): return try await multiget(document, user)
        case (DAV.cards, "addressbook-query"): return try await query(document, user)
        case (DAV.space, "sync-collection"): return try await changes(document, user)
        default:
            return DAV.refusal(
                .forbidden, DAVProperties.dav("supported-report"), "There is no report \(document.name.local).")
        }
    }

    private func multiget(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = DAVProperties(document)
        let hrefs = document.children.filter { $0.name == DAVProperties.dav("href") }.map(\.text)
        return try await tenant.read { connection in
            let entries = Dictionary(
                try await CardQueries.entries(of: user, on: connection).map { (href($0.name, user), $0) }
            ) { first, _ in first }
            var answer = MultiStatus()
            var wanted: [CardQueries.Entry] = []
            for text in hrefs {
                let path = DAVPath(href: text, slug: target.slug)
                if let path, let entry = entries[path.href(base)] {
                    wanted.append(entry)
                } else {
                    answer.append(missing: text)
                }
            }
            try await append(wanted, properties, to: &answer, user, on: connection)
            return answer.response()
        }
    }

    private func query(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = DAVProperties(document)
        let filter = CardFilter(document.child(DAV.cards, "filter"))
        let limit = document.child(DAV.cards, "limit")?.child(DAV.cards, "nresults").flatMap { Int($0.text) }
        return try await tenant.read { connection in
            let entries = try await CardQueries.entries(of: user, on: connection)
            var answer = MultiStatus()
            var count = 0
            for batch in Self.batches(entries) {
                for card in try await CardQueries.cards(batch, of: user, on: connection) {
                    let text = try card.text
                    guard filter.matches(text) else { continue }
                    count += 1
                    guard count <= limit ?? .max, !answer.isFull else {
                        answer.append(truncated: DAVPath.collection(user.uuid).href(base))
                        return answer.response()
                    }
                    let all = DAVProperties.card(tag: tag(card.version), text: properties.needsText ? text : nil)
                    let (found, missing) = properties.select(all)
                    answer.append(href(card.name, user), found: found, missing: missing)
                }
            }
            return answer.response()
        }
    }

    private func changes(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = DAVProperties(document)
        let token = (document.child(DAV.space, "sync-token")?.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let stale = DAV.refusal(
            .forbidden, DAVProperties.dav("valid-sync-token"), "The token is too old; read the collection anew.")
        return try await tenant.read { connection in
            let counter = try await CardQueries.counter(of: user, on: connection)
            let entries: [CardQueries.Entry]
            if token.isEmpty {
                entries = try await CardQueries.entries(of: user, on: connection)
            } else {
                let prefix = String(self.token(0).dropLast())
                guard token.hasPrefix(prefix), let version = Int64(token.dropFirst(prefix.count)),
                    version >= counter.floor, version <= counter.version,
                    let changed = try await CardQueries.changes(after: version, of: user, on: connection)
                else { return stale }
                entries = changed
            }
            var answer = MultiStatus()
            let present = entries.filter { !$0.isDeleted }
            let names = Set(present.map(\.name))
            for entry in entries where entry.isDeleted && !names.contains(entry.name) {
                answer.append(missing: href(entry.name, user))
            }
            try await append(present, properties, to: &answer, user, on: connection)
            return answer.response(token: self.token(counter.version))
        }
    }
}
