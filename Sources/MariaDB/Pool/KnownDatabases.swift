/// The databases whose statements a connection has prepared, as far as the pool can tell: those that it served last.
struct KnownDatabases: Sendable {
    private let capacity: Int
    private var lastUses: [String: UInt64] = [:]
    private var clock: UInt64 = 0

    /// None so far, and so many at the most.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Whether it served a database, and not so many others since.
    func contains(_ database: String?) -> Bool { database.map { lastUses[$0] != nil } ?? false }

    /// It serves a database.
    mutating func note(_ database: String) {
        clock += 1
        lastUses[database] = clock
        guard lastUses.count > capacity, let oldest = lastUses.min(by: { $0.value < $1.value }) else { return }
        lastUses[oldest.key] = nil
    }
}
