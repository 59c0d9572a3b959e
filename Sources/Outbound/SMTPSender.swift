import CCurl
import Foundation
import Synchronization

/// Hands mails to one mail server, by libcurl on threads of its own.
///
/// Four mails are under way at the same time. A connection carries one mail after another, and ends when no mail waits for it.
public final class SMTPSender: Sendable {
    /// The server.
    public let server: SMTPServer
    /// The time for a mail, from its submission.
    public let limit: Duration
    private let password: String?
    private let certificates: String?
    private let threads: OperationQueue
    private let state = Mutex((waiting: 0, idle: [Easy]()))

    /// A sender without a connection.
    /// - Parameters:
    ///   - password: that of the server's user; nil: without signing in.
    ///   - certificates: the path of a file of PEM certificates that are trusted; nil: those of the system.
    public init(
        _ server: SMTPServer, password: String?, certificates: String? = nil, limit: Duration = .seconds(60)
    ) {
        self.server = server
        self.password = password
        self.certificates = certificates
        self.limit = limit
        threads = OperationQueue()
        threads.name = "smtp"
        threads.maxConcurrentOperationCount = 4
    }

    /// Hands a mail over.
    /// - Parameters:
    ///   - message: headers and text, with lines that end in CR LF.
    ///   - sender: the address for notices about the mail.
    ///   - recipient: the address that it goes to.
    /// - Throws: ``SMTPRejection``, ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws {
        try await run(try SMTPTransfer(message, from: sender, to: recipient, by: .now + limit))
    }

    /// Connects, encrypts and signs in, and sends nothing.
    /// - Throws: ``SMTPRejection``, ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func greet() async throws { try await run(SMTPTransfer(by: .now + limit)) }

    private func run(_ transfer: SMTPTransfer) async throws {
        try Task.checkCancellation()
        state.withLock { $0.waiting += 1 }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                threads.addOperation { [self] in
                    let kept = state.withLock { state in
                        state.waiting -= 1
                        return state.idle.popLast()
                    }
                    do {
                        let easy = try kept ?? Easy()
                        caller.resume(
                            with: Result { try transfer.perform(easy, server, password, certificates) })
                        leave(easy)
                    } catch {
                        caller.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    /// Keeps a connection for a mail that waits, or ends all that nobody waits for. The caller has its answer by then.
    private func leave(_ easy: Easy) {
        let unused = state.withLock { state -> [Easy] in
            state.idle.append(easy)
            let surplus = max(0, state.idle.count - state.waiting)
            defer { state.idle.removeLast(surplus) }
            return Array(state.idle.suffix(surplus))
        }
        for easy in unused { easy.end() }
    }
}
