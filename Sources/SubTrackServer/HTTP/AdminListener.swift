import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// The operators' own listener: `/healthz`, `/readyz` and `/metrics`, and nothing that is anybody's data. With it the last
/// two are not on the listener that everybody reaches.
struct AdminListener: HTTPResponder {
    typealias Context = BasicRequestContext

    /// What is answered here.
    let system: SystemRoutes

    func respond(to request: Request, context: Context) async throws -> Response {
        let target = try? RequestTarget(request.head.path ?? "/")
        let id = RequestIDs.next()
        var answer = await system.respond(
            to: ServerRequest(
                method: HTTPMethod(rawValue: request.method.rawValue), target: request.head.path ?? "/",
                authority: request.head.authority, headers: [:], body: ByteBuffer(), id: id, peer: nil),
            path: target?.segments ?? [])
        answer?.headers.add(name: ServerResponse.Name.requestID, value: id)
        guard let answer else { return Response(status: .notFound) }
        return HummingbirdResponder.response(answer, isHead: request.method == .head)
    }

    /// The listener as a part of the service.
    /// - Parameter onListening: is called with its address once it listens.
    static func service(
        at address: ListenAddress, system: SystemRoutes, on eventLoops: any EventLoopGroup, logger: Logger,
        onListening: @escaping @Sendable (ListenAddress) -> Void
    ) -> some Service {
        Application(
            responder: AdminListener(system: system),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { channel in
                onListening(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
            },
            eventLoopGroupProvider: .shared(eventLoops), logger: logger)
    }
}
