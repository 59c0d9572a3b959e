import NIOCore
import NIOHTTP1

/// The question whether the process lives, `/healthz`. It is answered also while the service starts, and beyond the limit of
/// connections.
enum Health {
    /// The answer.
    static var answer: ServerResponse { .text(.ok, "ok\n") }

    /// Whether a request asks if the process lives.
    static func isAsked(by request: ServerRequest) -> Bool {
        (request.method == .GET || request.method == .HEAD)
            && (try? RequestTarget(request.target)).map { $0.slug == nil && $0.segments == ["healthz"] } == true
    }
}

extension ServerResponse {
    /// An answer of plain text.
    static func text(
        _ status: HTTPResponseStatus, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> ServerResponse {
        var headers: HTTPHeaders = ["content-type": type, "cache-control": "no-store"]
        if status == .serviceUnavailable { headers.add(name: "retry-after", value: "1") }
        return ServerResponse(status: status, headers: headers, body: ByteBuffer(string: text))
    }
}
