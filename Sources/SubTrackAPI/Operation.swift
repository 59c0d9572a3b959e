import Foundation

/// One thing that a client can ask of the service, defined once.
///
/// The type's own stored properties are the input. From the same definition come the REST route, the JSON-RPC method,
/// the entry in the API description and the typed call of the client library.
public protocol Operation: Codable, Sendable {
    /// The content of a successful answer.
    associatedtype Output: Codable & Sendable

    /// The name on sockets: `subscriptions.renew`.
    static var name: String { get }
    /// The REST route. A `{name}` in its path fills the property of that name; the other fields come from a body or the
    /// query.
    static var endpoint: Endpoint { get }
    /// The callers that it admits.
    static var access: Access { get }
    /// One sentence about its effect, for the API description.
    static var summary: String { get }
    /// Codes of problems that it answers beside those that its route, its access and ``conditions`` bring with them.
    static var errors: [ErrorCode] { get }
    /// The conditions that a caller may set.
    static var conditions: Conditions { get }
    /// Whether it takes or gives a password or a token, or sends mail. It takes no `Idempotency-Key`, for its answer is
    /// not kept. It is limited by the caller's address. False unless told.
    static var handlesSecrets: Bool { get }
    /// Whether its answer has a token for the caller's device, `token`, which a browser may have as a cookie instead
    /// (`Session-Delivery: cookie`). False unless told.
    static var givesToken: Bool { get }
    /// The media type of an answer that is a text, on HTTP; nil: JSON. On sockets such an answer is a JSON string.
    static var mediaType: String? { get }
    /// Whether an ended token counts as none. Operations that lead (back) in have it: a client that sends its token
    /// with everything would be told again and again to sign in. False unless told.
    static var takesEndedTokens: Bool { get }
}

/// The conditions of a write beside its input.
public struct Conditions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    /// It can be sent again under an `Idempotency-Key`.
    public static let idempotencyKey = Conditions(rawValue: 1)
    /// It can be meant for one version of its row alone: `If-Match`.
    public static let ifMatch = Conditions(rawValue: 2)

    /// The conditions of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension Operation {
    public static var handlesSecrets: Bool { false }
    public static var takesEndedTokens: Bool { false }
    public static var givesToken: Bool { false }
    public static var mediaType: String? { nil }

    /// None but the usual ones.
    public static var errors: [ErrorCode] { [] }

    /// A write that needs a token takes an idempotency key, and `If-Match` where it changes a row that has a version and
    /// is given back. One that takes or gives a secret takes none: an answer that is kept must hold none.
    public static var conditions: Conditions {
        guard endpoint.method != .get, access != .public, !handlesSecrets else { return [] }
        let isVersioned = Output.self is any Versioned.Type
        return isVersioned && endpoint.status != 201 ? [.idempotencyKey, .ifMatch] : .idempotencyKey
    }
}

/// The callers that an operation admits.
public enum Access: String, Sendable, CaseIterable {
    /// Anybody; a token is looked at when one is sent.
    case `public`
    /// A device with a token, with or without an account.
    case device
    /// A device whose user has an account.
    case account
}

/// The REST route of an operation.
public struct Endpoint: Sendable, Hashable {
    /// An HTTP method (RFC 9110 §9, RFC 5789).
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether input other than the path's comes in the query, there being no body.
        public var readsQuery: Bool { self == .get }
    }

    /// The method.
    public let method: Method
    /// The path below the tenant, with `{name}` for its parameters: `/v1/plans/{id}`.
    public let path: String
    /// The status of a successful answer.
    public let status: Int

    /// A route with its method, path and status of success.
    public init(_ method: Method, _ path: String, status: Int = 200) {
        self.method = method
        self.path = path
        self.status = status
    }

    /// A `GET` that answers 200.
    public static func get(_ path: String) -> Endpoint { Endpoint(.get, path) }
    /// A `POST` that answers 200 unless another status is given.
    public static func post(_ path: String, status: Int = 200) -> Endpoint { Endpoint(.post, path, status: status) }
    /// A `PUT` that answers 200.
    public static func put(_ path: String) -> Endpoint { Endpoint(.put, path) }
    /// A `PATCH` that answers 200.
    public static func patch(_ path: String) -> Endpoint { Endpoint(.patch, path) }
    /// A `DELETE` that answers 204 unless another status is given.
    public static func delete(_ path: String, status: Int = 204) -> Endpoint { Endpoint(.delete, path, status: status) }

    /// The names in braces in the path, in order.
    public var pathParameters: [String] {
        path.split(separator: "/").compactMap { part in
            part.hasPrefix("{") && part.hasSuffix("}") ? String(part.dropFirst().dropLast()) : nil
        }
    }
}

/// An answer that carries nothing: 204 on REST, `null` on sockets.
public struct Empty: Codable, Sendable, Hashable {
    /// Nothing.
    public init() {}
}

/// A row that has a version: on REST its entity tag (RFC 9110 §8.8.3), for `If-Match`.
public protocol Versioned {
    /// The version of the row in its scope.
    var version: Int64 { get }
}
