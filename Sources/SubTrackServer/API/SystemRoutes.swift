import NIOCore
import NIOHTTP1

/// The routes beside the operations: liveness, readiness, metrics, and the description of the API.
struct SystemRoutes: Sendable {
    /// Whether the service can do its work now; nil when it can, else why not.
    let notReady: @Sendable () async -> String?
    /// The metrics in the text format of Prometheus; nil where they are served elsewhere.
    let metrics: (@Sendable () -> String)?

    /// Whether readiness is answered here.
    let hasReadiness: Bool

    /// The description of the API.
    let description: @Sendable () throws -> APIDescription

    /// Routes beside the operations.
    /// - Parameters:
    ///   - description: gives the description of the API.
    ///   - metrics: gives the metrics; nil where they are served elsewhere.
    ///   - hasReadiness: whether readiness is answered here.
    ///   - notReady: tells why the service cannot do its work now; nil when it can.
    init(
        description: @escaping @Sendable () throws -> APIDescription, metrics: (@Sendable () -> String)?,
        hasReadiness: Bool = true, notReady: @escaping @Sendable () async -> String?
    ) {
        self.hasReadiness = hasReadiness
        self.description = description
        self.metrics = metrics
        self.notReady = notReady
    }

    /// Whether there is something at a path. It takes `GET` and `HEAD`.
    func has(_ path: [String]) -> Bool {
        guard path.count == 1 else { return false }
        switch path[0] {
        case "healthz", "openapi.json": return true
        case "readyz": return hasReadiness
        case "metrics": return metrics != nil
        default: return false
        }
    }

    /// Answers `/healthz`, `/readyz`, `/metrics` and `/openapi.json`; nil for any other path or method.
    /// - Throws: the error of ``description``.
    func respond(to request: ServerRequest, path: [String]) async throws -> ServerResponse? {
        guard has(path), request.method == .GET || request.method == .HEAD else { return nil }
        switch path[0] {
        // Never asks the database: a process that waits for its database is alive.
        case "healthz": return Health.answer
        case "readyz":
            if let reason = await notReady() { return ServerResponse.text(.serviceUnavailable, "\(reason)\n") }
            return ServerResponse.text(.ok, "ready\n")
        case "metrics":
            return metrics.map { ServerResponse.text(.ok, $0(), type: "text/plain; version=0.0.4; charset=utf-8") }
        case "openapi.json":
            return try description().response(to: request)
        default: return nil
        }
    }
}
