import DequeModule

/// Keys in the order in which they came, each once. Any of them can be taken out again.
///
/// All steps take constant time on average. The memory is bounded by the number of keys that are there.
struct TurnRing<Key: Hashable> {
    private var order: Deque<(key: Key, ticket: UInt64)> = []
    /// Keys that are there. A key in `order` with another ticket was taken out.
    private var tickets: [Key: UInt64] = [:]
    private var lastTicket: UInt64 = 0

    var isEmpty: Bool { tickets.isEmpty }

    /// Adds a key behind all others. One that is there keeps its place.
    mutating func append(_ key: Key) {
        guard tickets[key] == nil else { return }
        lastTicket += 1
        tickets[key] = lastTicket
        order.append((key, lastTicket))
    }

    /// Takes a key out.
    mutating func remove(_ key: Key) {
        guard tickets.removeValue(forKey: key) != nil, order.count > 2 * tickets.count + 16 else { return }
        order.removeAll { tickets[$0.key] != $0.ticket }
    }

    /// Takes the first key out.
    mutating func popFirst() -> Key? {
        while let (key, ticket) = order.popFirst() {
            guard tickets[key] == ticket else { continue }
            tickets[key] = nil
            return key
        }
        return nil
    }
}
