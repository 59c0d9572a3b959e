/// Answers at paths of its own, by another protocol than the API's. It finds out by itself for which user a request is.
protocol PathResponder: Sendable {
    /// The name in metrics.
    var name: String { get }
    /// Whether a path is one of its own.
    func has(_ target: RequestTarget) -> Bool
    /// Answers a request with its whole body.
    func respond(to request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse
    /// Looks at a request whose body is still to come.
    /// - Returns: the answer where the body does not matter; nil: the body is wanted.
    func refusal(of request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse?
}

extension TrustedProxies {
    /// The origin of a request: the client's address and its languages.
    func origin(of request: ServerRequest) -> CallOrigin {
        CallOrigin(
            address: client(peer: request.peer?.ipAddress ?? "local", headers: request.headers),
            languages: request.headers.first(name: "accept-language"))
    }

    /// The host that a request names.
    func host(of request: ServerRequest) -> String {
        host(request.authority, peer: request.peer, headers: request.headers) ?? ""
    }
}
