import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SubTrackAPI

/// Answers HTTP requests: finds the tenant, the session and the operation, and writes the operation's answer.
struct APIResponder: HTTPResponder {
    typealias Context = ConnectionContext

    /// The largest body that is read, in bytes.
    static let maximumBody = 1 << 20

    let routes: RouteTable
    let dispatcher: OperationDispatcher
    /// Answers what is not an operation: health, readiness, metrics.
    let system: SystemRoutes
    let proxies: TrustedProxies
    let metrics: RequestMetrics
    private var logger: Logger { dispatcher.logger }

    func respond(to request: Request, context: Context) async throws -> Response {
        let requestID = context.id
        let start = ContinuousClock.now
        var operation = "none"
        var response: Response
        do {
            response = try await answer(request, context: context, operation: &operation)
        } catch {
            response = HTTPProblem.response(for: error, requestID: requestID, logger: logger)
        }
        response.headers[.xRequestID] = requestID
        if request.method == .head { response = response.createHeadResponse() }
        metrics.record(operation: operation, status: response.status.code, duration: ContinuousClock.now - start)
        return response
    }

    private func answer(
        _ request: Request, context: ConnectionContext, operation: inout String
    ) async throws -> Response {
        let requestID = context.id
        let target: RequestTarget
        do throws(RequestTarget.Failure) {
            target = try RequestTarget(request.head.path ?? "/")
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
        if target.segments == ["v1", "live"], request.method == .get {
            operation = "system"
            return liveRefusal(request, requestID: requestID)
        }
        let method = request.method == .head ? .get : Endpoint.Method(rawValue: request.method.rawValue)
        let entry: OperationRegistry.Entry
        let parameters: [JSONValue.Member]
        switch routes.match(method, target.segments) {
        case .operation(let found, let values): (entry, parameters) = (found, values)
        case .otherMethods(let methods): return methodNotAllowed(methods, requestID: requestID)
        case .nothing: throw Problem(.notFound, "There is nothing at this path.")
        }
        operation = entry.name
        let tenant = try await dispatcher.tenant(slug: target.slug, host: request.head.authority)
        let now = dispatcher.clock.now()
        let session = try await session(of: request, in: tenant, now: now)
        var call = Call(
            tenant: tenant, session: session, now: now,
            ifMatch: VersionCondition(header: request.headers[.ifMatch]),
            ifNoneMatch: entry.endpoint.method == .get
                ? EntityTagCondition(header: request.headers[.ifNoneMatch]) : .none,
            idempotencyKey: entry.conditions.contains(.idempotencyKey) || entry.handlesSecrets
                ? try request.headers[.idempotencyKey].map(IdempotencyKey.init) : nil,
            requestID: requestID, logger: logger)
        if entry.handlesSecrets {
            let peer = context.remoteAddress?.ipAddress ?? "local"
            call.origin = CallOrigin(
                address: proxies.client(peer: peer, forwarded: request.headers[.xForwardedFor]),
                languages: request.headers[.acceptLanguage])
        }
        let input = try await Self.input(
            of: request, method: entry.endpoint.method, query: target.query, parameters: parameters)
        return HTTPReply.response(try await entry.perform(input, call), status: entry.endpoint.status)
    }

    /// Who sent a request; nil when it carries no token.
    private func session(of request: Request, in tenant: Tenant, now: Instant) async throws -> Session? {
        guard let token = try BearerToken.text(of: request.headers[.authorization]) else { return nil }
        return try await tenant.sessions.session(token: token, now: now)
    }

    /// The input of an operation: its path's names, and the query or the body.
    private static func input(
        of request: Request, method: Endpoint.Method, query: [JSONValue.Member], parameters: [JSONValue.Member]
    ) async throws -> JSONValue {
        var members = parameters
        let others: [JSONValue.Member]
        if method.readsQuery {
            others = query
        } else {
            if let stray = query.first {
                throw Problem.input(stray.name, .unknown, "goes in the body, not in the query")
            }
            others = try await body(of: request)
        }
        for member in others {
            guard !parameters.contains(where: { $0.name == member.name }) else {
                throw Problem.input(member.name, .unknown, "stands in the path already")
            }
            members.append(member)
        }
        return .object(members)
    }

    private static func body(of request: Request) async throws -> [JSONValue.Member] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBody {
            throw Problem(.tooLarge, "The body may have \(maximumBody) bytes, has \(length).")
        }
        var request = request
        let buffer: ByteBuffer
        do {
            buffer = try await request.collectBody(upTo: maximumBody)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, "The body may have \(maximumBody) bytes.")
        } catch let error where !(error is CancellationError) {
            // The transport's: chunks that are none, or a sender that went away in the middle.
            throw Problem(.inputInvalid, "The body cannot be read to its end: the request is not valid HTTP.")
        }
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
    private func liveRefusal(_ request: Request, requestID: String) -> Response {
        let isUpgrade = request.headers[.upgrade]?.lowercased() == "websocket"
        var response = HTTPProblem.response(
            for: LiveUpgrade.refusal(isUpgrade: isUpgrade), requestID: requestID, logger: logger)
        response.headers[.upgrade] = "websocket"
        response.headers[.connection] = "close"
        return response
    }

    private func methodNotAllowed(_ methods: [Endpoint.Method], requestID: String) -> Response {
        let allowed = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }.joined(separator: ", ")
        var response = HTTPProblem.response(
            for: Problem(.methodNotAllowed, "This path takes \(allowed)."), requestID: requestID, logger: logger)
        response.headers[.allow] = allowed
        return response
    }
}
