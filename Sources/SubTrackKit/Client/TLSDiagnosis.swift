import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SubTrackAPI
import Synchronization

/// Finds out why a connection failed, where TLS may be the reason.
///
/// A failed handshake does not say which check a certificate did not pass. A second connection asks for the certificate and
/// sends nothing of the user's.
struct TLSDiagnosis: Sendable {
    /// The address that was called.
    let url: String
    let trust: TLSTrust
    /// How long one attempt may take.
    var patience = TimeAmount.seconds(5)

    private struct Target {
        var host: String
        var port: Int
        var isSecure: Bool
        var authority: String
    }

    private var target: Target? {
        guard let url = URL(string: url), let host = url.host else { return nil }
        let isSecure = ["https", "wss"].contains(url.scheme?.lowercased())
        return Target(
            host: host, port: url.port ?? (isSecure ? 443 : 80), isSecure: isSecure,
            authority: url.port.map { "\(host):\($0)" } ?? host)
    }

    /// The fault behind an error of a connection.
    /// - Returns: nil where TLS has nothing to do with it.
    func fault(_ error: any Error) async -> KitError? {
        guard let target else { return nil }
        let kind: TLSFault.Kind?
        if target.isSecure {
            guard Self.isOfTLS(error) else { return nil }
            kind = await secureFault(error, target)
        } else {
            guard Self.isOfHTTP(error) else { return nil }
            kind = await needsTLS(target)
        }
        return kind.map { fault($0, target) }
    }

    /// The fault behind an answer by plain HTTP that no service gives: servers say so to callers without TLS.
    func fault(ofAnswer status: Int, body: Data) async -> KitError? {
        guard let target, !target.isSecure, status == 400, body.first != UInt8(ascii: "{") else { return nil }
        return await needsTLS(target).map { fault($0, target) }
    }

    private func fault(_ kind: TLSFault.Kind, _ target: Target) -> KitError {
        .insecure(TLSFault(kind, host: target.authority, authorities: trust.file, today: Self.day(time(nil))))
    }

    private func needsTLS(_ target: Target) async -> TLSFault.Kind? {
        await presented(target).isEmpty ? nil : .needsTLS
    }

