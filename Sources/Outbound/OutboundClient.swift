import CCurl
import Foundation
import Synchronization

/// A request by POST.
public struct OutboundRequest: Sendable, Hashable {
    /// The address.
    public var url: OutboundURL
    /// Names and values of headers, in their order.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// A header.
    public struct Header: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String

        /// A header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A request.
    public init(_ url: OutboundURL, headers: [Header] = [], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The answer to a request, of any status. A redirect is such an answer too: it is not followed.
public struct OutboundResponse: Sendable, Hashable {
    /// The status: 200, for example.
    public let status: Int
    /// The beginning of the body, at most 64 KiB.
    public let body: [UInt8]
    /// Whether the body was longer.
    public let isTruncated: Bool
    /// The wait that the server asks for (RFC 9110 §10.2.3); never negative.
    public let retryAfter: Duration?
}

/// Sends requests to servers that users chose, by libcurl on a thread of its own.
///
/// 64 requests go at once, two for a host; further ones wait. A connection must be made in 5 s and an answer be there in
/// 15 s. A server that falls silent for 5 s within its answer is given up. No redirect is followed, no cookie kept, no proxy
/// of the environment used. Certificates are verified.
public final class OutboundClient: Sendable {
    /// The most bytes of a body that are read.
    public static let bodyLimit = 64 << 10

    /// Limits of time. Those of tests are shorter.
    struct Limits: Sendable {
        var connect = Duration.seconds(5)
        var whole = Duration.seconds(15)
    }

    /// The addresses that are refused.
    public let addressGuard: AddressGuard
    private let certificates: String?
    private let agent: String
    private let limits: Limits
    let loop: TransferLoop

    /// A client without a connection.
    /// - Parameters:
    ///   - addressGuard: judges each address.
    ///   - certificates: the path of a file of PEM certificates that are trusted; nil: those of the system.
    ///   - agent: the `User-Agent`.
    public convenience init(guard addressGuard: AddressGuard, certificates: String? = nil, agent: String = "SubTrackIt")
    {
        self.init(guard: addressGuard, certificates: certificates, agent: agent, limits: Limits(), bounds: .init())
    }

    init(
        guard addressGuard: AddressGuard, certificates: String? = nil, agent: String = "SubTrackIt", limits: Limits,
        bounds: TransferLoop.Bounds
    ) {
        self.addressGuard = addressGuard
        self.certificates = certificates
        self.agent = agent
        self.limits = limits
        loop = TransferLoop(name: "outbound", bounds: bounds)
    }

    deinit { loop.stop() }

    /// Sends a request and reads the answer.
    /// - Throws: ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func post(_ request: OutboundRequest) async throws -> OutboundResponse {
        if let reason = addressGuard.refusal(of: request.url) { throw OutboundFault.refused(reason) }
        try Task.checkCancellation()
        let transfer = HTTPTransfer(
            request, guard: addressGuard, certificates: certificates, agent: agent, limits: limits)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.wait(continuation)
                loop.submit(transfer)
            }
        } onCancel: {
            transfer.cancel()
            loop.wake()
        }
    }

    /// Ends all requests, and waits for the end of the thread.
    public func close() async {
        loop.stop()
        await loop.ended()
    }
}
