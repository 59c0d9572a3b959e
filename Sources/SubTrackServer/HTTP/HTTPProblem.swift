import Logging
import NIOCore
import NIOHTTP1
import SubTrackAPI

/// What went wrong, as an HTTP response.
enum HTTPProblem {
    /// The `application/problem+json` response for an error.
    ///
    /// An error that is not a ``SubTrackAPI/Problem`` is logged and answered in general terms: nothing of it shows.
    /// - Parameter status: the status, where it is not the problem's own.
    static func response(
        for error: any Error, requestID: String, status: HTTPResponseStatus? = nil, logger: Logger
    ) -> ServerResponse {
        var problem = ProblemMapping.problem(for: error, logger: logger, requestID: requestID)
        problem.requestId = requestID
        if let status { problem.status = Int(status.code) }
        var headers: HTTPHeaders = ["content-type": "application/problem+json", "cache-control": "no-store"]
        switch problem.status {
        case 401: headers.add(name: "www-authenticate", value: "Bearer")
        case 429, 503: headers.add(name: "retry-after", value: String(problem.retryAfter ?? 1))
        default: break
        }
        // The problem's fields can always be encoded; should that ever change, the status still says what matters.
        let body = (try? ProblemMapping.encode(problem)) ?? []
        return ServerResponse(
            status: HTTPResponseStatus(statusCode: problem.status), headers: headers, body: ByteBuffer(bytes: body))
    }
}
