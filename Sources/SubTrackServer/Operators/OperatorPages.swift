import Foundation
import Logging
import MariaDB
import NIOCore
import NIOHTTP1
import SubTrackAPI

/// The operators' pages at the operators' own listener: health, tenants, mails that wait, revisions of catalogues.
struct OperatorPages: Sendable {
    let access: DatabaseAccess
    let tenants: TenantDirectory
    let clock: WallClock
    let gate: OperatorGuard
    let logger: Logger
    /// Tells why the service cannot do its work now; nil when it can.
    let notReady: @Sendable () async -> String?

    private var views: OperatorViews { OperatorViews(token: gate.token) }

    /// Answers a request; nil where there is no such page.
    func response(to request: ServerRequest, path: [String]) async throws -> ServerResponse? {
        guard Self.has(path) else { return nil }
        try gate.check(request)
        let action = OperatorAction(path)
        switch request.method {
        case .GET, .HEAD:
            guard let action else { return try await page(path, message: Self.message(of: request)) }
            var response = answer("Nothing was done", views.explanation(of: action), status: .methodNotAllowed)
            response.headers.add(name: "allow", value: "POST")
            return response
        case .POST where action != nil:
            let form = try Self.fields(of: request)
            try gate.checkForm(request, token: form["token"])
            logger.notice(
                "An operator changes something by a page",
                metadata: ["path": "\(path.joined(separator: "/").excerpt(200))"])
            return try await change(path)
        case _ where action == nil && !Self.isPage(path): return nil
        default:
            let allowed = action == nil ? "GET, HEAD" : "POST"
            var response = answer(
                "Nothing was done",
                "<p>This address takes \(allowed), and the request was \(request.method.rawValue.excerpt(20)).</p>",
                status: .methodNotAllowed)
            response.headers.add(name: "allow", value: allowed)
            return response
        }
    }

    /// Whether a page or a form's address is of these.
    static func has(_ path: [String]) -> Bool {
        switch path.first {
        case "", "operators.css": path.count == 1
        case "tenants": path.count == 1 || path.count == 3
        case "mails": path.count == 1 || path.count == 4
        case "revisions": [1, 3, 4].contains(path.count)
        default: false
        }
    }

    /// Whether a page is at a path. The paths of buttons are others.
    private static func isPage(_ path: [String]) -> Bool {
        path.count == 1 || (path.count == 3 && path[0] == "revisions")
    }

    // MARK: Reading

    /// The effect of a form, which its redirection names.
    private static func message(of request: ServerRequest) -> String? {
        guard let query = (try? RequestTarget(request.target))?.query, case .text(let name)? = query.first?.value,
            query.count == 1, query[0].name == "done"
        else { return nil }
        return OperatorViews.done[name]
    }

    private func page(_ path: [String], message: String?) async throws -> ServerResponse? {
        switch (path[0], path.count) {
        case ("operators.css", _): return answer(OperatorViews.style, type: "text/css; charset=utf-8")
        case ("", _):
            let count = try? await tenants.all().count
            return answer(
                "Health",
                views.health(await notReady(), version: ServiceVersion.text, now: clock.now(), tenants: count))
        case ("tenants", 1):
            return answer("Tenants", views.tenants(try await administration { try await $0.list() }), message)
        case ("mails", 1):
            return answer(
                "Mails",
                try await ofEach { tenant in
                    let mails = try await tenant.read {
                        try await OperatorQueries.mails(limit: OperatorViews.limit, on: $0)
                    }
                    return views.mails(mails, of: tenant.slug)
                }, message)
        case ("revisions", 1):
            return answer(
                "Revisions",
                try await ofEach { tenant in
                    let revisions = try await tenant.read {
                        try await OperatorQueries.revisions(limit: OperatorViews.limit, on: $0)
                    }
                    return views.revisions(revisions, of: tenant.slug)
                }, message)
        case ("revisions", 3):
            let report = try await tenants.tenant(slug: path[1], host: nil).read {
                try await RevisionQueries.report(of: path[2], file: path[2], limit: OperatorViews.limit, on: $0)
            }
            guard let report else { throw Problem(.notFound, "There is no such revision.") }
            return answer("Revision \(path[2])", views.report(report, of: path[1]), message)
        default: return nil
        }
    }

    /// A part of a page for each tenant. One whose database cannot be read does not hide the others.
    private func ofEach(_ body: (Tenant) async throws -> HTML) async throws -> HTML {
        var parts: [HTML] = []
        for tenant in try await tenants.all() {
            do {
                parts.append(try await body(tenant))
            } catch {
                parts.append("<p>\(tenant.slug): cannot be read (\(Self.reason(error))).</p>\n")
            }
        }
        return "\(parts)"
    }

