/// Upper bounds of numbers of many keys, in constant memory. Each key has a cell in each of four rows, and a cell has
/// the largest number of its keys. A key's bound is the least of its cells: never too small, and too large only where
/// all four cells are shared. The hash has a seed of its own in each process, so that nobody can choose keys that
/// share.
struct RateResidue: Sendable {
    /// A number with a second one that belongs to it.
    struct Bound: Sendable, Equatable {
        var number = -Double.infinity
        var detail = 0.0
    }

    private static let rows = 4
    private static let width = 8192
    /// Empty until something is noted: most services never evict anything.
    private var cells: [Bound] = []

    /// The largest numbers that were noted for a key, or larger ones; nil where nothing was.
    func bound(of key: String) -> Bound? {
        guard !cells.isEmpty else { return nil }
        var least = cells[Self.index(key, row: 0)]
        for row in 1..<Self.rows {
            let cell = cells[Self.index(key, row: row)]
            least = Bound(number: min(least.number, cell.number), detail: min(least.detail, cell.detail))
        }
        return least.number == -.infinity ? nil : least
    }

    /// Notes a number.
    /// - Parameter floor: numbers up to it have no meaning any more.
    mutating func note(_ number: Double, _ detail: Double = 0, of key: String, at floor: Double) {
        guard number > floor else { return }
        if cells.isEmpty { cells = Array(repeating: Bound(), count: Self.rows * Self.width) }
        for row in 0..<Self.rows {
            let index = Self.index(key, row: row)
            let cell = cells[index]
            cells[index] =
                cell.number <= floor
                ? Bound(number: number, detail: detail)
                : Bound(number: max(cell.number, number), detail: max(cell.detail, detail))
        }
    }

    private static func index(_ key: String, row: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(row)
        hasher.combine(key)
        return row * width + Int(UInt(bitPattern: hasher.finalize()) % UInt(width))
    }
}
