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
}
