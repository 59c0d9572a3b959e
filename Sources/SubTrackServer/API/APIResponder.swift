import Logging
import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI

/// Answers HTTP requests: finds the tenant, the session and the operation, and writes the operation's answer.
struct APIResponder: RequestResponder {
    let routes: RouteTable
    let dispatcher: OperationDispatcher
    /// The descriptions of the API.
    let descriptions: APIDescriptions
    /// The areas of a tenant about which its operator has said nothing.
    let standardAreas: AreaSet
    /// The routes that are no operations: health, readiness, metrics.
    let system: SystemRoutes
    /// The web app's routes.
    let web: WebResponder
    /// Other protocols.
    let others: [any PathResponder]
    let proxies: TrustedProxies
    let metrics: RequestMetrics
    var logger: Logger { dispatcher.logger }

    /// Answers any request.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let start = ContinuousClock.now
        var operation = "none"
        var cookie: String?
        var response: ServerResponse
        do {
            response = try await answer(request, operation: &operation, cookie: &cookie)
            response.headers.add(name: ServerResponse.Name.requestID, value: request.id)
        } catch {
            response = self.response(for: error, request)
        }
        if let cookie { response.headers.add(name: "set-cookie", value: cookie) }
        metrics.record(operation: operation, status: Int(response.status.code), duration: ContinuousClock.now - start)
        return response
    }

    /// - Parameters:
    ///   - operation: gets the operation's name.
    ///   - cookie: gets the value of `Set-Cookie`; nil leaves the browser's cookie alone.
    private func answer(
        _ request: ServerRequest, operation: inout String, cookie: inout String?
    ) async throws -> ServerResponse {
        let requestID = request.id
        try Self.checkHeaders(of: request)
        let target: RequestTarget
        do throws(RequestTarget.Failure) {
            target = try RequestTarget(request.target)
        } catch {
            switch error {
            case .path: throw Problem(.notFound, "There is nothing at this path.")
            case .query(let reason): throw Problem(.inputInvalid, reason)
            }
        }
        if target.segments == ["openapi.json"], request.method == .GET || request.method == .HEAD {
            operation = "system"
            return try descriptions.description(of: await areas(of: target, request)).response(to: request)
        }
        if target.slug == nil, let response = try await system.respond(to: request, path: target.segments) {
            operation = "system"
            return response
        }
        if target.slug == nil, system.has(target.segments) { return methodNotAllowed([.get], requestID: requestID) }
        if let other = other(at: target) {
            operation = other.name
            return try await other.respond(to: request, target)
        }
        do {
            if let answer = try await web.response(to: request, target: target) {
                operation = "web"
                return answer
            }
        } catch is WebResponder.OtherMethod {
            operation = "web"
            return methodNotAllowed([.get], requestID: requestID)
        }
        if let page = ProblemPages.response(to: request, path: target.segments) {
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
        case .otherMethods(let methods): return try await otherMethods(methods, target, request)
        case .nothing: throw Problem(.notFound, "There is nothing at this path.")
        }
        operation = entry.name
        let tenant = try await dispatcher.tenant(
            slug: target.slug, host: host(of: request), for: entry)
        let now = dispatcher.clock.now()
        let browser = try webSession(of: request, for: entry, in: tenant)
        do {
            let session = try await session(of: browser, request, for: entry, in: tenant)
            let reply = try await perform(entry, request, target, parameters, session, in: tenant, at: now)
            return try await finish(reply, of: entry, browser, session, in: tenant, at: now, cookie: &cookie)
        } catch let problem as Problem {
            if await browser.isOver(by: problem, in: tenant) { cookie = browser.place.clearing }
            throw problem
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    private func perform(
        _ entry: OperationRegistry.Entry, _ request: ServerRequest, _ target: RequestTarget,
        _ parameters: [JSONValue.Member], _ session: Session?, in tenant: Tenant, at now: Instant
    ) async throws -> EncodedReply {
        var call = Call(
            tenant: tenant, session: session, now: now,
            ifMatch: VersionCondition(header: request.headers.first(name: "if-match")),
            ifNoneMatch: entry.endpoint.method == .get
                ? EntityTagCondition(header: request.headers.first(name: "if-none-match")) : .none,
            idempotencyKey: entry.conditions.contains(.idempotencyKey) || entry.handlesSecrets
                ? try request.headers.first(name: "idempotency-key").map(IdempotencyKey.init) : nil,
            requestID: request.id, logger: logger)
        call.origin = origin(of: request)
        let place = dispatcher.inputs.place(
            size: request.body.readableBytes, network: call.origin.networks.region.description)
        let members = try await Self.members(
            of: request, entry: entry, query: target.query, parameters: parameters, at: place)
        return try await entry.perform(OperationInput(members, at: place), call)
    }

    /// Refuses header fields whose comparison would take long.
    private static func checkHeaders(of request: ServerRequest) throws(Problem) {
        for (name, value) in request.headers where ClientText.hasTooManyMarks(value) {
            throw Problem(.inputInvalid, "The header \(name.excerpt(40)) \(ClientText.tooManyMarks).")
        }
        if let authority = request.authority, ClientText.hasTooManyMarks(authority) {
            throw Problem(.inputInvalid, "The host \(ClientText.tooManyMarks).")
        }
    }

    func origin(of request: ServerRequest) -> CallOrigin { proxies.origin(of: request) }

    /// The other protocol that a path belongs to; nil: it is the API's or the web app's.
    func other(at target: RequestTarget) -> (any PathResponder)? { others.first { $0.has(target) } }

    /// The session of a request's token; nil when it carries none.
    func session(
        of browser: WebSession, _ request: ServerRequest, for entry: OperationRegistry.Entry, in tenant: Tenant
    ) async throws -> Session? {
        guard let text = browser.token else { return nil }
        guard let token = Token(text) else {
            if entry.takesEndedTokens { return nil }
            throw SessionStore.malformed
        }
        let hash = try token.hash
        return try await tenant.lookUp(hash, from: origin(of: request)) {
            try await tenant.sessions.session(hash: hash, for: entry)
        }
    }

    /// The input of an operation: its path's names, and the query or the body.
    private static func members(
        of request: ServerRequest, entry: OperationRegistry.Entry, query: [JSONValue.Member],
        parameters: [JSONValue.Member], at place: LargeInputs.Place?
    ) async throws -> [JSONValue.Member] {
        var members = parameters
        let others: [JSONValue.Member]
        if entry.endpoint.method.readsQuery {
            others = query
        } else {
            if let stray = query.first {
                throw Problem.input(
                    stray.name.excerpt(InputDecoder.shownName), .unknown, "goes in the body, not in the query")
            }
            let (body, keepsUnfit) = (request.body, entry.keepsUnfit)
            if let place {
                others = try await place.run { try Self.members(of: body, keepsUnfit: keepsUnfit) }
            } else {
                others = try Self.members(of: body, keepsUnfit: keepsUnfit)
            }
        }
        for member in others {
            guard !parameters.contains(where: { $0.name == member.name }) else {
                throw Problem.input(member.name, .unknown, "stands in the path already")
            }
            members.append(member)
        }
        return members
    }

    /// The members of a body.
    private static func members(of buffer: ByteBuffer, keepsUnfit: Bool) throws -> [JSONValue.Member] {
        guard buffer.readableBytes > 0 else { return [] }
        // The media type is ignored. Because JSON is the one format, and curl names another one unless told.
        do throws(JSONScanner.Failure) {
            let value = try JSONScanner.scan(buffer.readableBytesView, keepsUnfit: keepsUnfit)
            guard case .object(let members) = value else {
                throw JSONScanner.Failure(reason: "the body must be an object", offset: 0)
            }
            return members
        } catch {
            throw error.problem
        }
    }

    /// A request for the live path that came too late on its connection, or not as one for a WebSocket.
    private func liveRefusal(_ request: ServerRequest, requestID: String) -> ServerResponse {
        let isUpgrade = request.headers.first(name: "upgrade")?.isASCIIWord("websocket") == true
        var response = HTTPProblem.response(
            for: LiveUpgrade.refusal(isUpgrade: isUpgrade), requestID: requestID, logger: logger)
        response.headers.add(name: "upgrade", value: "websocket")
        response.headers.add(name: "connection", value: "close")
        return response
    }

    func methodNotAllowed(_ methods: [Endpoint.Method], requestID: String) -> ServerResponse {
        let allowed = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }.joined(separator: ", ")
        var response = HTTPProblem.response(
            for: Problem(.methodNotAllowed, "This path takes \(allowed)."), requestID: requestID, logger: logger)
        response.headers.add(name: "allow", value: allowed)
        return response
    }
}
