import Hummingbird
import NIOCore

/// What is known of a request beside itself: Hummingbird's own, and the address that its connection comes from.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The other end of the connection: the client, or a proxy in front of the service.
    var remoteAddress: SocketAddress? { channel.remoteAddress }
}
