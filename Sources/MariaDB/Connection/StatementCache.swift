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

    /// Keeps a statement; returns those that have to go for it.
    mutating func insert(_ statement: PreparedStatement, text: String, database: String?) -> [PreparedStatement] {
        clock += 1
        // Several at a time, so that a full cache is not searched at each miss.
        let evicted = entries.count >= capacity ? removeOldest(max(1, capacity / 16)) : []
        entries[Key(database: database, text: text)] = Entry(statement: statement, lastUse: clock)
        return evicted
    }

    /// Forgets the ones that were used least recently.
    mutating func removeOldest(_ count: Int) -> [PreparedStatement] {
        let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(count)
        for (key, _) in oldest { entries.removeValue(forKey: key) }
        return oldest.map(\.value.statement)
    }

    mutating func remove(text: String, database: String?) {
        entries.removeValue(forKey: Key(database: database, text: text))
    }

    mutating func removeAll() -> [PreparedStatement] {
        defer { entries.removeAll() }
        return entries.values.map(\.statement)
    }
}
