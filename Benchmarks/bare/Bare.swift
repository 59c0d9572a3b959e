import ArgumentParser
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// WebSockets alone: NIO's own server, which holds them, and tells all of them the same after each request that is none
/// of theirs.
@main
struct Bare: AsyncParsableCommand {
    @Option(help: "Port on 127.0.0.1.")
    var port: Int

    @Option(help: "How many threads read and write.")
    var threads = 1

    @Option(help: "What the sockets are told.")
    var notice = #"{"jsonrpc":"2.0","method":"changes","params":{"scope":"user","version":1000000}}"#

    func run() async throws {
        Self.raiseFileLimit()
        let room = Room(notice: notice)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: threads))
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOWebSocketServerUpgrader(
                        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(Listener(room: room))
                            }
                        })
                    let answers = Answers(room: room)
                    let operations = channel.pipeline.syncOperations
                    let handler = NIOLoopBound(answers, eventLoop: channel.eventLoop)
                    try operations.configureHTTPServerPipeline(
                        withServerUpgrade: (
                            upgraders: [upgrader],
                            completionHandler: { context in
                                context.pipeline.syncOperations.removeHandler(handler.value, promise: nil)
                            }
                        ))
                    try operations.addHandler(answers)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await channel.closeFuture.get()
    }

    private static func raiseFileLimit() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        setrlimit(resource, &limit)
    }
}

/// All open sockets.
private final class Room: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    private let notice: ByteBuffer

    init(notice: String) { self.notice = ByteBuffer(string: notice) }

    func enter(_ channel: any Channel) { channels.withLock { $0[ObjectIdentifier(channel)] = channel } }
    func leave(_ channel: any Channel) { channels.withLock { $0[ObjectIdentifier(channel)] = nil } }

    /// Tells all of them.
    func tell() {
        for channel in channels.withLock({ Array($0.values) }) {
            channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: notice), promise: nil)
        }
    }
}

/// A socket: it answers pings and that it is closed.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let room: Room

    init(room: Room) { self.room = room }

    func handlerAdded(context: ChannelHandlerContext) { room.enter(context.channel) }

    func channelInactive(context: ChannelHandlerContext) {
        room.leave(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers each request with a word, and then tells the sockets; a `GET` is answered alone.
private final class Answers: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let room: Room
    private var isWrite = false

    init(room: Room) { self.room = room }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): isWrite = head.method != .GET
        case .body: break
        case .end:
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "2"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "ok")))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            if isWrite { room.tell() }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
