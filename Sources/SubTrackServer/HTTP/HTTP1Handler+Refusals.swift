import Logging
import NIOCore
import NIOHTTP1
import SubTrackAPI

// Answering what is no request, or none that is taken.
extension HTTP1Handler {
    func refuse(
        _ refusal: RequestBody.Refusal, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        switch refusal {
        case .tooLarge: refuse(ServerRequest.tooLarge(length: nil), head, context)
        case .crowded:
            isLast = true
            refuse(ServerRequest.crowded, head, context)
        }
    }

    /// Answers at once, and reads over what is left of the request.
    func refuse(
        _ problem: Problem, _ head: HTTPRequestHead, _ context: ChannelHandlerContext, status: HTTPResponseStatus? = nil
    ) {
        refuse(responder.response(for: problem, id: RequestIDs.next(), status: status), head, context)
    }

    func refuse(_ response: ServerResponse, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        endBody()
        // Who asked whether to send the body will not send it.
        isLast =
            isLast || head.headers.contains(name: "expect") || response.headers.first(name: "connection") == "close"
        if isLast { waiting.removeAll() }
        state = isLast ? .idle : .drained
        deadline = .distantFuture
        write(response, to: head, context)
    }

    /// The parser's reason as a problem. The path is not known then, so that a method that is none of HTTP's is 501
    /// (RFC 9110 §15.6.2) and not 405, whose Allow would have to name the path's methods.
    func refuseMalformed(_ context: ChannelHandlerContext) {
        guard let failure else { return }
        self.failure = nil
        switch state {
        case .idle, .body: break
        // Its request was answered already.
        case .drained: return close(context)
        case .answering, .admitting, .closing: return
        }
        var response: ServerResponse
        let id = RequestIDs.next()
        switch failure {
        case .invalidMethod:
            response = responder.response(
                for: Problem(.methodNotAllowed, "This is no method of HTTP that is known here."), id: id,
                status: .notImplemented)
        case .headerOverflow:
            response = responder.response(
                for: Problem(.tooLarge, "The header's fields are too large."), id: id,
                status: .requestHeaderFieldsTooLarge)
        default: response = responder.response(for: Problem(.inputInvalid, "The request is not valid HTTP."), id: id)
        }
        endBody()
        response.headers.replaceOrAdd(name: "connection", value: "close")
        responder.logger.debug("A request was no HTTP", metadata: ["request_id": "\(id)", "reason": "\(failure)"])
        state = .idle
        write(response, to: nil, context)
    }
}
