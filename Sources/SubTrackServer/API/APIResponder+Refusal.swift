import MariaDB
import Passwords
import SubTrackAPI

extension APIResponder {
    /// Looks at a request whose body is still to come: where it leads, its tenant and its token. Without those that can be used,
    /// nothing of the body is read. All of it is looked at again when the body is there, for that may take a while.
    func refusal(of request: ServerRequest) async -> ServerResponse? {
        guard let target = try? RequestTarget(request.target), takesBodies(request, target) else {
            return await respond(to: request)
        }
        let start = ContinuousClock.now
        var operation = "none"
        var cookie: String?
        var response: ServerResponse
        do {
            guard let refused = try await refuse(request, target, operation: &operation, cookie: &cookie) else {
                return nil
            }
            response = refused
            response.headers.add(name: ServerResponse.Name.requestID, value: request.id)
        } catch {
            response = self.response(for: error, request)
        }
        if let cookie { response.headers.add(name: "set-cookie", value: cookie) }
        metrics.record(operation: operation, status: Int(response.status.code), duration: ContinuousClock.now - start)
        return response
    }

    /// Whether a path may be an operation's, or another protocol's. The body of any other request is ignored.
    private func takesBodies(_ request: ServerRequest, _ target: RequestTarget) -> Bool {
        if target.slug == nil, system.has(target.segments) { return false }
        if other(at: target) != nil { return true }
        guard target.segments.first == "v1" else { return false }
        return !(target.segments == ["v1", "live"] && request.method == .GET)
    }

    private func refuse(
        _ request: ServerRequest, _ target: RequestTarget, operation: inout String, cookie: inout String?
    ) async throws -> ServerResponse? {
        if let other = other(at: target) {
            operation = other.name
            return try await other.refusal(of: request, target)
        }
        let method = request.method == .HEAD ? .get : Endpoint.Method(rawValue: request.method.rawValue)
        let entry: OperationRegistry.Entry
        switch routes.match(method, target.segments) {
        case .operation(let found, _): entry = found
        case .otherMethods(let methods): return try await otherMethods(methods, target, request)
        case .nothing: throw Problem(.notFound, "There is nothing at this path.")
        }
        operation = entry.name
        let tenant = try await dispatcher.tenant(
            slug: target.slug, host: host(of: request), for: entry)
        let browser = try webSession(of: request, for: entry, in: tenant)
        let session: Session?
        do {
            session = try await self.session(of: browser, request, for: entry, in: tenant)
        } catch let problem as Problem {
            if await browser.isOver(by: problem, in: tenant) { cookie = browser.place.clearing }
            throw problem
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
        let call = Call(
            tenant: tenant, session: session, now: dispatcher.clock.now(), ifMatch: .any, ifNoneMatch: .none,
            idempotencyKey: nil, requestID: request.id, logger: logger)
        if entry.access != .public { _ = try call.requireSession() }
        if entry.access == .account { try call.requireAccount() }
        return nil
    }

    func network(of request: ServerRequest) -> String? {
        guard let peer = request.peer?.ipAddress else { return nil }
        let origin = CallOrigin(address: proxies.client(peer: peer, headers: request.headers), languages: nil)
        return origin.isThisMachine ? nil : origin.networks.region.description
    }
}
