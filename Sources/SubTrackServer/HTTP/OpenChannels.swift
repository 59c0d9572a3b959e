import NIOCore
import Synchronization

/// The open connections of a listener. Their own handlers do all the work, so that no task has to wait beside each until it is
/// closed: a parked task costs as much memory as the connection.
final class OpenChannels: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Who waits until there is none.
        var waiting: CheckedContinuation<Void, Never>?
        /// From now on none stays open.
        var isEnded = false
        /// The number of those that did not come to their end in time.
        var cut = 0
    }

    private let state = Mutex(State())

    /// The number of open connections.
    var count: Int { state.withLock { $0.channels.count } }

    /// The number of connections that were closed before they came to their end.
    var cut: Int { state.withLock { $0.cut } }

    /// Keeps a connection in mind until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isEnded = state.withLock { state in
            state.channels[id] = channel
            return state.isEnded
        }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        if isEnded { channel.close(promise: nil) }
    }

    private func remove(_ id: ObjectIdentifier) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.channels[id] = nil
            guard state.channels.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until all are closed. When the task is cancelled, they are closed at once.
    func drain() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEmpty = state.withLock { state in
                    if !state.channels.isEmpty { state.waiting = continuation }
                    return state.channels.isEmpty
                }
                if isEmpty { continuation.resume() }
            }
        } onCancel: {
            let channels = state.withLock { state in
                state.isEnded = true
                state.cut += state.channels.count
                return Array(state.channels.values)
            }
            for channel in channels { channel.close(promise: nil) }
        }
    }
}
