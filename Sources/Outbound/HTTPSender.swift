/// Sends requests to servers that users chose, by libcurl on threads of its own.
///
/// 32 requests go at once, four to a host and four for an owner. A connection must be made in 5 s and the answer be there in 15 s. The sender follows no
/// redirect, keeps no cookie and no connection, and uses no proxy of the environment. It verifies certificates.
public final class HTTPSender: Sendable {
    /// Limits of time. Those of tests are shorter.
    struct Limits: Sendable {
        var connect = Duration.seconds(5)
        var whole = Duration.seconds(15)
    }

    /// The addresses that are refused.
    public let addresses: AddressGuard
    private let certificates: String?
    private let agent: String
    private let limits: Limits
    private let threads = WorkerThreads(name: "http", most: 32, mostOfKey: 4)

    /// A sender.
    /// - Parameters:
    ///   - addresses: judges each address.
    ///   - agent: the `User-Agent`.
    ///   - certificates: the path of a file of PEM certificates that are trusted; nil: those of the system.
    public convenience init(_ addresses: AddressGuard, agent: String, certificates: String? = nil) {
        self.init(addresses, agent: agent, certificates: certificates, limits: Limits())
    }

    init(_ addresses: AddressGuard, agent: String, certificates: String?, limits: Limits) {
        self.addresses = addresses
        self.agent = agent
        self.certificates = certificates
        self.limits = limits
    }

    /// Sends a request and reads the answer. A request that has waited 15 s for its turn is not sent.
    /// - Parameter owner: the user who wants it. A user may name as many hosts as there are places.
    /// - Throws: ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func post(_ request: OutboundRequest, for owner: String) async throws -> OutboundResponse {
        if let reason = addresses.refusal(of: request.url) { throw OutboundFault.refused(reason) }
        try Task.checkCancellation()
        let transfer = HTTPTransfer(request, addresses)
        let latest = ContinuousClock.now + limits.whole
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<OutboundResponse, any Error>) in
                threads.run(["host \(request.url.host)", "owner \(owner)"]) {
                    caller.resume(
                        with: Result {
                            guard ContinuousClock.now < latest else { throw OutboundFault.timedOut }
                            return try transfer.perform(self.limits, self.agent, self.certificates)
                        })
                }
            }
        } onCancel: {
            transfer.cancel()
        }
    }
}
