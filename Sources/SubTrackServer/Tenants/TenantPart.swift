import Synchronization

/// Something that an area keeps in memory for a tenant, such as a cache. It exists once for each tenant.
///
/// The tenant makes it when it is first used. The platform so needs no list of the areas' parts.
protocol TenantPart: AnyObject, Sendable {
    /// The part of a tenant. Asks nothing of its database.
    init(of tenant: Tenant)
}

/// The parts of a tenant, by their type.
final class TenantParts: Sendable {
    private let parts = Mutex<[ObjectIdentifier: any TenantPart]>([:])

    /// The part of a type, made when it is first asked for.
    func part<Part: TenantPart>(of tenant: Tenant) -> Part {
        parts.withLock { parts in
            if let known = parts[ObjectIdentifier(Part.self)] as? Part { return known }
            let part = Part(of: tenant)
            parts[ObjectIdentifier(Part.self)] = part
            return part
        }
    }
}
