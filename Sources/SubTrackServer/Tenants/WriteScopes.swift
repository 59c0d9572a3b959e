import SubTrackAPI

/// The scopes that a write locks before it reads anything: those of users in ascending order, then shared ones in
/// ascending order. Because all writes have this one order, they wait for each other and never in a circle.
struct WriteScopes: Sendable, Hashable {
    /// The user in whose name it is.
    let writer: UserID
    /// The users that the writer is or becomes, the writer too.
    let own: Set<UserID>
    /// Other users with rows or memberships that change.
    let others: Set<UserID>
    /// The shared scopes with rows that change. A scope without a counter is new, and cannot be locked: it belongs to a
    /// row that this write makes.
    let shared: Set<ScopeID>

    /// The scopes of a write.
    /// - Parameter becoming: another user that the writer is or becomes.
    init(_ writer: UserID, becoming: UserID? = nil, others: Set<UserID> = [], shared: Set<ScopeID> = []) {
        self.writer = writer
        own = [writer, becoming ?? writer]
        self.others = others.subtracting(own)
        self.shared = shared
    }

    /// The scopes of users.
    var users: Set<UserID> { own.union(others) }

    /// All scopes.
    var all: Set<ScopeID> { shared.union(users.map { .user($0) }) }

    /// Whether a write with other scopes locked has these as well.
    func isCovered(by locked: WriteScopes) -> Bool { all.isSubset(of: locked.all) }
}

/// The place of a write, found by a read. It tells the scopes that are locked.
protocol WritePlace: Sendable {
    var scopes: WriteScopes { get }
}

extension WriteScopes: WritePlace {
    var scopes: WriteScopes { self }
}
