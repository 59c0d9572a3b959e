/// The scopes that a user sees, in the order in which they are read: those of a kind by their keys.
///
/// Of shared scopes it takes as many as a cursor has room for (``maximumShared``). Areas refuse to make more. Where SQL
/// did, those with the first keys are seen on all devices alike.
struct ScopeList {
    /// How many shared scopes a user sees at the most.
    static let maximumShared = 300

    private(set) var scopes: [SyncScope]
    private var room = maximumShared

    /// A list that begins with some scopes.
    init(_ scopes: [SyncScope]) { self.scopes = scopes }

    /// Adds scopes of one kind.
    /// - Returns: those that there was room for.
    @discardableResult
    mutating func add(_ found: Set<SyncScope>) -> Set<SyncScope> {
        var added = found.sorted { $0.key < $1.key }
        if added.first?.kind.isShared == true {
            added = Array(added.prefix(room))
            room -= added.count
        }
        scopes += added
        return Set(added)
    }
}
