import Foundation
import MariaDB

/// The id of a scope: a set of rows that is synced together and has one counter of versions.
struct ScopeID: Sendable, Hashable, SQLEncodable {
    /// The sixteen bytes that are stored. Those of a catalogue are no UUID, but as long as one, and as cheap to compare.
    let uuid: UUID

    /// A user's own data.
    static func user(_ user: UserID) -> ScopeID { ScopeID(uuid: user.uuid) }
    /// The catalogue of a country.
    static func country(_ code: String) -> ScopeID { ScopeID(name: "C" + code) }
    /// Countries, currencies and providers.
    static let reference = ScopeID(name: "reference")

    /// The id of sixteen bytes that were stored.
    init(uuid: UUID) { self.uuid = uuid }

    /// An ASCII name of at most sixteen letters, padded with zeros.
    private init(name: String) {
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for (index, byte) in zip(bytes.indices, name.utf8) { bytes[index] = byte }
        }
        uuid = UUID(uuid: bytes)
    }

    /// The sixteen bytes.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    func encode(into binds: inout SQLBinds) { uuid.encode(into: &binds) }

    /// The versions of some scopes, in their order; 0 for one in which nothing ever changed.
    static func versions(of scopes: [ScopeID], on connection: Connection) async throws -> [Int64] {
        let rows = try await connection.query(
            "SELECT Scope_ID, Ver FROM Scope WHERE Scope_ID IN (\(list: scopes))")
        var versions = [Int64](repeating: 0, count: scopes.count)
        for (id, version) in try rows.decode((UUID, Int64).self) {
            for index in scopes.indices where scopes[index].uuid == id { versions[index] = version }
        }
        return versions
    }
}
