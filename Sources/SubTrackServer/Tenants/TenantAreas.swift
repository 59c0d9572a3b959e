import SubTrackAPI
import Synchronization

/// The areas that are on in a tenant, as the control database had them at the last reading.
final class TenantAreas: Sendable {
    /// The areas of the service.
    let list: AreaList
    private let set: Atomic<UInt64>
    private let made: Atomic<UInt64>

    /// The areas of a tenant.
    init(_ list: AreaList, on set: AreaSet) {
        self.list = list
        self.set = Atomic(set.rawValue)
        made = Atomic(set.rawValue)
    }

    /// Those that are on.
    var current: AreaSet { AreaSet(rawValue: set.load(ordering: .relaxed)) }

    /// The names of those that are on.
    var names: [String] { list.names(in: current) }

    /// The plan of the tenant's database.
    var plan: MigrationPlan { list.plan(for: current) }

    /// Notes which are on.
    /// - Returns: those that were off before.
    func note(_ set: AreaSet) -> AreaSet {
        let former = AreaSet(rawValue: self.set.exchange(set.rawValue, ordering: .relaxed))
        return set.subtracting(former)
    }

    /// Notes which have their tables in the tenant's database.
    func noteMade(_ set: AreaSet) { made.store(set.rawValue, ordering: .relaxed) }

    /// Whether an area is on, or is none of the list.
    func has(_ name: String) -> Bool { list.place(of: name).map(current.isSuperset) ?? true }

    /// Whether an area is on, or was on and its rows are kept, or is none of the list.
    func keeps(_ name: String) -> Bool {
        let kept = current.union(AreaSet(rawValue: made.load(ordering: .relaxed)))
        return list.place(of: name).map(kept.isSuperset) ?? true
    }

    /// Refuses the use of an area that is off.
    /// - Throws: `area_off`.
    func check(_ area: AreaSet) throws(Problem) {
        let off = area.subtracting(current)
        guard off.isEmpty else { throw .areaOff(list.names(in: off)) }
    }
}

extension Problem {
    /// The problem of areas that are off in a tenant.
    static func areaOff(_ names: [String]) -> Problem {
        Problem(
            .areaOff,
            "\"\(names.joined(separator: "\", \""))\" is off in this tenant; its operator can switch it on (subtrackd tenant areas)."
        )
    }
}
extension AreaList {
    /// The plan of a tenant's database.
    func plan(for tenant: TenantQueries.Row) -> MigrationPlan { plan(for: on(tenant.areas)) }
}
