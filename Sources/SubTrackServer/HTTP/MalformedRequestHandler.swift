import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import SubTrackAPI

/// Gives a request that the HTTP parser refuses an answer like any other problem's.
///
/// Such a request never becomes one: Hummingbird answers it by a bare 400 and closes the connection. This handler knows the
/// parser's reason and puts the problem in that answer's place. The path is not known then, so that a method that is none
/// of HTTP's is 501 (RFC 9110 §15.6.2) and not 405, whose Allow would have to name the path's methods.
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let logger: Logger
    private var failure: HTTPParserError?

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = error as? HTTPParserError ?? failure
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // An answer to an earlier request on this connection has an id of its own.
        guard let failure, case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.xRequestID] == nil
        else { return context.write(data, promise: promise) }
        let requestID = RequestID().description
        var (problem, status) = Self.problem(of: failure)
        problem.status = status.code
        problem.requestId = requestID
        // The problem's fields can always be encoded; should that ever change, the status still says what matters.
        let body = (try? ProblemMapping.encode(problem)) ?? []
        var fields = HTTPFields()
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        fields[.contentLength] = String(body.count)
        fields[.connection] = "close"
        fields[.xRequestID] = requestID
        logger.debug("A request was no HTTP", metadata: ["request_id": "\(requestID)", "reason": "\(failure)"])
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: promise)
    }

    private static func problem(of failure: HTTPParserError) -> (Problem, HTTPResponse.Status) {
        switch failure {
        case .invalidMethod:
            (Problem(.methodNotAllowed, "This is no method of HTTP that is known here."), .notImplemented)
        case .headerOverflow:
            (Problem(.tooLarge, "The header's fields are too large."), .requestHeaderFieldsTooLarge)
        default: (Problem(.inputInvalid, "The request is not valid HTTP."), .badRequest)
        }
    }
}
