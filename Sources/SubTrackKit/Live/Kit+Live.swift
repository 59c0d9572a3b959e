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
    ///   user was deleted.
    public func live() -> AsyncThrowingStream<LiveEvent, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [self] in
                do {
                    try await LiveLoop(kit: self) { continuation.yield($0) }.run()
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
    let onEvent: @Sendable (LiveEvent) -> Void

    /// How often the outbox is looked at: another program of the same person may have put something in.
    private static let tick = Duration.seconds(1)

    /// Runs until it is cancelled.
    @concurrent func run() async throws {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let wasOpen = Mutex(false)
            var used: String?
            do {
                // A device that is new is registered by its first sync; the socket needs its token.
                if try kit.client.tokens.token() == nil { try await synced() }
                guard let token = try kit.client.tokens.token() else { throw KitError.signedOut }
                used = token
                try await connected(token) { wasOpen.withLock { $0 = true } }
            } catch is CancellationError {
                return
            } catch {
                let reason = try reason(error, of: used)
                // A socket that was open for a while ended by a restart: what comes next is a first attempt.
                if wasOpen.withLock({ $0 }) { backoff.reset() }
                let wait = backoff.next(using: &random)
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
        let (pokes, poke) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await LiveSocket.run(
                    server: kit.client.server, token: token, onOpen: { poke.yield(true) },
                    onMessage: { message in if message == .poke { poke.yield(false) } })
            }
            group.addTask {
                // What is changed here, by this program or another one.
                var seen = try kit.othersCounter()
                while true {
                    try await Task.sleep(for: Self.tick)
                    let counter = try kit.othersCounter()
                    if counter != seen {
                        seen = counter
                        try kit.noticeOthers()
                    }
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

    /// Why the connection was lost, in words.
    /// - Throws: what will not pass by itself.
    private func reason(_ error: any Error, of token: String?) throws -> String {
        switch error {
        case KitError.offline(let reason, _): return reason
        case LiveSocket.End.signedOut, KitError.signedOut:
            // Somebody has signed in meanwhile: the new token gets a socket of its own.
            if try token != nil && kit.client.tokens.token() != token { return "another session has begun" }
            try kit.store.set(.signedOut, "1")
            throw KitError.signedOut
        case LiveSocket.End.refused(let status): return "the service does not open a live connection (status \(status))"
        case LiveSocket.End.silent: return "nothing was heard for long"
        case LiveSocket.End.closed: return "the service closed the connection"
        case KitError.nonsense: return "\(error)"
        case let error as KitError: throw error
        default: return "the service cannot be reached"
        }
    }
}
