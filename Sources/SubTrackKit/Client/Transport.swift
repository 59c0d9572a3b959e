import Foundation

/// What carries requests to a service. Tests put one in that loses answers.
public protocol Transport: Sendable {
    /// Sends a request and gives its answer, whatever its status.
    /// - Throws: ``KitError/offline(reason:retryAfter:)`` when no whole answer came; the request may have
    ///   arrived. ``KitError/insecure(_:)`` when the connection is not safe; nothing was sent.
    func send(_ request: TransportRequest) async throws -> TransportResponse
    /// The certificate authorities that it trusts; live connections trust the same.
    /// - Throws: ``KitError/authorities(file:isReadable:)`` when their file cannot be used.
    var trust: TLSTrust { get throws }
}

extension Transport {
    public var trust: TLSTrust { .system }
}

/// A request.
public struct TransportRequest: Sendable {
    /// `GET`, `POST` …
    public var method: String
    /// The whole URL.
    public var url: String
    /// Header fields.
    public var headers: [(name: String, value: String)]
    /// The body; nil: none.
    public var body: Data?

    /// A request with all its parts.
    public init(method: String, url: String, headers: [(name: String, value: String)] = [], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer.
public struct TransportResponse: Sendable {
    /// The status (RFC 9110 §15).
    public var status: Int
    /// The body.
    public var body: Data
    /// The value of `Retry-After` in seconds.
    public var retryAfter: Int?

    /// An answer with all its parts.
    public init(status: Int, body: Data, retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}
