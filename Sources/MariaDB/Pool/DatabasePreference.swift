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

    /// So many of the connections that it likes best, the favourite first; of as many threads as there can be, so that who asks on
    /// one finds one there.
    /// - Parameter lanes: over how many threads the connections are spread, in turn by their ids.
    func favourites(
        _ count: Int, of connections: some Collection<PoolStateMachine.ConnectionID>, lanes: Int = 1
    ) -> [PoolStateMachine.ConnectionID] {
        let ordered = connections.sorted { weight(of: $0) > weight(of: $1) }
        let lanes = max(1, lanes)
        let part = (count + lanes - 1) / lanes
        var held: [Int: Int] = [:]
        var favourites: [PoolStateMachine.ConnectionID] = []
        var others: [PoolStateMachine.ConnectionID] = []
        for connection in ordered {
            let lane = connection % lanes
            if favourites.count < count, held[lane, default: 0] < part {
                held[lane, default: 0] += 1
                favourites.append(connection)
            } else {
                others.append(connection)
            }
        }
        // Where some threads have too few.
        return favourites + others.prefix(count - favourites.count)
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
