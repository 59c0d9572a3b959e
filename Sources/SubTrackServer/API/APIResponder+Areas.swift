import NIOHTTP1
import SubTrackAPI

// The areas of the tenant that a request is for.
extension APIResponder {
    /// The host that a request names.
    func host(of request: ServerRequest) -> String { proxies.host(of: request) }

    /// The areas that a tenant's description has. Without a tenant at the host, as before the database can be reached, they
    /// are those of a tenant about which nothing was said.
    /// - Throws: `tenant_unknown` and `tenant_suspended` where the path names a tenant.
    func areas(of target: RequestTarget, _ request: ServerRequest) async throws -> AreaSet {
        if let slug = target.slug {
            try dispatcher.readiness.check()
            return try await dispatcher.tenants.tenant(slug: slug, host: nil).areas.current
        }
        guard (try? dispatcher.readiness.check()) != nil,
            let tenant = try? await dispatcher.tenants.tenant(slug: nil, host: host(of: request))
        else { return standardAreas }
        return tenant.areas.current
    }

    /// Answers a request with a method that its path does not take.
    /// - Throws: `area_off` for a path of an area that is off.
    func otherMethods(
        _ methods: [Endpoint.Method], _ target: RequestTarget, _ request: ServerRequest
    ) async throws -> ServerResponse {
        if let entry = routes.entry(at: target.segments), entry.mayBeOff {
            _ = try await dispatcher.tenant(slug: target.slug, host: host(of: request), for: entry)
        }
        return methodNotAllowed(methods, requestID: request.id)
    }
}