    /// Whether an error may be one of a handshake.
    private static func isOfTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError || isOfHTTP(error)
            || error as? HTTPClientError == .tlsHandshakeTimeout
    }

    /// Whether an error may be that of a server which does not speak HTTP: it sent something else, or closed the connection.
    private static func isOfHTTP(_ error: any Error) -> Bool {
        switch error {
        case is HTTPParserError: true
        case let error as HTTPClientError: error == .remoteConnectionClosed
        // An upgrade to WebSocket that ends without an answer fails with the last of these.
        case ChannelError.eof, ChannelError.inputClosed, ChannelError.ioOnClosedChannel,
            ChannelError.inappropriateOperationForState:
            true
        case is IOError: true
        default: false
        }
    }

    private func secureFault(_ error: any Error, _ target: Target) async -> TLSFault.Kind? {
        let chain = await presented(target)
        guard let leaf = chain.first else {
            if await answersPlainly(target) { return .noTLS }
            return Self.reasons(error) == nil ? nil : .handshake
        }
        if error as? NIOSSLExtraError == .failedToValidateHostname { return .wrongHost(names: Self.names(leaf)) }
        // A connection that merely ended is an outage, whatever the certificate is.
        guard let reasons = Self.reasons(error) else { return nil }
        guard reasons.contains("CERTIFICATE_VERIFY_FAILED") else { return .handshake }
        let now = time(nil)
        if let expired = chain.first(where: { $0.notValidAfter < now }) {
            return .expired(on: Self.day(expired.notValidAfter))
        }
        if let early = chain.first(where: { $0.notValidBefore > now }) {
            return .notYetValid(until: Self.day(early.notValidBefore))
        }
        return .unknownIssuer
    }

    /// The reasons that the library of TLS gives; nil: it gives none, or only that the connection ended.
    private static func reasons(_ error: any Error) -> String? {
        switch error {
        // A server that goes away in the middle of a handshake is an outage.
        case NIOSSLError.handshakeFailed(.sslError(let stack)) where stack == [.eofDuringHandshake]: nil
        case NIOSSLError.handshakeFailed(.sslError(let stack)), BoringSSLError.sslError(let stack): "\(stack)"
        default: nil
        }
    }

    private static func day(_ time: time_t) -> CalendarDate {
        Instant(secondsSince1970: Int64(time)).date(secondsFromUTC: 0)
    }

    /// The names that a certificate is for.
    private static func names(_ certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().compactMap { name in
            let bytes = Array(name.contents)
            switch name.nameType {
            case .dnsName: return String(decoding: bytes, as: UTF8.self)
            case .ipAddress where bytes.count == 4: return bytes.map(String.init).joined(separator: ".")
            case .ipAddress:
                return try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0).ipAddress
            default: return nil
            }
        }
    }

    /// The certificates that the server presents, its own first; none where it presents none.
    private func presented(_ target: Target) async -> [NIOSSLCertificate] {
        let box = Box<[NIOSSLCertificate]>([])
        await attempt(target) { channel, done in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.applicationProtocols = ["http/1.1"]
            let context = try NIOSSLContext(configuration: configuration)
            let isName = target.host.contains { $0.isLetter } && !target.host.contains(":")
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler(
                    context: context, serverHostname: isName ? target.host : nil,
                    customVerificationCallback: { certificates, promise in
                        box.set(certificates)
                        // Nothing is sent on this connection, whatever the certificate is.
                        promise.succeed(.failed)
                        done.succeed(())
                    }))
        }
        return box.value
    }

    /// Whether the server answers at that port by plain HTTP.
    private func answersPlainly(_ target: Target) async -> Bool {
        let box = Box(false)
        await attempt(target) { channel, done in
            try channel.pipeline.syncOperations.addHandler(
                PlainProbe(authority: target.authority) { isHTTP in
                    box.set(isHTTP)
                    done.succeed(())
                })
        }
        return box.value
    }

    /// Makes a connection and waits until something is known, it ends, or it takes too long.
    private func attempt(
        _ target: Target, _ configure: @escaping @Sendable (any Channel, EventLoopPromise<Void>) throws -> Void
    ) async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let done = loop.makePromise(of: Void.self)
        let deadline = loop.scheduleTask(in: patience) { done.succeed(()) }
        let connecting = ClientBootstrap(group: loop).connectTimeout(patience)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try configure(channel, done) } }
            .connect(host: target.host, port: target.port)
        connecting.whenFailure { _ in done.succeed(()) }
        connecting.whenSuccess { channel in channel.closeFuture.whenComplete { _ in done.succeed(()) } }
        try? await done.futureResult.get()
        deadline.cancel()
        connecting.whenSuccess { $0.close(promise: nil) }
    }

    /// A value that is set on an event loop and read when all is over.
    private final class Box<Value: Sendable>: Sendable {
        private let mutex: Mutex<Value>
        init(_ value: Value) { mutex = Mutex(value) }
        func set(_ value: Value) { mutex.withLock { $0 = value } }
        var value: Value { mutex.withLock { $0 } }
    }

    /// Asks for the service's name by plain HTTP, and looks how the answer begins.
    private final class PlainProbe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let authority: String
        private let onAnswer: (Bool) -> Void
        private var received = ByteBuffer()

        init(authority: String, onAnswer: @escaping (Bool) -> Void) {
            self.authority = authority
            self.onAnswer = onAnswer
        }

        func channelActive(context: ChannelHandlerContext) {
            let request = "GET /v1 HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            received.writeBuffer(&part)
            guard received.readableBytes >= 5 else { return }
            onAnswer(received.readableBytesView.starts(with: "HTTP/".utf8))
        }
    }
}
