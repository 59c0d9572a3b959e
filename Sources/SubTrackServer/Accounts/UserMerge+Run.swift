import MariaDB
import SubTrackAPI

extension UserMerge {
    /// Merges, in a transaction that has both scopes locked; afterwards the former user is no more.
    /// - Throws: `too_many` when both together have more than a user may have.
    func run(
        _ users: UserDataRegistry, in tenant: Tenant, on connection: Connection
    ) async throws -> CreateSession.Merged {
        var merged = CreateSession.Merged()
        for data in users.data(in: tenant).reversed() { try await data.merge(self, into: &merged, on: connection) }
        try await UserQueries.deleteUnasked(former, on: connection)
        return merged
    }
}
