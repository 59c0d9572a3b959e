import Foundation
import NIOCore
import NIOHTTP1
import SubTrackAPI

/// Answers requests of the web app: its pages, files, worker and icons, and paths that lead nowhere.
struct WebResponder: Sendable {
    /// Where the files come from; nil: the app is off.
    let files: WebFolderReader?
    /// The path under which people reach the service: `/`, or that of the public URL where a proxy takes it away.
    let root: String
    let tenants: TenantDirectory
    let proxies: TrustedProxies

    /// Answers a request for something of the app; nil where it is none of the app's.
    /// - Throws: ``OtherMethod``; `not_found` for a file of another build, `tenant_unknown` for a page of nobody.
    func response(to request: ServerRequest, target: RequestTarget) async throws -> ServerResponse? {
        guard target.segments.first != "v1" else { return nil }
        let path = target.segments
        let base = self.base(of: target.slug)
        guard let files = try files?.current() else {
            if path == ["sw.js"] { return try answered(request) { WebFarewell.worker.response(to: request) } }
            return AccountPages.response(to: request, path: path)
        }
        // A tenant by path has a valid name: it stands in pages.
        guard target.slug.map(Self.isSlug) ?? true else { return nil }
        switch path.first {
        case "app" where path.count > 2:
            guard path[1] == files.build, let file = files.file(path.dropFirst(2)) else {
                // The page that asks for a file of another build reloads.
                throw Problem(.notFound, "There is no such file in this build.")
            }
            return try answered(request) { file.response(to: request) }
        case "sw.js" where path.count == 1:
            let worker = try files.worker(base: base)
            return try answered(request) { worker.response(to: request) }
        case ".well-known" where path == [".well-known", "change-password"]:
            return try answered(request) { Self.redirect(to: base + "profile/password", status: .found) }
        case "t" where path.count == 2 && target.slug == nil && Self.isSlug(path[1]):
            return try answered(request) { Self.redirect(to: self.base(of: path[1]), status: .permanentRedirect) }
        default: break
        }
        if let file = files.fixedFile(path) { return try answered(request) { file.response(to: request) } }
        guard files.routes.has(path) else { return nil }
        let tenant = try await tenant(of: request, slug: target.slug)
        let shell = try files.shell(base: base, tenant: tenant)
        return try answered(request) { shell.response(to: request) }
    }

    /// The root of a tenant by path, or of the one that the host names.
    func base(of slug: String?) -> String { slug.map { "\(root)t/\($0)/" } ?? root }

    /// The path of a public URL with a slash at its end.
    static func root(ofPublicURL url: String?) -> String {
        let path = url.flatMap { URLComponents(string: $0)?.path } ?? ""
        let parts = path.split(separator: "/")
        let isPlain = parts.allSatisfy { part in
            part.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        }
        return parts.isEmpty || !isPlain ? "/" : "/\(parts.joined(separator: "/"))/"
    }

    /// The name of the tenant of a page. If it cannot be read now, the page is served all the same: the app works
    /// without the service.
    private func tenant(of request: ServerRequest, slug: String?) async throws -> String {
        do {
            return try await tenants.tenant(
                slug: slug, host: proxies.host(request.authority, peer: request.peer, headers: request.headers) ?? ""
            ).slug
        } catch let problem as Problem where problem.code == .tenantUnknown {
            throw problem
        } catch {
            return slug ?? ""
        }
    }

    /// A method that nothing of the app takes.
    struct OtherMethod: Error {}

    /// An answer to GET and HEAD.
    /// - Throws: ``OtherMethod``.
    private func answered(
        _ request: ServerRequest, _ response: () -> ServerResponse
    ) throws(OtherMethod) -> ServerResponse {
        guard request.method == .GET || request.method == .HEAD else { throw OtherMethod() }
        return response()
    }

    private static func isSlug(_ text: String) -> Bool { (try? TenantName.checked(slug: text)) != nil }

    private static func redirect(to path: String, status: HTTPResponseStatus) -> ServerResponse {
        var headers = WebHeaders.page
        headers.add(name: "location", value: path)
        headers.add(name: "cache-control", value: "public, max-age=86400")
        return ServerResponse(status: status, headers: headers, body: ByteBuffer())
    }
}

/// The remains of the app when it is turned off.
enum WebFarewell {
    /// A worker that empties its caches and ends itself. Unsent changes are in no cache, and stay.
    static let worker = WebAnswer(
        """
        self.addEventListener("install", () => self.skipWaiting());
        self.addEventListener("activate", (event) => event.waitUntil((async () => {
          for (const name of await caches.keys()) await caches.delete(name);
          await self.registration.unregister();
        })()));

        """, type: WebSourceType.of("sw.js"))
}

/// A short text that is sent as a page or a file of the app.
struct WebAnswer: Sendable {
    private let body: ByteBuffer
    private let headers: HTTPHeaders
    private let status: HTTPResponseStatus

    init(_ text: String, type: String, status: HTTPResponseStatus = .ok, caching: String = "no-cache") {
        body = ByteBuffer(string: text)
        self.status = status
        var headers = WebHeaders.page
        headers.add(name: "content-type", value: type)
        headers.add(name: "cache-control", value: caching)
        self.headers = headers
    }

    func response(to request: ServerRequest) -> ServerResponse {
        ServerResponse(status: status, headers: headers, body: body)
    }
}
