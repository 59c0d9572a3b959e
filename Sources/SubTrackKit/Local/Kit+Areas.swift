import Foundation
import SubTrackAPI

/// The areas of the tenant: an operator may have some of them off.
extension Kit {
    /// The names of the areas that the service had for this tenant when it was asked last; nil: it was not asked yet. Each hour
    /// a sync asks.
    public func areas() throws -> Set<String>? {
        try store.state(.areas).map { Set($0.split(separator: " ").map(String.init)) }
    }

    /// Asks the service for the areas of the tenant.
    /// - Throws: ``KitError``.
    @discardableResult
    public func refreshAreas() async throws -> Set<String> {
        let areas = try await client.call(GetServerInfo(), token: .some(nil)).areas
        try store.set(.areas, areas.joined(separator: " "))
        return Set(areas)
    }
}
