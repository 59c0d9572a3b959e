/// Which connections a database likes best: an arbitrary order that stays the same (rendezvous hashing), so that each
/// database comes back to the same few, the databases are spread evenly, and a connection that comes or goes moves no
/// database but its own.
struct DatabasePreference {
    private let hash: UInt64

    init(_ database: String) {
        // FNV-1a.
        hash = database.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// The greatest is the favourite.
    func weight(of connection: PoolStateMachine.ConnectionID) -> UInt64 {
        var mixed = hash ^ (UInt64(bitPattern: Int64(connection)) &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }

    /// So many of the connections that it likes best, the favourite first: as many on each thread, so that who asks on one
    /// finds one there.
    /// - Parameter lanes: over how many threads the connections are spread, in turn by their ids.
    func favourites(
        _ count: Int, of connections: some Collection<PoolStateMachine.ConnectionID>, lanes: Int = 1
    ) -> [PoolStateMachine.ConnectionID] {
        let lanes = max(1, lanes)
        var favourites: [(connection: PoolStateMachine.ConnectionID, weight: UInt64)] = []
        for lane in 0..<lanes {
            // Of a number that is no multiple the first threads have one more.
            let part = count / lanes + (lane < count % lanes ? 1 : 0)
            favourites += best(part, of: connections) { $0 % lanes == lane }
        }
        return favourites.sorted { $0.weight > $1.weight }.map(\.connection)
    }

    private func best(
        _ count: Int, of connections: some Collection<PoolStateMachine.ConnectionID>,
        where isEligible: (PoolStateMachine.ConnectionID) -> Bool
    ) -> [(connection: PoolStateMachine.ConnectionID, weight: UInt64)] {
        var best: [(connection: PoolStateMachine.ConnectionID, weight: UInt64)] = []
        guard count > 0 else { return best }
        for connection in connections where isEligible(connection) {
            let weight = weight(of: connection)
            guard best.count < count || best.last.map({ weight > $0.weight }) == true else { continue }
            if best.count == count { best.removeLast() }
            let place = best.firstIndex { $0.weight < weight } ?? best.count
            best.insert((connection, weight), at: place)
        }
        return best
    }
}

/// Which databases were asked for lately: only whether there is more than one matters.
struct DatabasePresence: Sendable {
    private var latest: (database: String?, at: Moment)?
    private var other: (database: String?, at: Moment)?

    /// Whether more than one is in use.
    var isContended: Bool { other != nil }

    mutating func saw(_ database: String?, now: Moment) {
        if let latest, latest.database != database { other = latest }
        latest = (database, now)
    }

    mutating func forget(olderThan age: Duration, now: Moment) {
        if let other, now - other.at > age { self.other = nil }
    }
}
