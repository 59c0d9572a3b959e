import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SubTrackAPI

/// What went wrong, as an HTTP response.
enum HTTPProblem {
    /// The `application/problem+json` response for an error.
    ///
    /// An error that is not a ``SubTrackAPI/Problem`` is logged and answered in general terms: nothing of it shows.
    static func response(for error: any Error, requestID: String, logger: Logger) -> Response {
        var problem = ProblemMapping.problem(for: error, logger: logger, requestID: requestID)
        problem.requestId = requestID
        var headers = HTTPFields()
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        switch problem.status {
        case 401: headers[.wwwAuthenticate] = "Bearer"
        case 429, 503: headers[.retryAfter] = String(problem.retryAfter ?? 1)
        default: break
        }
        // The problem's fields can always be encoded; should that ever change, the status still says what matters.
        let body = (try? ProblemMapping.encode(problem)) ?? []
        return Response(
            status: .init(code: problem.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension HTTPField.Name {
    /// The key by which a write may be sent again.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .via
    /// Whom a proxy speaks for, and which proxies stood before it.
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via
    /// The request's id, in every answer.
    static let xRequestID = HTTPField.Name("X-Request-ID") ?? .via
}
