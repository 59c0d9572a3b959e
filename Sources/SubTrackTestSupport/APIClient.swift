import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import SubTrackAPI

/// A client of a running service: typed calls of its operations, and requests of any form.
public struct APIClient: Sendable {
    /// Where the service listens: `http://127.0.0.1:40123`.
    public var baseURL: String
    /// The bearer token that is sent; nil: none.
    public var token: String?
    /// What goes before `/v1`: nothing, or `/t/{slug}`.
    public var prefix = ""
    /// The description that answers are held to; nil: that of the service's own areas.
    public var contract: APIContract?

    /// A client without a token.
    public init(baseURL: String, token: String? = nil) {
        self.baseURL = baseURL
        self.token = token
    }

    /// Calls an operation.
    /// - Parameter headers: fields beside those that a client sends anyway, such as `If-Match`.
    /// - Returns: its output.
    /// - Throws: ``SubTrackAPI/Problem`` when the service refuses it; ``UnexpectedAnswer`` for anything else.
    @discardableResult
    public func call<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, headers: [(String, String)] = []
    ) async throws -> Definition.Output {
        let response = try await response(to: operation, headers: headers)
        guard response.status == Definition.endpoint.status else {
            if response.status >= 400 { throw try response.problem() }
            throw UnexpectedAnswer(response: response, reason: "the status is not \(Definition.endpoint.status)")
        }
        if let empty = Empty() as? Definition.Output {
            guard response.body.isEmpty else { throw UnexpectedAnswer(response: response, reason: "it has a body") }
            return empty
        }
        return try response.decode(Definition.Output.self)
    }

    /// Calls an operation that must be refused.
    /// - Returns: the problem.
    /// - Throws: ``UnexpectedAnswer`` when it was not refused.
    public func refusal<Definition: SubTrackAPI.Operation>(
        of operation: Definition, headers: [(String, String)] = []
    ) async throws -> Problem {
        let response = try await response(to: operation, headers: headers)
        guard response.status >= 400 else { throw UnexpectedAnswer(response: response, reason: "it was not refused") }
        return try response.problem()
    }

    /// Calls an operation and gives its answer as it came.
    public func response<Definition: SubTrackAPI.Operation>(
        to operation: Definition, headers: [(String, String)] = []
    ) async throws -> APIResponse {
        let endpoint = Definition.endpoint
        guard var fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(operation)) as? [String: Any]
        else { throw CocoaError(.coderInvalidValue) }
        var path = endpoint.path
        for name in endpoint.pathParameters {
            let value = fields.removeValue(forKey: name).map { "\($0)" } ?? ""
            path = path.replacingOccurrences(of: "{\(name)}", with: Self.encoded(value))
        }
        if endpoint.method.readsQuery {
            let query = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded("\($0.value)"))" }
            if !query.isEmpty { path += "?" + query.joined(separator: "&") }
            return try await send(endpoint.method.rawValue, path, headers: headers)
        }
        let body = fields.isEmpty ? nil : try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
        return try await send(endpoint.method.rawValue, path, headers: headers, body: body)
    }

    /// Sends any request that is well-formed HTTP. Its answer is held to the API description.
    /// - Parameters:
    ///   - path: what follows the tenant's part, with the query: `/v1/me`.
    ///   - body: the body, if any.
    ///   - isChunked: whether its length is not said beforehand.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: Data? = nil, isChunked: Bool = false
    ) async throws -> APIResponse {
        var request = HTTPClientRequest(url: baseURL + prefix + path)
        request.method = HTTPMethod(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if body != nil { request.headers.add(name: "Content-Type", value: "application/json") }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body {
            request.body =
                isChunked ? .bytes(body, length: .unknown) : .bytes(ByteBuffer(bytes: body))
        }
        let response = try await Self.http.execute(request, timeout: .seconds(60))
        let received = try await response.body.collect(upTo: 64 << 20)
        let answer = APIResponse(
            status: Int(response.status.code), headers: response.headers.map { ($0.name.lowercased(), $0.value) },
            body: Data(received.readableBytesView))
        try (contract ?? APIContract.shared).check(method, path, answer)
        return answer
    }

    /// The shared client of the library holds but eight connections to a host, and lets the other requests wait.
    private static let http: HTTPClient = {
        // The certificates that tests make for a service are nobody's.
        var configuration = HTTPClient.Configuration(certificateVerification: .none)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Sends JSON as it is written, right or wrong.
    public func send(_ method: String, _ path: String, json: String) async throws -> APIResponse {
        try await send(method, path, body: Data(json.utf8))
    }

    /// A text as it stands in a path or a query (RFC 3986 §2.3).
    public static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isUnreserved =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            if isUnreserved {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
