import Foundation
import GRDB
import Synchronization

extension Kit {
    /// Stays in step until the task is cancelled: pulls when the service says that there is something new, sends what is changed
    /// here, and connects again by itself, after waits that grow.
    ///
    ///     for try await event in kit.live() { … }
    ///
    /// - Returns: what happens. The sequence ends with an error when there is nothing to wait for: the session has ended, the
    ///   user was deleted. Whatever may pass (no network, a service that refuses, a full disk) is told and tried again.
    public func live() -> AsyncThrowingStream<LiveEvent, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [self] in
                do {
                    try await LiveLoop(kit: self, onEvent: { continuation.yield($0) }).run()
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Keeps one device in step by its live socket.
struct LiveLoop: Sendable {
    let kit: Kit
    var backoff = Backoff()
    let onEvent: @Sendable (LiveEvent) -> Void

    /// How often the outbox is looked at: another program of the same person may have put something in.
    private static let tick = Duration.seconds(1)

    /// Runs until it is cancelled.
    /// - Throws: what will not pass by itself: ``KitError/signedOut``, ``KitError/userDeleted`` …
    @concurrent func run() async throws {
        var backoff = backoff
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let opened = Mutex<ContinuousClock.Instant?>(nil)
            do {
                // A device that is new is registered by its first sync; the socket needs its token.
                if try kit.client.tokens.token() == nil { try await synced() }
                guard let token = try kit.client.tokens.token() else { throw KitError.signedOut }
                try await connected(token) { opened.withLock { $0 = .now } }
            } catch is CancellationError {
                return
            } catch {
                if Task.isCancelled { return }
                let (reason, retryAfter) = try await reason(error)
                let open = opened.withLock { $0.map { ContinuousClock.now - $0 } }
                let wait = backoff.next(afterOpen: open, retryAfter: retryAfter, using: &random)
                onEvent(.disconnected(reason: reason, retryIn: wait))
                try? await Task.sleep(for: wait)
            }
        }
    }

    private func synced() async throws {
        let summary = try await kit.sync()
        if summary != SyncSummary() { onEvent(.synced(summary)) }
    }

    /// Opens the socket first and pulls then: whatever is committed after it was opened is told.
    private func connected(_ token: String, onOpen: @escaping @Sendable () -> Void) async throws {
        let trust = try kit.settings.transport.trust
        let (pokes, poke) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await LiveSocket.run(
                    server: kit.client.server, token: token, trust: trust, onOpen: { poke.yield(true) },
                    onMessage: { message in if message == .poke { poke.yield(false) } })
            }
            group.addTask {
                // What is changed here, by this program or another one.
                while true {
                    try await Task.sleep(for: Self.tick)
                    if try kit.pendingCount() > 0 { poke.yield(false) }
                }
            }
            group.addTask {
                for await isFirst in pokes {
                    try await synced()
                    if isFirst {
                        onOpen()
                        onEvent(.connected)
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Why the connection was lost, in words, and for how many seconds the service asked to be left alone.
    /// - Throws: what will not pass by itself.
    private func reason(_ error: any Error) async throws -> (String, Int?) {
        switch error {
        case LiveSocket.End.signedOut:
            // The socket does not say whether the session has ended or the user was deleted, and somebody may have signed in
            // meanwhile: then the new token gets a socket of its own. A sync tells.
            do {
                try await synced()
                return ("another session has begun", nil)
            } catch {
                return try Self.passing(error)
            }
        case LiveSocket.End.refused(let status, let retryAfter):
            return ("the service does not open a live connection (status \(status))", retryAfter)
        case LiveSocket.End.silent: return ("nothing was heard for long", nil)
        case LiveSocket.End.closed: return ("the service closed the connection", nil)
        default: return try Self.passing(error)
        }
    }

    /// What passes by itself, or when somebody makes room on a disk, in words.
    /// - Throws: what does not.
    private static func passing(_ error: any Error) throws -> (String, Int?) {
        switch error {
        case is CancellationError: throw error
        case KitError.offline(let reason, let retryAfter): return (reason.withoutRetry, retryAfter)
        case KitError.refused(let problem): return (problem.detail.withoutRetry, problem.retryAfter)
        // A network that asks to sign in first answers with a certificate of its own, until somebody did.
        case KitError.insecure, KitError.nonsense, KitError.store: return ("\(error)".asPart, nil)
        case let error as KitError: throw error
        default: return ("the service cannot be reached", nil)
        }
    }
}
