/// The areas of a service in their order, as databases and operators know them.
public struct AreaList: Sendable {
    /// The largest number of areas.
    static let capacity = 64

    /// The areas. Tables of one refer to tables of those before it alone.
    let areas: [AreaSchema]

    /// The areas of a service.
    init(areas: [AreaSchema]) { self.areas = areas }

    /// No areas.
    static let none = AreaList(areas: [])

    /// All of them.
    var all: AreaSet { places { _ in true } }

    /// The areas that a tenant has about which its operator has said nothing.
    var standard: AreaSet { on([:]) }

    /// The areas that are on in a tenant.
    /// - Parameter settings: the operator's decisions. Those about areas that are always on, or unknown, mean nothing.
    func on(_ settings: [String: Bool]) -> AreaSet {
        places { area in
            switch area.presence {
            case .always: true
            case .on: settings[area.name] ?? true
            case .off: settings[area.name] ?? false
            }
        }
    }

    /// The set of one area; nil for a name that no area has.
    func place(of name: String) -> AreaSet? { areas.firstIndex { $0.name == name }.map(AreaSet.place) }

    /// The areas of a set, in their order.
    func areas(in set: AreaSet) -> [AreaSchema] {
        areas.enumerated().filter { set.contains(.place($0.offset)) }.map(\.element)
    }

    /// The names of a set's areas.
    func names(in set: AreaSet) -> [String] { areas(in: set).map(\.name) }

    private func places(where isIn: (AreaSchema) -> Bool) -> AreaSet {
        var set = AreaSet()
        for (place, area) in areas.enumerated() where isIn(area) { set.insert(.place(place)) }
        return set
    }
}
