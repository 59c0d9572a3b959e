/// Some areas of a service, by their places in its ``AreaList``.
struct AreaSet: OptionSet, Sendable, Hashable {
    let rawValue: UInt64

    /// The area at a place.
    static func place(_ place: Int) -> AreaSet { AreaSet(rawValue: 1 << UInt64(place)) }
}
