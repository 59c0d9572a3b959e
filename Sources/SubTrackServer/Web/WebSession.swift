import NIOHTTP1
import Passwords
import SubTrackAPI

/// The credentials of a request: its `Authorization` or its cookie.
struct WebSession: Sendable {
    /// Whether the client wants its token as a cookie: `Session-Delivery: cookie`.
    let isDeliveryWanted: Bool
    /// Where the tenant's cookie is.
    let place: SessionCookie.Place
    /// The token's text and, where it came by one, its cookie.
    let credential: Credential

    /// The credentials of a request.
    enum Credential: Sendable {
        case none
        case bearer(String)
        case cookie(SessionCookie)
    }

    /// The header by which a client says how it wants its token.
    static let deliveryHeader = "session-delivery"

    /// Reads a request's credentials.
    /// - Parameters:
    ///   - isChange: whether the request may change something: any method but GET and HEAD, or one that opens a WebSocket.
    ///   - canDeliver: whether the operation gives a token.
    /// - Throws: `origin_refused`; `token_invalid` for a header that cannot be read; `input_invalid` for an unknown delivery.
    init(
        _ headers: HTTPHeaders, tenant slug: String, origin: WebOrigin, isChange: Bool, canDeliver: Bool
    ) throws(Problem) {
        place = SessionCookie.Place(tenant: slug, origin: origin)
        let rule = OriginRule(headers: headers, origin: origin)
        switch headers.first(name: Self.deliveryHeader) {
        case _ where !canDeliver, nil: isDeliveryWanted = false
        case "cookie": isDeliveryWanted = true
        default: throw Problem(.inputInvalid, "Session-Delivery can be \"cookie\" and nothing else.")
        }
        if let text = try BearerToken.text(of: headers.first(name: "authorization")) {
            credential = .bearer(text)
            // The token identifies the caller. It does not show that a page of ours is to get the cookie.
            if isDeliveryWanted { try rule.check(needsProof: true) }
            return
        }
        let cookie = place.cookie(in: headers)
        if isChange {
            try rule.check(needsProof: cookie != nil || isDeliveryWanted)
        } else if rule.isForeignReading {
            credential = .none
            return
        }
        credential = cookie.map { .cookie($0) } ?? .none
    }

    /// The token's text; nil where there is none.
    var token: String? {
        switch credential {
        case .none: nil
        case .bearer(let text): text
        case .cookie(let cookie): cookie.token
        }
    }

    /// The cookie by which the request speaks for somebody.
    var cookie: SessionCookie? {
        if case .cookie(let cookie) = credential { cookie } else { nil }
    }

    /// Whether the cookie is to go because its session or its user is gone.
    ///
    /// It stays where the device has another session. The browser got that one's cookie a moment ago, in another tab
    /// perhaps, and this answer must not take it away.
    /// - Parameter problem: why the request is refused.
    func isOver(by problem: Problem, in tenant: Tenant) async -> Bool {
        guard let cookie, problem.code == .tokenEnded || problem.code == .userDeleted else { return false }
        guard let device = cookie.device else { return true }
        let isSignedIn = try? await tenant.client.withConnection(tenant.database) { connection in
            try await SessionQueries.isSignedIn(device: device, on: connection)
        }
        return isSignedIn == false
    }

    /// Takes the token out of an answer.
    /// - Returns: the answer without it, and the cookie that holds it.
    static func deliver(_ body: [UInt8], at now: Instant) throws -> (body: [UInt8], cookie: SessionCookie) {
        guard case .object(var members) = try JSONScanner.scan(body, within: .file),
            let index = members.firstIndex(where: { $0.name == "token" }),
            case .string(let token) = members[index].value
        else { throw Problem(.internalError, "The answer has no token.") }
        members.remove(at: index)
        var device: String?
        if case .object(let fields)? = members.first(where: { $0.name == "device" })?.value,
            case .string(let id)? = fields.first(where: { $0.name == "id" })?.value
        {
            device = id
        }
        var writer = JSONWriter(capacity: body.count)
        writer.write(JSONValue.object(members))
        return (
            writer.bytes,
            SessionCookie(
                token: token, day: SessionCookie.day(at: now), device: device.flatMap { .init(uuidString: $0) })
        )
    }
}
