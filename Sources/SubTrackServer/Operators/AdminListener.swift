import Logging
import NIOHTTP1
import SubTrackAPI

/// Answers at the operators' own listener: `/healthz`, `/readyz`, `/metrics`, and the operators' pages. With it the second and third
/// are not on the listener that everybody reaches.
struct AdminResponder: RequestResponder {
    /// The routes for programs.
    let system: SystemRoutes
    /// The pages for people.
    let pages: OperatorPages
    let logger: Logger

    func respond(to request: ServerRequest) async -> ServerResponse {
        let path = (try? RequestTarget(request.target)).flatMap { $0.slug == nil ? $0.segments : nil } ?? []
        var response: ServerResponse
        do {
            if let found = try await system.respond(to: request, path: path) {
                response = found
            } else if let page = try await pages.response(to: request, path: path) {
                response = page
            } else {
                throw Problem(.notFound, "There is nothing at this path.")
            }
        } catch {
            response = self.response(for: error, id: request.id)
            if let problem = error as? Problem { pages.show(problem, for: request, in: &response) }
        }
        response.headers.replaceOrAdd(name: ServerResponse.Name.requestID, value: request.id)
        return response
    }

    /// A form of a page has a body; nothing else here has.
    func refusal(of request: ServerRequest) async -> ServerResponse? {
        let path = (try? RequestTarget(request.target)).flatMap { $0.slug == nil ? $0.segments : nil } ?? []
        return request.method == .POST && OperatorPages.has(path) ? nil : await respond(to: request)
    }

    /// The limits of its connections. They are few, and send little.
    static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.connections = 64
        limits.crowdedConnections = 8
        limits.bodyMemory = 1 << 20
        return limits
    }
}
