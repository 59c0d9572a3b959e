/// Prepared statements by database and text, the least recently used going first. Belongs to its session's actor.
struct StatementCache {
    private struct Key: Hashable {
        let database: String?
        let text: String
    }

    private struct Entry {
        let statement: PreparedStatement
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { entries.count }

    mutating func statement(_ text: String, database: String?) -> PreparedStatement? {
        clock += 1
        let now = clock
        guard let index = entries.index(forKey: Key(database: database, text: text)) else { return nil }
        entries.values[index].lastUse = now
        return entries.values[index].statement
    }

    /// Keeps a statement; returns the one that has to go for it.
    mutating func insert(_ statement: PreparedStatement, text: String, database: String?) -> PreparedStatement? {
        clock += 1
        var evicted: PreparedStatement?
        // A search through all is fine: it happens beside a round trip that prepares.
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            evicted = oldest.value.statement
            entries.removeValue(forKey: oldest.key)
        }
        entries[Key(database: database, text: text)] = Entry(statement: statement, lastUse: clock)
        return evicted
    }

    mutating func remove(text: String, database: String?) {
        entries.removeValue(forKey: Key(database: database, text: text))
    }

    mutating func removeAll() -> [PreparedStatement] {
        defer { entries.removeAll() }
        return entries.values.map(\.statement)
    }
}
