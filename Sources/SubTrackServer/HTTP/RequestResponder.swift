import Logging
import NIOHTTP1
import SubTrackAPI
import Synchronization

/// Answers the requests of a listener.
protocol RequestResponder: Sendable {
    /// Answers a request with its whole body.
    func respond(to request: ServerRequest) async -> ServerResponse
    /// Looks at a request whose body is still to come.
    /// - Returns: the answer where the body does not matter; nil: the body is wanted.
    func refusal(of request: ServerRequest) async -> ServerResponse?
    /// The answer to a request in which something is wrong.
    /// - Parameter status: the status, where it is not the problem's own.
    func response(for error: any Error, id: String, status: HTTPResponseStatus?) -> ServerResponse
    /// The network that a request is counted for; nil where it is not known, or on this machine.
    func network(of request: ServerRequest) -> String?
    var logger: Logger { get }
}

extension RequestResponder {
    func response(for error: any Error, id: String, status: HTTPResponseStatus? = nil) -> ServerResponse {
        var response = HTTPProblem.response(for: error, requestID: id, status: status, logger: logger)
        response.headers.add(name: ServerResponse.Name.requestID, value: id)
        return response
    }

    func refusal(of request: ServerRequest) async -> ServerResponse? { nil }

    func network(of request: ServerRequest) -> String? {
        let origin = CallOrigin(peer: request.peer)
        return origin.isThisMachine ? nil : origin.networks.region.description
    }
}

/// Answers for a service that is not there yet: it lives, and everything else is 503. From the moment that the service is
/// there it answers by itself.
///
/// The listener exists from the first moment of the process, so that no client connects to something that goes away.
final class ServiceGate: RequestResponder {
    /// What answers once the service is there.
    final class Content: Sendable {
        let responder: any RequestResponder
        /// Opens WebSockets; nil: there are none.
        let live: (any ConnectionUpgrade)?

        init(responder: any RequestResponder, live: (any ConnectionUpgrade)?) {
            self.responder = responder
            self.live = live
        }
    }

    let logger: Logger
    private let state = Mutex<Content?>(nil)

    /// A gate that is closed.
    init(logger: Logger) { self.logger = logger }

    /// From now on requests are answered by the service.
    func open(_ responder: any RequestResponder, live: (any ConnectionUpgrade)? = nil) {
        state.withLock { $0 = Content(responder: responder, live: live) }
    }

    /// What is behind it; nil while it is closed.
    var content: Content? { state.withLock { $0 } }

    func respond(to request: ServerRequest) async -> ServerResponse {
        if let content { return await content.responder.respond(to: request) }
        if Health.isAsked(by: request) {
            var response = Health.answer
            response.headers.add(name: ServerResponse.Name.requestID, value: request.id)
            return response
        }
        return response(for: Self.starting, id: request.id)
    }

    func refusal(of request: ServerRequest) async -> ServerResponse? {
        guard let content else { return response(for: Self.starting, id: request.id) }
        return await content.responder.refusal(of: request)
    }

    func network(of request: ServerRequest) -> String? { content?.responder.network(of: request) }

    private static let starting = Problem(.unavailable, "The service is starting; try again in a moment.")
}

/// Answers on connections beyond the limit: whether the service is alive, and 503 to everything else.
struct CrowdedResponder: RequestResponder {
    let responder: any RequestResponder
    var logger: Logger { responder.logger }

    func respond(to request: ServerRequest) async -> ServerResponse {
        var response =
            Health.isAsked(by: request)
            ? await responder.respond(to: request) : response(for: Self.crowded, id: request.id)
        response.headers.replaceOrAdd(name: "connection", value: "close")
        return response
    }

    func refusal(of request: ServerRequest) async -> ServerResponse? {
        response(for: Self.crowded, id: request.id)
    }

    private static let crowded = Problem(.unavailable, "There are too many connections; try again in a moment.")
}
