import NIOCore
import Synchronization

/// The place of one HTTP connection among those that there may be.
///
/// A connection that waits, for a request or for the rest of one, may have to give its place to a newer one. The owner notes
/// when it waits and when it works; nothing is locked for that.
final class ConnectionLease: Sendable {
    /// Whether it is one beyond the limit, which may ask for nothing but whether the service is alive.
    let isCrowded: Bool
    let channel: any Channel
    let keys: [ClientNetworks.Network]
    private let since: Atomic<UInt64>
    private let onRelease: @Sendable (ConnectionLease) -> Void
    private let isReleased = Atomic(false)

    init(
        _ channel: any Channel, keys: [ClientNetworks.Network], isCrowded: Bool,
        onRelease: @escaping @Sendable (ConnectionLease) -> Void
    ) {
        self.channel = channel
        self.keys = keys
        self.isCrowded = isCrowded
        self.onRelease = onRelease
        since = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    /// Notes that it waits for the client from now on.
    func waits() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    /// Notes that the service works for it, so that it keeps its place.
    func works() { since.store(.max, ordering: .relaxed) }

    /// Since when it waits, by the clock of deadlines; the largest number when it does not wait.
    var waitingSince: UInt64 { since.load(ordering: .relaxed) }

    /// Gives its place back. Only the first time counts.
    func release() {
        if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { onRelease(self) }
    }
}
