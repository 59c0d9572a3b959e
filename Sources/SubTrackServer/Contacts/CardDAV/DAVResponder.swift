import Foundation
import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI

/// The answers to a user's address book (CardDAV, RFC 6352).
///
/// A collection is the user's contacts, its sync token the scope's version, a card's entity tag the contact's version.
struct DAVResponder: Sendable {
    let tenant: Tenant
    let request: ServerRequest
    let target: RequestTarget
    let call: Call
    let inputs: LargeInputs
    /// The root of the tenant's paths.
    var base: String { target.slug.map { "/t/\($0)" } ?? "" }

    /// The path at which programs ask for the service's own (RFC 6764).
    static let wellKnown = [".well-known", "carddav"]
    /// The problem of a path that is not there.
    static let nothing = Problem(.notFound, "There is nothing at this path.")

    /// The answer that needs no sign-in: the way from the well-known path, and the methods of a path.
    static func open(_ request: ServerRequest, _ target: RequestTarget) -> ServerResponse? {
        let base = target.slug.map { "/t/\($0)" } ?? ""
        if target.segments == wellKnown { return DAV.empty(.movedPermanently, ["location": "\(base)/dav/"]) }
        guard DAV.methods.contains(request.method.rawValue) else { return otherMethod }
        return request.method == .OPTIONS ? DAV.empty(.ok, allow) : nil
    }

    private static let allow: HTTPHeaders = ["allow": DAV.methods.joined(separator: ", ")]
    private static let otherMethod = DAV.empty(.methodNotAllowed, allow)

    /// The name and the password of `Authorization: Basic`; nil where there are none.
    static func credentials(_ headers: HTTPHeaders) -> (name: String, password: String)? {
        guard let header = headers.first(name: "authorization"), header.utf8.count <= 2000,
            header.prefix(6).lowercased() == "basic ",
            let data = Data(base64Encoded: String(header.dropFirst(6)).trimmingSpaces()),
            let text = String(validating: data, as: UTF8.self), !ClientText.hasTooManyMarks(text),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
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
            throw Self.nothing
        }
        switch (request.method, path) {
        case (.PROPFIND, _): return try await propfind(path, user)
        case (.REPORT, .collection): return try await report(user)
        case (.GET, .card(_, let name)), (.HEAD, .card(_, let name)): return try await get(name, user)
        case (.PUT, .card(_, let name)): return try await put(name, user)
        case (.DELETE, .card(_, let name)): return try await delete(name, user)
        default: return Self.otherMethod
        }
    }

    // MARK: For all methods

    /// Does work, on a thread of its own where that takes long: no loop of the database waits for it.
    /// - Parameter size: how many bytes it goes through.
    /// - Throws: `unavailable` where too much work waits.
    func work<Result: Sendable>(
        _ size: Int, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let place = inputs.place(size: size, network: call.origin.networks.region.description)
        return if let place { try await place.run(body) } else { try body() }
    }

    /// The XML of the request; nil: it has no body.
    func document() async throws -> DAVElement? {
        guard request.body.readableBytes > 0 else { return nil }
        let bytes = Array(request.body.readableBytesView)
        return try await work(bytes.count) {
            do throws(DAVElement.Failure) {
                return try DAVElement.read(bytes)
            } catch {
                throw Problem(.inputInvalid, "The body cannot be read as XML: \(error.reason).")
            }
        }
    }

    /// The tenant's epoch, which another one follows when a backup is restored: versions reach the same values again.
    private var epoch: String {
        tenant.epoch.value.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The beginning of sync tokens.
    var tokenPrefix: String { "urn:subtrackit:\(epoch):" }

    /// The sync token of a version.
    func token(_ version: Int64) -> String { tokenPrefix + String(version) }

    /// The entity tag of a version, in quotes.
    func tag(_ version: Int64) -> String { "\"\(epoch)-\(version)\"" }

    /// The path of a user's card.
    func href(_ name: String, _ user: UserID) -> String { DAVPath.card(user.uuid, name: name).href(base) }

    // MARK: PROPFIND

    private func propfind(_ path: DAVPath, _ user: UserID) async throws -> ServerResponse {
        let properties = try DAVProperties(try await document())
        var answer = MultiStatus()
        if case .card(_, let name) = path {
            guard let entry = try await tenant.read({ try await CardQueries.entry(name, of: user, on: $0) }) else {
                throw Self.noCard
            }
            try await append([entry], properties, to: &answer, user)
            return answer.response()
        }
        let depth = request.headers.first(name: "depth") ?? "infinity"
        guard ["0", "1"].contains(depth) else {
            return DAV.refusal(
                .forbidden, DAVProperties.dav("propfind-finite-depth"), "Ask with Depth: 0 or Depth: 1.")
        }
        // Read before the cards: a change in between is told again, and none is left out.
        let counter = try await tenant.read { try await CardQueries.counter(of: user, on: $0) }
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
            answer.append(MultiStatus.resource(place.href(base), found: found, missing: missing))
        }
        if case .collection = path, depth == "1" {
            let entries = try await tenant.read { try await CardQueries.entries(of: user, on: $0) }
            try await append(entries, properties, to: &answer, user)
        }
        return answer.response()
    }

    /// Appends cards with their properties. Those for which there is no room are named as left out.
    func append(
        _ entries: [CardQueries.Entry], _ properties: DAVProperties, to answer: inout MultiStatus, _ user: UserID
    ) async throws {
        for batch in Self.batches(entries, of: properties.needsText ? 30 : 500) {
            if answer.isFull {
                answer.append(
                    try await work(batch.count * 200) {
                        batch.map { MultiStatus.leftOut(href($0.name, user)) }.joined()
                    })
            } else if properties.needsText {
                let cards = try await tenant.read { try await CardQueries.cards(batch, of: user, on: $0) }
                answer.append(
                    try await work(cards.reduce(0) { $0 + $1.size }) {
                        try cards.map { resource($0.name, $0.version, try $0.text, properties, user) }.joined()
                    })
            } else {
                answer.append(
                    try await work(batch.count * 200) {
                        batch.map { resource($0.name, $0.version, nil, properties, user) }.joined()
                    })
            }
        }
    }

    /// A card in an answer about several.
    func resource(
        _ name: String, _ version: Int64, _ text: String?, _ properties: DAVProperties, _ user: UserID
    ) -> String {
        let (found, missing) = properties.select(DAVProperties.card(tag: tag(version), text: text))
        return MultiStatus.resource(href(name, user), found: found, missing: missing)
    }

    /// Contacts in parts that are read at once: the card of a photo is a quarter of a mebibyte.
    static func batches(_ entries: [CardQueries.Entry], of size: Int = 30) -> [[CardQueries.Entry]] {
        stride(from: 0, to: entries.count, by: size).map { Array(entries[$0..<min($0 + size, entries.count)]) }
    }
}
