import NIOCore
import Synchronization

/// How many sockets there may be, in all and from one network: an IPv4 address, or the 64 bits of IPv6 that one household has
/// to itself and could take any number of addresses from.
final class ConnectionQuota: Sendable {
    private struct Counts {
        var total = 0
        var byNetwork: [String: Int] = [:]
    }

    private let limits: SocketLimits
    private let counts = Mutex(Counts())

    init(limits: SocketLimits) { self.limits = limits }

    /// Whether there is room for one more from somewhere.
    func hasRoom(for origin: CallOrigin) -> Bool { counts.withLock { hasRoom($0, Self.key(origin)) } }

    private func hasRoom(_ counts: Counts, _ key: String?) -> Bool {
        counts.total < limits.connections
            && (key.flatMap { counts.byNetwork[$0] } ?? 0) < limits.connectionsPerAddress
    }

    /// Counts a channel until it is closed.
    /// - Parameter origin: where it comes from: behind a proxy that is trusted, not from there.
    /// - Returns: false, and nothing is counted, when there is no room.
    func take(_ channel: any Channel, from origin: CallOrigin) -> Bool {
        let key = Self.key(origin)
        let isTaken = counts.withLock { counts in
            guard hasRoom(counts, key) else { return false }
            counts.total += 1
            if let key { counts.byNetwork[key, default: 0] += 1 }
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { _ in
            self.counts.withLock { counts in
                counts.total -= 1
                guard let key, let count = counts.byNetwork[key] else { return }
                counts.byNetwork[key] = count > 1 ? count - 1 : nil
            }
        }
        return true
    }

    /// What connections are counted by; nil for those from this machine, where a proxy speaks for many.
    private static func key(_ origin: CallOrigin) -> String? { origin.isThisMachine ? nil : origin.network }
}
