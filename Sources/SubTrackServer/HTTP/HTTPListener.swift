import Foundation
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Listens for HTTP at an address, from before the service is there until it is told to stop, and then until the last of its
/// connections is closed.
///
/// One listener lasts the whole time. To listen for a moment, only to see whether it can be done, would take in connections that
/// nobody answers.
final class HTTPListener: Service {
    /// Why an address cannot be listened at.
    struct Failure: Error, CustomStringConvertible {
        let address: ListenAddress
        let errno: Int32
        let setting: Setting

        var description: String {
            let reason =
                switch errno {
                case EADDRINUSE: "another program listens there"
                case EADDRNOTAVAIL: "this machine has no such address"
                case EACCES: "this user may not (ports below 1024 need a privilege)"
                default: String(cString: strerror(errno))
                }
            return "cannot listen at \(address): \(reason); choose another address with \(setting.flag ?? "")"
        }
    }

    /// The option of TCP by which so much waits in the system at the most for a client that is slow, in bytes.
    #if os(Linux)
        static let unsentLowWater = TCP_NOTSENT_LOWAT
    #else
        static let unsentLowWater: Int32 = 0x201
    #endif

    /// Where it listens, with the port that the system chose, where it was to choose one.
    let address: ListenAddress
    /// Its connections.
    let channels: OpenChannels
    private let channel: any Channel
    private let quiescing: ServerQuiescingHelper

    private init(
        address: ListenAddress, channel: any Channel, quiescing: ServerQuiescingHelper, channels: OpenChannels
    ) {
        self.address = address
        self.channel = channel
        self.quiescing = quiescing
        self.channels = channels
    }

    /// Listens.
    /// - Parameter setting: the setting that says where.
    /// - Throws: ``SettingsError`` for a host that is no address and has none; ``Failure``.
    static func listen(
        at address: ListenAddress, _ setting: Setting, _ connections: HTTPConnections,
        on eventLoops: MultiThreadedEventLoopGroup, logger: Logger
    ) async throws -> HTTPListener {
        let resolved: SocketAddress
        do {
            resolved = try SocketAddress.makeAddressResolvingHost(address.host, port: address.port)
        } catch {
            throw SettingsError(
                "cannot listen at \(address): \"\(address.host)\" is neither an IP address nor a name that is known here; "
                    + "use \(setting.flag ?? "") 127.0.0.1:8080, [::1]:8080, or 0.0.0.0:8080 for all addresses")
        }
        let quiescing = ServerQuiescingHelper(group: eventLoops)
        let channels = OpenChannels()
        let bootstrap = ServerBootstrap(group: eventLoops)
            // A flood waits here: a client whose connection is dropped tries again after one second, and then after three.
            .serverChannelOption(.backlog, value: 4096)
            // All that wait are let in before the next look at those that send: a flood of bodies makes each look long.
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGuard(logger: logger))
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // A connection reads little at once: what it reads waits in buffers that nobody counts. TLS keeps
            // a record of 16 KiB until it is whole.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 4 << 10)
            )
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            // So little waits in the system for a client that is slow, and it is seen how the client takes it.
            .childChannelOption(.tcpOption(.init(rawValue: Self.unsentLowWater)), value: 128 << 10)
            .childChannelInitializer { channel in
                channels.add(channel)
                return connections.setUp(channel)
            }
        do {
            let channel = try await bootstrap.bind(to: resolved).get()
            let port = channel.localAddress?.port ?? address.port
            return HTTPListener(
                address: ListenAddress(host: address.host, port: port), channel: channel, quiescing: quiescing,
                channels: channels)
        } catch let error as IOError {
            throw Failure(address: address, errno: error.errnoCode, setting: setting)
        }
    }

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            await close()
            throw error
        }
        // The connections are told to come to their end.
        quiescing.initiateShutdown(promise: nil)
        await channels.drain()
    }

    /// Closes it and all its connections at once.
    func close() async {
        try? await channel.close()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.channels.drain() }
            group.cancelAll()
        }
    }
}
