/// The kinds of rows that a client's copy has, by their numbers.
///
/// Rows of an area that is off are passed over, and the cursor leaves their versions behind. When the area is on again, by
/// this the service knows that they are still to be given.
struct CursorCoverage: Sendable, Equatable {
    /// The entities of cursors that do not say which they cover.
    static let original = Set(1...8)

    /// The entities whose changes were given.
    var entities = Self.original
    /// Entities whose rows the copy has, and whose changes were no longer given.
    var left: Set<Int> = []

    /// Whether a cursor need not say it.
    var isOriginal: Bool { entities == Self.original && left.isEmpty }

    /// The same for a copy that is given other entities from now on.
    func following(_ numbers: Set<Int>) -> CursorCoverage {
        CursorCoverage(entities: numbers, left: left.union(entities).subtracting(numbers))
    }
}
