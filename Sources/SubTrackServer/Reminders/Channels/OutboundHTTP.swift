/// A message to a server that a user has named.
struct OutboundMessage: Sendable {
    /// The URL.
    let url: String
    /// The headers beside `Content-Length`.
    var headers: [(name: String, value: String)]
    /// The body.
    var body: [UInt8]
}

/// The answer of such a server.
struct OutboundAnswer: Sendable {
    /// The HTTP status.
    let status: Int
    /// The seconds of `Retry-After`; nil: there is no such header.
    var retryAfter: Int64?
    /// The first bytes of the body.
    var body: [UInt8] = []
}

/// A message that got no answer, with the reason for the user: `the server did not answer within 15 s`.
struct OutboundFailure: Error, CustomStringConvertible {
    let description: String
}

/// A way to post to servers that users name. It reaches no address of this network, unless the operator allows that.
protocol OutboundHTTP: Sendable {
    /// Posts a message. A redirect is an answer, and is not followed.
    /// - Throws: ``OutboundFailure``.
    func post(_ message: OutboundMessage) async throws -> OutboundAnswer

    /// The reason for which a URL is not posted to; nil: as far as can be told now it is.
    func refusal(of url: String) async -> String?
}
