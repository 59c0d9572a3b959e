import NIOCore
import NIOHTTP1
import NIOTLS

/// What the connections of an HTTP listener share, and how each of them is set up: HTTP/1.1 (``HTTP1Handler``), HTTP/2 over TLS
/// (``HTTP2Connection``), and WebSockets.
///
/// Requests are handled on a thread that watches sockets of the database (``DatabaseLoopActor``). A handler does little but
/// ask the database and write what it says: between its steps there is then no change of thread. Handlers must not block and
/// must do what takes long (a password's hash) elsewhere.
///
/// What a connection is for shows in its first line: one that begins with a `GET` of the live path is a WebSocket's.
struct HTTPConnections: Sendable {
    /// Answers the requests, and opens WebSockets.
    let gate: ServiceGate
    let limits: HTTPLimits
    /// How many connections there may be.
    let quota: ConnectionQuota
    /// The memory for bodies.
    let bodies: BodyBudget
    /// The memory for answers that clients take slowly.
    let answers: BodyBudget
    /// Those whose addresses stand for many clients.
    let proxies: TrustedProxies
    /// The certificate; nil: without TLS.
    let tls: TLSIdentity?

    /// Is told what connections and their bodies hold.
    private let memory = MemoryReturn.process

    /// Connections that keep to these limits.
    init(gate: ServiceGate, limits: HTTPLimits, proxies: TrustedProxies = .none, tls: TLSIdentity? = nil) {
        self.gate = gate
        self.limits = limits
        self.proxies = proxies
        self.tls = tls
        quota = ConnectionQuota(limits: limits)
        bodies = BodyBudget(bytes: limits.bodyMemory, patience: limits.bodyPatience, memory: memory)
        answers = BodyBudget(bytes: limits.answerMemory, patience: limits.answerPatience, memory: memory)
    }

    /// How many bytes may wait for the parser of HTTP/1.1.
    static let maximumUnparsed = 256 * 1024

    /// Adds the handlers of a connection that was accepted, or closes it where there is no place for it.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        let peer = channel.remoteAddress
        let isProxy = peer?.ipAddress.map(proxies.isTrusted) ?? false
        guard let lease = quota.admit(channel, from: isProxy ? nil : CallOrigin(peer: peer)) else {
            return channel.close()
        }
        memory.hold(MemoryReturn.ofConnection)
        channel.closeFuture.whenComplete { [memory] _ in memory.hold(-MemoryReturn.ofConnection) }
        return channel.eventLoop.makeCompletedFuture {
            // A client that sends nothing, or a little now and then, does not keep a connection.
            let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.head)) { HandshakeGuard.close(channel) }
            channel.closeFuture.whenComplete { _ in deadline.cancel() }
            let pipeline = channel.pipeline.syncOperations
            if let tls {
                // Before TLS, which would wait for the other side to agree on the end.
                try pipeline.addHandler(HandshakeGuard())
                try pipeline.addHandler(tls.httpHandler())
                try pipeline.addHandler(
                    ApplicationProtocolNegotiationHandler { result, channel in
                        HandshakeGuard.complete(channel)
                        return channel.eventLoop.makeCompletedFuture {
                            try setUp(result, channel, lease, deadline)
                        }
                    })
            } else {
                try setUpHTTP1(channel, lease, deadline)
            }
        }
    }

    private func setUp(
        _ result: ALPNResult, _ channel: any Channel, _ lease: ConnectionLease, _ deadline: Scheduled<Void>
    ) throws {
        switch result {
        case .negotiated("h2"):
            try HTTP2Connection(
                responder: responder(for: lease), limits: limits, bodies: bodies, answers: answers, lease: lease
            )
            .addHandlers(to: channel)
            deadline.cancel()
        case .negotiated("http/1.1"), .fallback: try setUpHTTP1(channel, lease, deadline)
        case .negotiated:
            // What was not offered cannot be agreed on.
            channel.close(promise: nil)
        }
    }

    private func responder(for lease: ConnectionLease) -> any RequestResponder {
        lease.isCrowded ? CrowdedResponder(responder: gate) : gate
    }

    private func setUpHTTP1(_ channel: any Channel, _ lease: ConnectionLease, _ deadline: Scheduled<Void>) throws {
        let first = FirstLineHandler { channel, kind in
            do {
                if kind == .live, !lease.isCrowded, let live = gate.content?.live {
                    try live.addHandlers(to: channel, lease: lease, isTLS: tls != nil)
                } else {
                    try addHTTP1Handlers(to: channel, lease)
                }
                // A connection beyond the limit has one deadline for all.
                if !lease.isCrowded { deadline.cancel() }
            } catch {
                channel.close(promise: nil)
            }
        }
        try channel.pipeline.syncOperations.addHandler(first)
    }

    private func addHTTP1Handlers(to channel: any Channel, _ lease: ConnectionLease) throws {
        var parsing = NIOHTTPDecoderLimitConfiguration()
        parsing.maxHeaderFieldSize = 80 * 1024
        parsing.maxHeaderListSize = 80 * 1024
        parsing.maxHeaderFieldCount = 1_000
        let encoder = HTTPResponseEncoder()
        // What is not parsed yet is a part of a header at the most. When the connection becomes a WebSocket, it is its first
        // frame's.
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: parsing),
            maximumBufferSize: Self.maximumUnparsed)
        try channel.pipeline.syncOperations.addHandler(encoder)
        try channel.pipeline.syncOperations.addHandler(decoder)
        try channel.pipeline.syncOperations.addHandler(
            HTTP1Handler(
                responder: responder(for: lease), limits: limits, bodies: bodies, answers: answers, lease: lease,
                isTLS: tls != nil
            ) { [gate, isTLS = tls != nil] in
                guard !lease.isCrowded, let live = gate.content?.live else { return nil }
                return live.handler(encoder: encoder, decoder: decoder, lease: lease, isTLS: isTLS)
            })
    }
}
