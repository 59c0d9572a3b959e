import Foundation
import SubTrackAPI

/// Calls the operations of a service, each by its type:
///
///     let plans = try await client.call(ListPlans(country: "US", search: "netflix")).plans
public struct Client: Sendable {
    /// Where the service is: `https://subtrack.example.org`, with `/t/slug` where a tenant is named by path.
    public let server: String
    /// Where the bearer token is.
    public let tokens: any TokenStore
    private let transport: any Transport

    /// A client of a service.
    /// - Parameters:
    ///   - server: where the service is, up to `/v1`.
    ///   - tokens: where the token is kept.
    ///   - transport: what carries the requests.
    public init(server: String, tokens: any TokenStore, transport: any Transport = HTTPTransport()) {
        self.server = Self.normalized(server)
        self.tokens = tokens
        self.transport = transport
    }

    /// An address of a service in the form in which two can be compared: with a scheme, without the scheme's own port and
    /// without slashes at its end, scheme and host in lower case (RFC 3986 §6.2).
    public static func normalized(_ server: String) -> String {
        var server = server.trimmed
        while server.hasSuffix("/") { server.removeLast() }
        if !server.contains("://") { server = "https://" + server }
        guard var parts = URLComponents(string: server), let host = parts.host else { return server }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = host.lowercased()
        if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
        return parts.string ?? server
    }

    /// Calls an operation.
    /// - Parameters:
    ///   - operation: the operation with its input.
    ///   - idempotencyKey: stands for this call alone; sent again with the same key it is answered again, not done again.
    ///   - ifMatch: the version of the row for which alone it is meant.
    ///   - token: the token to send in place of the kept one; `.some(nil)`: none.
    /// - Returns: the operation's output.
    /// - Throws: ``KitError``.
    @discardableResult
    public func call<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, idempotencyKey: UUID? = nil, ifMatch: Int64? = nil, token: String?? = nil
    ) async throws -> Definition.Output {
        var headers: [(name: String, value: String)] = []
        if let idempotencyKey { headers.append(("Idempotency-Key", idempotencyKey.uuidString.lowercased())) }
        if let ifMatch { headers.append(("If-Match", "\"\(ifMatch)\"")) }
        let body = try await answer(to: operation, headers: headers, token: token)
        if let empty = Empty() as? Definition.Output { return empty }
        do {
            return try JSONDecoder().decode(Definition.Output.self, from: body)
        } catch {
            throw KitError.nonsense("no \(Definition.name) in \(body.count) bytes")
        }
    }

    /// Calls an operation and gives the body of its successful answer.
    func answer<Definition: SubTrackAPI.Operation>(
        to operation: Definition, headers: [(name: String, value: String)] = [], token: String?? = nil
    ) async throws -> Data {
        var request = try Self.request(operation, server: server)
        request.headers += headers
        let sent = if let token { token } else { try tokens.token() }
        if let sent { request.headers.append(("Authorization", "Bearer \(sent)")) }
        let response = try await transport.send(request)
        guard response.status == Definition.endpoint.status else { throw Self.error(response) }
        return response.body
    }

    /// The request of an operation.
    static func request<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, server: String
    ) throws -> TransportRequest {
        let endpoint = Definition.endpoint
        let encoder = JSONEncoder()
        guard case .object(var fields) = try JSONDecoder().decode(AnyJSON.self, from: encoder.encode(operation)) else {
            throw KitError.invalid(field: "", message: "\(Definition.name) has no fields")
        }
        // What is nil was left out already, but for fields of a merge patch, where null says something.
        var path = endpoint.path
        for name in endpoint.pathParameters {
            let value = fields.removeValue(forKey: name)?.text ?? ""
            path = path.replacing("{\(name)}", with: value.percentEncoded)
        }
        var request = TransportRequest(method: endpoint.method.rawValue, url: server + path)
        request.headers.append(("Accept", "application/json"))
        if endpoint.method.readsQuery {
            let query = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text.percentEncoded)" }
            if !query.isEmpty { request.url += "?" + query.joined(separator: "&") }
        } else if !fields.isEmpty {
            request.body = try encoder.encode(AnyJSON.object(fields))
            request.headers.append(("Content-Type", "application/json"))
        }
        return request
    }

    /// A problem as far as it must be known to tell it, whatever its code.
    private struct AnyProblem: Decodable {
        var code: String
        var detail: String
    }

    /// What an answer says that is no success.
    static func error(_ response: TransportResponse) -> KitError {
        guard let any = try? JSONDecoder().decode(AnyProblem.self, from: response.body), response.status >= 400 else {
            // A proxy in front of a service that is away, a page to sign in to a network.
            return switch response.status {
            case 502, 503, 504, 429:
                .offline(reason: "the service is not available", retryAfter: response.retryAfter)
            default: .nonsense("status \(response.status) without a problem")
            }
        }
        // A code that is not known is told by its status.
        var told = Problem(ErrorCode(status: response.status), any.detail)
        told.status = response.status
        let problem = (try? JSONDecoder().decode(Problem.self, from: response.body)) ?? told
        return switch problem.code {
        case .tokenMissing, .tokenInvalid, .tokenEnded: .signedOut
        case .userDeleted: .userDeleted
        case .unavailable, .tenantMigrating, .outcomeUnknown, .rateLimited, .internalError:
            .offline(reason: problem.detail, retryAfter: problem.retryAfter ?? response.retryAfter)
        default: .refused(problem)
        }
    }
}

extension AnyJSON {
    /// A value as it stands in a path or a query.
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): String(flag)
        case .null, .array, .object: ""
        }
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
