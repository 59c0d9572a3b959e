/// How the connections that a service may have are shared among the database servers that its tenants are on.
struct ConnectionShares: Sendable, Equatable {
    /// The part of the control database's server: one at least.
    let main: Int
    /// The parts of the other servers.
    let others: [String: Int]
    /// The servers that have tenants and no connection, by name.
    let without: [String]

    /// Shares connections by the number of tenants: together the parts are as many as there may be, never more.
    ///
    /// Each server with a tenant has one connection at least while there are as many connections as servers. Where there are
    /// fewer, those with the most tenants have one each, and the others none.
    /// - Parameters:
    ///   - connections: how many there may be.
    ///   - tenants: how many tenants are on each of the other servers.
    ///   - mainTenants: how many are beside the control database.
    init(of connections: Int, tenants: [String: Int], mainTenants: Int) {
        let total = max(1, tenants.values.reduce(mainTenants, +))
        let spare = max(0, connections - 1 - tenants.values.count { $0 > 0 })
        let ranked = tenants.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var left = max(0, connections - 1)
        var others: [String: Int] = [:]
        for (server, count) in ranked {
            let part = count > 0 ? min(left, 1 + spare * count / total) : 0
            others[server] = part
            left -= part
        }
        self.others = others
        without = ranked.filter { $0.value > 0 && others[$0.key] == 0 }.map(\.key).sorted()
        main = 1 + left
    }
}