    private static func reason(_ error: any Error) -> String { "\(error)".excerpt(300) }

    // MARK: Changing

    private func change(_ path: [String]) async throws -> ServerResponse? {
        do {
            switch (path[0], path.last) {
            case ("tenants", "suspend"): try await administration { try await $0.setSuspended(true, path[1]) }
            case ("tenants", "resume"): try await administration { try await $0.setSuspended(false, path[1]) }
            case ("mails", "retry"), ("mails", "remove"):
                guard let id = UUID(uuidString: path[2]) else { return nil }
                try await tenants.tenant(slug: path[1], host: nil).read { connection in
                    if path[3] == "retry" {
                        try await OperatorQueries.hurry(id, on: connection)
                    } else {
                        try await MailQueries.delete(id, on: connection)
                    }
                }
            case ("revisions", "check"):
                try await revise(path) { try await RevisionQueries.check(path[2], on: $0) }
                return Self.redirect(to: OperatorViews.path(of: path[2], path[1]), after: path)
            case ("revisions", "apply"):
                try await apply(path)
                return Self.redirect(to: OperatorViews.path(of: path[2], path[1]), after: path)
            case ("revisions", "discard"): try await revise(path) { try await RevisionQueries.discard(path[2], on: $0) }
            default: return nil
            }
            return Self.redirect(to: "/\(path[0])", after: path)
        } catch let problem as Problem {
            throw problem
        } catch {
            return answer(
                "Not done", "<p>\(Self.reason(error))</p><p><a href=\"/\(path[0])\">Back</a></p>", status: .conflict)
        }
    }

    private func revise(_ path: [String], _ body: (Connection) async throws -> Void) async throws {
        let tenant = try await tenants.tenant(slug: path[1], host: nil)
        try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { try await body($0) }
    }

    /// Applies a revision, each country in a transaction of its own: where one fails, the same form goes on from there.
    private func apply(_ path: [String]) async throws {
        let tenant = try await tenants.tenant(slug: path[1], host: nil)
        for country in try await tenant.read({ try await RevisionQueries.pendingCountries(of: path[2], on: $0) }) {
            try await revise(path) { try await RevisionQueries.apply(country, of: path[2], on: $0) }
        }
    }

    private func administration<Result>(_ body: (TenantAdministration) async throws -> Result) async throws -> Result {
        let administration = TenantAdministration(access: access, logger: logger)
        do {
            let result = try await body(administration)
            await administration.shutdown()
            return result
        } catch {
            await administration.shutdown()
            throw error
        }
    }

    // MARK: Answers

    private static func fields(of request: ServerRequest) throws -> [String: String] {
        guard let target = try? RequestTarget("/?" + String(buffer: request.body)) else {
            throw Problem(.inputInvalid, "The form cannot be read.")
        }
        return Dictionary(
            target.query.compactMap { member in
                if case .text(let text) = member.value { (member.name, text) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
    }

    private func answer(
        _ title: String, _ content: HTML, _ message: String? = nil, status: HTTPResponseStatus = .ok
    ) -> ServerResponse {
        answer(views.page(title, content, message: message), type: "text/html; charset=utf-8", status: status)
    }

    /// Shows a problem as a page where a person's browser asked. It has no token: the request may be another site's.
    func show(_ problem: Problem, for request: ServerRequest, in response: inout ServerResponse) {
        guard request.headers[canonicalForm: "accept"].contains(where: { $0.hasPrefix("text/html") }) else { return }
        let page = views.page(
            problem.title, "<p>\(problem.detail)</p>\n<p><a href=\"/\">To the pages for operators</a></p>")
        for (name, value) in Self.headers { response.headers.replaceOrAdd(name: name, value: value) }
        response.headers.replaceOrAdd(name: "content-type", value: "text/html; charset=utf-8")
        response.body = ByteBuffer(string: page)
    }

    private func answer(_ text: String, type: String, status: HTTPResponseStatus = .ok) -> ServerResponse {
        var headers = Self.headers
        headers.add(name: "content-type", value: type)
        headers.add(name: "set-cookie", value: gate.header)
        return ServerResponse(status: status, headers: headers, body: ByteBuffer(string: text))
    }

    /// - Parameter form: the address of the form that was sent, whose last part names its action.
    private static func redirect(to path: String, after form: [String]) -> ServerResponse {
        var headers = headers
        headers.add(name: "location", value: "\(path)?done=\(form[form.count - 1])")
        return ServerResponse(status: .seeOther, headers: headers, body: ByteBuffer())
    }

    private static let headers: HTTPHeaders = [
        "content-security-policy":
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    ]
}
