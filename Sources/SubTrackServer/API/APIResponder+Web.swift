import NIOHTTP1
import Passwords
import SubTrackAPI

// The browser's session: its cookie, and pages where a person expects one.
extension APIResponder {
    /// Reads the credentials of a request, before the token is looked up.
    /// - Throws: `origin_refused`.
    func webSession(
        of request: ServerRequest, for entry: OperationRegistry.Entry, in tenant: Tenant
    ) throws(Problem) -> WebSession {
        try WebSession(
            request.headers, tenant: tenant.slug,
            origin: WebOrigin(
                isTLS: request.isTLS, authority: request.authority, peer: request.peer, headers: request.headers,
                proxies: proxies),
            isChange: request.method != .GET && request.method != .HEAD, canDeliver: entry.givesToken)
    }

    /// Writes an operation's answer, and decides whether the browser's cookie is set, renewed or removed.
    func finish(
        _ reply: EncodedReply, of entry: OperationRegistry.Entry, _ browser: WebSession, _ session: Session?,
        in tenant: Tenant, at now: Instant, cookie: inout String?
    ) async throws -> ServerResponse {
        var response = HTTPReply.response(
            reply, status: entry.endpoint.status, mediaType: entry.operation.mediaType)
        if browser.isDeliveryWanted, let body = reply.body {
            let delivered = try WebSession.deliver(body, at: now)
            response.body = .init(bytes: delivered.body)
            cookie = browser.place.header(setting: delivered.cookie)
        } else if let own = browser.cookie, let session {
            if entry.operation is DeleteMe.Type {
                cookie = browser.place.clearing
            } else if !reply.isShared, own.day != SessionCookie.day(at: now),
                tenant.sessions.remembers(session.tokenHash)
            {
                // A day has begun since it was set: the browser keeps it for as long again. Not where the session ended meanwhile:
                // the browser may have a newer cookie already.
                cookie = browser.place.header(
                    setting: SessionCookie(token: own.token, day: SessionCookie.day(at: now), device: session.device))
            }
        }
        return response
    }

    /// Turns an error into a problem, or into a page where a person looks for one and nothing is there.
    func response(for error: any Error, _ request: ServerRequest) -> ServerResponse {
        guard let problem = error as? Problem, problem.code == .notFound || problem.code == .tenantUnknown,
            !Self.isAPI(request), WebMissing.wantsPage(request)
        else { return response(for: error, id: request.id) }
        var response = WebMissing.page(request, base: problem.code == .notFound ? base(of: request) : nil)
        response.headers.add(name: ServerResponse.Name.requestID, value: request.id)
        return response
    }

    /// Whether a request is for the API, where problems are read by programs.
    private static func isAPI(_ request: ServerRequest) -> Bool {
        (try? RequestTarget(request.target))?.segments.first == "v1"
    }

    /// The root of the tenant that a request names; nil where there is no app.
    private func base(of request: ServerRequest) -> String? {
        guard web.files != nil else { return nil }
        guard let slug = (try? RequestTarget(request.target))?.slug,
            (try? TenantName.checked(slug: slug)) != nil
        else { return web.base(of: nil) }
        return web.base(of: slug)
    }
}
