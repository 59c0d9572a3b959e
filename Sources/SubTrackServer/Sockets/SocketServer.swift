import Foundation
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Listens for plain sockets until it is told to stop, and then until the last of them is closed.
struct SocketServer: Service {
    let addresses: [SocketListenAddress]
    let dispatcher: SocketDispatcher
    let quota: ConnectionQuota
    /// For TCP; a Unix socket never has TLS.
    let tls: TLSIdentity?
    let eventLoops: MultiThreadedEventLoopGroup
    /// Is called with each address at which it listens.
    let onListening: @Sendable (SocketListenAddress) -> Void

    func run() async throws {
        var listeners: [(channel: any Channel, quiescing: ServerQuiescingHelper)] = []
        do {
            for address in addresses {
                let quiescing = ServerQuiescingHelper(group: eventLoops)
                let channel = try await listen(at: address, quiescing)
                listeners.append((channel, quiescing))
                onListening(Self.actual(address, channel))
            }
        } catch {
            for listener in listeners { try? await listener.channel.close() }
            throw error
        }
        try? await gracefulShutdown()
        for (address, listener) in zip(addresses, listeners) {
            if case .unix(let path) = address { unlink(path) }
            let closed = eventLoops.next().makePromise(of: Void.self)
            listener.quiescing.initiateShutdown(promise: closed)
            try? await closed.futureResult.get()
        }
    }

    /// After how many seconds of silence the system asks whether the other side is there: a socket with a session may be
    /// silent for long.
    #if os(Linux)
        private static let keepAliveIdle = TCP_KEEPIDLE
    #else
        private static let keepAliveIdle = TCP_KEEPALIVE
    #endif

    private func listen(at address: SocketListenAddress, _ quiescing: ServerQuiescingHelper) async throws -> any Channel
    {
        let bootstrap = ServerBootstrap(group: eventLoops)
            .serverChannelOption(.backlog, value: 4096)
            // All that wait are let in before the next look at those that send: a flood of bodies makes each look long.
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGuard(logger: dispatcher.dispatcher.logger))
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
            // As for HTTP: what was read waits in buffers that nobody counts.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 << 10)
            )
            .childChannelInitializer { channel in
                guard quota.take(channel, from: CallOrigin(peer: channel.remoteAddress)) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    if let tls, case .tcp = address {
                        try channel.pipeline.syncOperations.addHandler(tls.socketHandler())
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        DrainGuard(deadline: dispatcher.limits.drainDeadline))
                    try channel.pipeline.syncOperations.addHandler(LineHandler(dispatcher: dispatcher))
                }
            }
        do {
            switch address {
            case .tcp(let address):
                return
                    try await bootstrap
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelOption(.socketOption(.so_keepalive), value: 1)
                    .childChannelOption(.tcpOption(.init(rawValue: Self.keepAliveIdle)), value: 60)
                    .childChannelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 15)
                    .childChannelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 4)
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .childChannelOption(.tcpOption(.init(rawValue: HTTPListener.unsentLowWater)), value: 128 << 10)
                    .bind(host: address.host, port: address.port).get()
            case .unix(let path):
                try UnixSocketFile.makeRoom(at: path)
                let channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
                UnixSocketFile.protect(path)
                return channel
            }
        } catch let error as IOError {
            let reason =
                error.errnoCode == EADDRINUSE
                ? "another program listens there" : String(cString: strerror(error.errnoCode))
            throw SocketListenFailure(address: address, reason: reason)
        } catch is SocketAddressError {
            throw SocketListenFailure(address: address, reason: "there is no such address")
        }
    }

    /// The address with the port that the system chose, where it was to choose one.
    private static func actual(_ address: SocketListenAddress, _ channel: any Channel) -> SocketListenAddress {
        guard case .tcp(let wanted) = address, let port = channel.localAddress?.port else { return address }
        return .tcp(ListenAddress(host: wanted.host, port: port))
    }
}
