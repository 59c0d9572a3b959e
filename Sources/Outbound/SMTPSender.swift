import CCurl
import Foundation
import Synchronization

/// Hands mails to one mail server, by libcurl on threads of its own.
///
/// Four mails are under way at the same time. A connection carries one mail after another, and ends ten seconds after the last one.
public final class SMTPSender: Sendable {
    /// The server.
    public let server: SMTPServer
    /// The time for a mail, from its submission.
    public let limit: Duration
    private let password: String?
    private let certificates: String?
    private let threads = WorkerThreads(name: "smtp", most: 4, mostOfKey: 4)
    private let idle: Mutex<(connections: [Connection], isWatched: Bool)> = Mutex(([], false))

    /// A connection that no mail has, and the moment of its last one.
    private struct Connection {
        let easy: Easy
        let since: ContinuousClock.Instant
    }

    /// The time for which a connection is kept.
    private static let rest = Duration.seconds(10)

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
    /// - Parameter sender: the address from which mails would come; nil: none is known.
    /// - Throws: ``SMTPRejection``, ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func greet(as sender: String? = nil) async throws {
        try await run(SMTPTransfer(as: sender, by: .now + limit))
    }

    private func run(_ transfer: SMTPTransfer) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                threads.run([]) { [self] in
                    do {
                        let easy = try idle.withLock { $0.connections.popLast()?.easy } ?? Easy()
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

    /// Ends the connections that are kept.
    public func close() async {
        await withCheckedContinuation { caller in
            threads.run([]) { [self] in
                end { _ in true }
                caller.resume()
            }
        }
    }

    /// Keeps a connection for the next mail. The caller has its answer by then.
    private func leave(_ easy: Easy) {
        let isWatched = idle.withLock { idle in
            idle.connections.append(Connection(easy: easy, since: .now))
            defer { idle.isWatched = true }
            return idle.isWatched
        }
        if !isWatched { watch() }
    }

    /// Ends connections that have rested, as long as there are any.
    private func watch() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Int(Self.rest.components.seconds))) {
            [weak self] in
            guard let self else { return }
            end { .now - $0 >= Self.rest }
            let isOver = idle.withLock { idle in
                idle.isWatched = !idle.connections.isEmpty
                return !idle.isWatched
            }
            if !isOver { watch() }
        }
    }

    /// Ends the connections with some moments of their last mail.
    private func end(where isOver: (ContinuousClock.Instant) -> Bool) {
        let ended = idle.withLock { idle in
            defer { idle.connections.removeAll { isOver($0.since) } }
            return idle.connections.filter { isOver($0.since) }
        }
        for connection in ended { connection.easy.end() }
    }

    deinit { end { _ in true } }
}
