import CCurl
import Foundation

/// Hands mails to one mail server, by libcurl on a thread of its own.
///
/// Up to four connections are kept for a minute and carry one mail after another. A mail that was not taken within 60 s of its
/// submission is given up.
public final class SMTPSender: Sendable {
    /// The server.
    public let server: SMTPServer
    /// The time for a mail, from its submission.
    public let limit: Duration
    private let password: String?
    private let certificates: String?
    let loop: TransferLoop

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
        loop = TransferLoop(
            name: "smtp", bounds: .init(transfers: 4, transfersPerHost: 4, keptConnections: 4))
    }

    deinit { loop.stop() }

    /// Hands a mail over.
    /// - Parameters:
    ///   - message: headers and text, with lines that end in CR LF.
    ///   - sender: the address for notices about the mail.
    ///   - recipient: the address that it goes to.
    /// - Throws: ``SMTPRejection``, ``OutboundFault``; `CancellationError` when the task is cancelled.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws {
        try Task.checkCancellation()
        let transfer = try SMTPTransfer(
            message, from: sender, to: recipient, server: server, password: password, certificates: certificates,
            limit: limit)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.wait(continuation)
                loop.submit(transfer)
            }
        } onCancel: {
            transfer.cancel()
            loop.wake()
        }
    }

    /// Ends all mails under way, and waits for the end of the thread.
    public func close() async {
        loop.stop()
        await loop.ended()
    }
}
