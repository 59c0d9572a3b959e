import SubTrackAPI
import Synchronization

/// The registries of entities and scopes: one for each set of areas that tenants have, made when a tenant first has it.
final class SyncRegistries: Sendable {
    /// The registry of all areas.
    let all: SyncRegistry
    private let make: @Sendable (AreaSet) -> SyncRegistry
    private let made = Mutex<[AreaSet: SyncRegistry]>([:])

    /// Registries of sets of areas.
    /// - Parameter make: makes the registry of a set.
    init(all: SyncRegistry, make: @escaping @Sendable (AreaSet) -> SyncRegistry) {
        self.all = all
        self.make = make
    }

    /// The registry of the areas that are on in a tenant now.
    func registry(of tenant: Tenant) -> SyncRegistry {
        let set = tenant.areas.current
        return made.withLock { made in
            if let known = made[set] { return known }
            let registry = make(set)
            made[set] = registry
            return registry
        }
    }
}
