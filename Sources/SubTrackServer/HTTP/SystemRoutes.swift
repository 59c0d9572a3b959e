import HTTPTypes
import Hummingbird
import NIOCore

/// What is answered beside the operations: whether the process lives, whether it can serve, and its metrics.
struct SystemRoutes: Sendable {
    /// Whether the service can do its work now; nil when it can, else why not.
    let notReady: @Sendable () async -> String?
    /// The metrics in the text format of Prometheus; nil where they are served elsewhere.
    let metrics: (@Sendable () -> String)?

    /// Answers `/healthz`, `/readyz` and `/metrics`; nil for any other path.
    func respond(to request: Request, path: [String]) async -> Response? {
        guard path.count == 1, request.method == .get || request.method == .head else { return nil }
        switch path[0] {
        // Never asks the database: a process that waits for its database is alive.
        case "healthz": return text(.ok, "ok\n")
        case "readyz":
            if let reason = await notReady() { return text(.serviceUnavailable, "\(reason)\n") }
            return text(.ok, "ready\n")
        case "metrics":
            guard let metrics else { return nil }
            return text(.ok, metrics(), type: "text/plain; version=0.0.4; charset=utf-8")
        default: return nil
        }
    }

    private func text(
        _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        if status == .serviceUnavailable { headers[.retryAfter] = "1" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
