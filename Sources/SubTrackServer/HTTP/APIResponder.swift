import Logging
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI

/// Answers HTTP requests: finds the tenant, the session and the operation, and writes the operation's answer.
struct APIResponder: Sendable {
    let routes: RouteTable
    let dispatcher: OperationDispatcher
    /// Answers what is not an operation: health, readiness, metrics.
    let system: SystemRoutes
    let proxies: TrustedProxies
    let metrics: RequestMetrics
    var logger: Logger { dispatcher.logger }

    /// Answers a request, whatever it is.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let start = ContinuousClock.now
        var operation = "none"
        var response: ServerResponse
        do {
            response = try await answer(request, operation: &operation)
            response.headers.add(name: ServerResponse.Name.requestID, value: request.id)
        } catch {
            response = self.response(for: error, id: request.id)
        }
        metrics.record(operation: operation, status: Int(response.status.code), duration: ContinuousClock.now - start)
        return response
    }

    /// What went wrong with a request, as its answer.
    func response(for error: any Error, id: String, status: HTTPResponseStatus? = nil) -> ServerResponse {
        var response = HTTPProblem.response(for: error, requestID: id, status: status, logger: logger)
        response.headers.add(name: ServerResponse.Name.requestID, value: id)
        return response
    }

    private func answer(_ request: ServerRequest, operation: inout String) async throws -> ServerResponse {
        let requestID = request.id
        let target: RequestTarget
        do throws(RequestTarget.Failure) {
            target = try RequestTarget(request.target)
        } catch {
            switch error {
            case .path: throw Problem(.notFound, "There is nothing at this path.")
            case .query(let reason): throw Problem(.inputInvalid, reason)
            }
        }
        if target.slug == nil, let response = await system.respond(to: request, path: target.segments) {
            operation = "system"
            return response
        }
        if target.slug == nil, system.has(target.segments) { return methodNotAllowed([.get], requestID: requestID) }
        if let page = AccountPages.response(to: request, path: target.segments) {
            operation = "system"
            return page
        }
        if target.segments == ["v1", "live"], request.method == .GET {
            operation = "system"
            return liveRefusal(request, requestID: requestID)
        }
        let method = request.method == .HEAD ? .get : Endpoint.Method(rawValue: request.method.rawValue)
        let entry: OperationRegistry.Entry
        let parameters: [JSONValue.Member]
        switch routes.match(method, target.segments) {
        case .operation(let found, let values): (entry, parameters) = (found, values)
        case .otherMethods(let methods): return methodNotAllowed(methods, requestID: requestID)
        case .nothing: throw Problem(.notFound, "There is nothing at this path.")
        }
        operation = entry.name
        let tenant = try await dispatcher.tenant(
            slug: target.slug,
            host: proxies.host(request.authority, peer: request.peer, headers: request.headers))
        let now = dispatcher.clock.now()
        let session = try await session(of: request, for: entry, in: tenant)
        var call = Call(
            tenant: tenant, session: session, now: now,
            ifMatch: VersionCondition(header: request.headers.first(name: "if-match")),
            ifNoneMatch: entry.endpoint.method == .get
                ? EntityTagCondition(header: request.headers.first(name: "if-none-match")) : .none,
            idempotencyKey: entry.conditions.contains(.idempotencyKey) || entry.handlesSecrets
                ? try request.headers.first(name: "idempotency-key").map(IdempotencyKey.init) : nil,
            requestID: requestID, logger: logger)
        if entry.handlesSecrets {
            let peer = request.peer?.ipAddress ?? "local"
            call.origin = CallOrigin(
                address: proxies.client(peer: peer, headers: request.headers),
                languages: request.headers.first(name: "accept-language"))
        }
        let input = try Self.input(
            of: request, method: entry.endpoint.method, query: target.query, parameters: parameters)
        return HTTPReply.response(try await entry.perform(input, call), status: entry.endpoint.status)
    }

    /// Who sent a request; nil when it carries no token.
    private func session(
        of request: ServerRequest, for entry: OperationRegistry.Entry, in tenant: Tenant
    ) async throws -> Session? {
        guard let text = try BearerToken.text(of: request.headers.first(name: "authorization")) else { return nil }
        guard let token = Token(text) else {
            if entry.takesEndedTokens { return nil }
            throw SessionStore.malformed
        }
        return try await tenant.sessions.session(hash: try token.hash, for: entry)
    }

    /// The input of an operation: its path's names, and the query or the body.
    private static func input(
        of request: ServerRequest, method: Endpoint.Method, query: [JSONValue.Member], parameters: [JSONValue.Member]
    ) throws -> JSONValue {
        var members = parameters
        let others: [JSONValue.Member]
        if method.readsQuery {
            others = query
        } else {
            if let stray = query.first {
                throw Problem.input(stray.name, .unknown, "goes in the body, not in the query")
            }
            others = try body(of: request)
        }
        for member in others {
            guard !parameters.contains(where: { $0.name == member.name }) else {
                throw Problem.input(member.name, .unknown, "stands in the path already")
            }
            members.append(member)
        }
        return .object(members)
    }

    private static func body(of request: ServerRequest) throws -> [JSONValue.Member] {
        let buffer = request.body
        guard buffer.readableBytes > 0 else { return [] }
        // Whatever the content is called: there is one format, and curl names another one unless told.
        do throws(JSONScanner.Failure) {
            guard case .object(let members) = try JSONScanner.scan(buffer.readableBytesView) else {
                throw JSONScanner.Failure(reason: "the body must be an object", offset: 0)
            }
            return members
        } catch {
            throw Problem.input("", .json, "\(error.reason), at byte \(error.offset)")
        }
    }

    /// A request for the live path that came too late on its connection, or not as one for a WebSocket.
    private func liveRefusal(_ request: ServerRequest, requestID: String) -> ServerResponse {
        let isUpgrade = request.headers.first(name: "upgrade")?.lowercased() == "websocket"
        var response = HTTPProblem.response(
            for: LiveUpgrade.refusal(isUpgrade: isUpgrade), requestID: requestID, logger: logger)
        response.headers.add(name: "upgrade", value: "websocket")
        response.headers.add(name: "connection", value: "close")
        return response
    }

    private func methodNotAllowed(_ methods: [Endpoint.Method], requestID: String) -> ServerResponse {
        let allowed = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }.joined(separator: ", ")
        var response = HTTPProblem.response(
            for: Problem(.methodNotAllowed, "This path takes \(allowed)."), requestID: requestID, logger: logger)
        response.headers.add(name: "allow", value: allowed)
        return response
    }
}
