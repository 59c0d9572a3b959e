import MariaDB

/// Whether tenants have an area.
enum AreaPresence: Sendable, Hashable {
    /// In every tenant.
    case always
    /// Unless the operator switches it off.
    case on
    /// Once the operator switches it on.
    case off
}

/// An area as databases and operators know it.
struct AreaSchema: Sendable {
    /// The name in commands, in `server.info` and of the folder below `sql/`.
    let name: String
    /// Whether tenants have it.
    let presence: AreaPresence
    /// Its tables, triggers and views.
    let sql: AreaSQL
    /// The fate of its rows in a backup that is put back, and in a copy of a tenant.
    var restored = RestoredRows()
    /// Looks at a tenant, for the doctor. The second parameter says whether mails leave the service.
    var look: @Sendable (Connection) async throws -> [AreaRemark] = { _ in [] }
}

/// A remark of an area on a tenant, for its operator.
struct AreaRemark: Sendable, Hashable {
    /// The rest of a sentence that begins with the tenant.
    let text: String
    /// The setting or command that mends it.
    let remedy: String
}

/// The fate of an area's rows in a backup that is put back, and in a copy of a tenant under another name.
struct RestoredRows: Sendable {
    /// Tables whose rows belong to one tenant, and to no copy of it.
    var ofOneTenant: Set<String> = []
    /// Statements on a database that was put back: the acts of its tenant since then are not known.
    var statements: [String] = []
    /// Whether a copy has the area only once its operator switches it on.
    var isOffInCopies = false
}
