import Foundation
import MariaDB

/// The id of a scope: a set of rows that is synced together and has one counter of versions.
struct ScopeID: Sendable, Hashable, SQLEncodable {
    /// The sixteen bytes that are stored.
    let bytes: [UInt8]

    /// A user's own data.
    static func user(_ user: UserID) -> ScopeID { ScopeID(bytes: withUnsafeBytes(of: user.uuid.uuid) { Array($0) }) }
    /// The catalogue of a country.
    static func country(_ code: String) -> ScopeID { ScopeID(name: "C" + code) }
    /// Countries, currencies and providers.
    static let reference = ScopeID(name: "reference")

    /// The id of sixteen bytes that were stored.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// An ASCII name, padded with zeros.
    private init(name: String) {
        bytes = Array(name.utf8.prefix(16)) + [UInt8](repeating: 0, count: max(0, 16 - name.utf8.count))
    }

    func encode(into binds: inout SQLBinds) { binds.append(binary: bytes) }

    /// The versions of some scopes, in their order; 0 for one in which nothing ever changed.
    static func versions(of scopes: [ScopeID], on connection: Connection) async throws -> [Int64] {
        let rows = try await connection.query(
            "SELECT Scope_ID, Ver FROM Scope WHERE Scope_ID IN (\(list: scopes))")
        var versions = [Int64](repeating: 0, count: scopes.count)
        for (bytes, version) in try rows.decode(([UInt8], Int64).self) {
            for index in scopes.indices where scopes[index].bytes == bytes { versions[index] = version }
        }
        return versions
    }
}
