import NIOCore
import Synchronization

/// How many connections of a kind there may be, in all and from each network of their other end: HTTP's and sockets' each have
/// one.
final class ConnectionQuota: Sendable {
    private struct State {
        var total = 0
        /// Entries of networks that have connections: never more than three times the total.
        var byNetwork: [ClientNetworks.Network: Int] = [:]
        var leases: [ObjectIdentifier: ConnectionLease] = [:]
        var crowded: [ObjectIdentifier: ConnectionLease] = [:]
        /// Until then no connection has waited long enough to give way.
        var noneYieldsBefore: UInt64 = 0
    }

    private let maximum: Int
    private let perNetwork: Int
    private let maximumCrowded: Int
    private let yielding: UInt64
    private let state = Mutex(State())

    /// The quota of sockets.
    convenience init(limits: SocketLimits) {
        self.init(maximum: limits.connections, perNetwork: limits.connectionsPerAddress)
    }

    /// The quota of HTTP connections.
    convenience init(limits: HTTPLimits) {
        self.init(
            maximum: limits.connections, perNetwork: limits.connectionsPerNetwork,
            crowded: limits.crowdedConnections, yielding: limits.yielding)
    }

    /// A quota.
    /// - Parameters:
    ///   - crowded: how many connections beyond the maximum are taken, to be told so.
    ///   - yielding: how long a connection that waits keeps its place when another one wants it.
    init(maximum: Int, perNetwork: Int, crowded: Int = 0, yielding: Duration = .seconds(1)) {
        self.maximum = maximum
        self.perNetwork = perNetwork
        maximumCrowded = crowded
        self.yielding = UInt64(max(0, TimeAmount(yielding).nanoseconds))
    }

    /// How many there are, without those beyond the maximum.
    var count: Int { state.withLock { $0.total } }

    /// Whether there is room for one more from somewhere.
    func hasRoom(for origin: CallOrigin) -> Bool { state.withLock { hasRoom($0, Self.keys(origin)) } }

    private func hasRoom(_ state: State, _ keys: [ClientNetworks.Network]) -> Bool {
        state.total < maximum && hasRoomInNetwork(state, keys)
    }

    private func hasRoomInNetwork(_ state: State, _ keys: [ClientNetworks.Network]) -> Bool {
        keys.allSatisfy { state.byNetwork[$0, default: 0] < allowance(of: $0.breadth) }
    }

    private static func count(_ keys: [ClientNetworks.Network], in state: inout State) {
        state.total += 1
        for key in keys { state.byNetwork[key, default: 0] += 1 }
    }

    private static func uncount(_ keys: [ClientNetworks.Network], in state: inout State) {
        state.total -= 1
        for key in keys {
            guard let count = state.byNetwork[key] else { continue }
            state.byNetwork[key] = count > 1 ? count - 1 : nil
        }
    }

    /// Counts a channel until it is closed.
    /// - Parameter origin: where it comes from: behind a proxy that is trusted, not from there.
    /// - Returns: false, and nothing is counted, when there is no room.
    func take(_ channel: any Channel, from origin: CallOrigin) -> Bool {
        let keys = Self.keys(origin)
        let isTaken = state.withLock { state in
            guard hasRoom(state, keys) else { return false }
            Self.count(keys, in: &state)
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { _ in self.state.withLock { Self.uncount(keys, in: &$0) } }
        return true
    }

    /// Gives a channel a place until it is closed. Where all are taken, one that has waited for its client for a while gives
    /// way.
    /// - Parameter origin: where it comes from; nil: from a proxy, which speaks for many.
    /// - Returns: nil when there is no place at all.
    func admit(_ channel: any Channel, from origin: CallOrigin?) -> ConnectionLease? {
        let keys = origin.map(Self.keys) ?? []
        let now = NIODeadline.now().uptimeNanoseconds
        var yielding: [ConnectionLease] = []
        let lease = state.withLock { state -> ConnectionLease? in
            if !hasRoom(state, keys) { yielding = makeRoom(in: &state, for: keys, now: now) }
            if hasRoom(state, keys) {
                let lease = ConnectionLease(channel, keys: keys, isCrowded: false) { self.remove($0) }
                Self.count(keys, in: &state)
                state.leases[ObjectIdentifier(lease)] = lease
                return lease
            }
            // A network that has all of its own does not get the places that are there for everybody.
            guard hasRoomInNetwork(state, keys) else { return nil }
            if state.crowded.count >= maximumCrowded {
                guard let oldest = state.crowded.values.min(by: { $0.waitingSince < $1.waitingSince }),
                    oldest.waitingSince != .max, oldest.waitingSince + self.yielding / 4 <= now
                else { return nil }
                state.crowded[ObjectIdentifier(oldest)] = nil
                yielding.append(oldest)
            }
            let lease = ConnectionLease(channel, keys: [], isCrowded: true) { self.remove($0) }
            state.crowded[ObjectIdentifier(lease)] = lease
            return lease
        }
        for lease in yielding { lease.channel.close(promise: nil) }
        if let lease { channel.closeFuture.whenComplete { _ in lease.release() } }
        return lease
    }

    /// Takes the places of those that have waited longest. All of them are looked at, and so some are taken at once.
    private func makeRoom(in state: inout State, for keys: [ClientNetworks.Network], now: UInt64) -> [ConnectionLease] {
        let isFull = state.total >= maximum
        if isFull, now < state.noneYieldsBefore { return [] }
        let candidates = state.leases.values.filter { lease in
            lease.waitingSince != .max && (isFull || !lease.keys.isEmpty && lease.keys.first == keys.first)
        }.sorted { $0.waitingSince < $1.waitingSince }
        let old = candidates.prefix { $0.waitingSince + yielding <= now }
        if isFull, old.isEmpty { state.noneYieldsBefore = (candidates.first?.waitingSince ?? now) + yielding }
        let chosen = old.prefix(isFull ? 1 + maximum / 64 : 1)
        for lease in chosen {
            state.leases[ObjectIdentifier(lease)] = nil
            Self.uncount(lease.keys, in: &state)
        }
        return Array(chosen)
    }

    private func remove(_ lease: ConnectionLease) {
        state.withLock { state in
            state.crowded[ObjectIdentifier(lease)] = nil
            // One that had to give way is not counted any more.
            if state.leases.removeValue(forKey: ObjectIdentifier(lease)) != nil { Self.uncount(lease.keys, in: &state) }
        }
    }

    /// How many connections a network of some size may have. A larger one never takes more than half of all.
    private func allowance(of breadth: ClientNetworks.Breadth) -> Int {
        max(perNetwork, min(perNetwork * breadth.factor, maximum / 2))
    }

    /// How many networks have connections, for tests.
    var networkCount: Int { state.withLock { $0.byNetwork.count } }

    /// What connections are counted by, the smallest network first; nothing for those from this machine, where a proxy speaks
    /// for many.
    private static func keys(_ origin: CallOrigin) -> [ClientNetworks.Network] {
        origin.isThisMachine ? [] : origin.networks.all.filter(\.countsConnections)
    }
}
