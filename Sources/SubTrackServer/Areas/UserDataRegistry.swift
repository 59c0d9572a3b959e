import MariaDB
import SubTrackAPI

/// The areas' declarations of users' rows. Accounts acts on users by this alone, and knows no area's tables.
struct UserDataRegistry: Sendable {
    private let parts: [(area: String, data: any UserData)]

    /// The declarations of some areas.
    init(_ areas: [any Area]) {
        parts = areas.compactMap { area in area.userData.map { (area: area.name, data: $0) } }
    }

    /// The declaration of an area on which all others build, and theirs.
    init(_ first: any UserData, of area: String, others: [any Area]) {
        parts = [(area: area, data: first)] + UserDataRegistry(others).parts
    }

    /// The declarations for a tenant: of areas that are on, and of those whose rows it keeps while they are off.
    func data(in tenant: Tenant) -> [any UserData] { parts.filter { tenant.areas.keeps($0.area) }.map(\.data) }

    /// All declared tables.
    var tables: [UserTable] { parts.flatMap(\.data.tables) }

    /// The names of all sections of an export, in their order.
    var sections: [String] { parts.flatMap { $0.data.export.map(\.name) } }

    /// All declared limits.
    var limits: [UserLimit] { parts.flatMap(\.data.limits) }

    /// The condition that a user has data.
    /// - Parameter user: the user's id, or a column of another table.
    func hasData(_ user: SQL, in tenant: Tenant) -> SQL {
        let tables = data(in: tenant).flatMap(\.tables).filter { $0.data == .covered }
        return tables.isEmpty ? "FALSE" : SQL.joined(tables.map { $0.has(user) }, separator: " OR ")
    }

    /// Whether a user has data.
    func hasData(_ user: UserID, in tenant: Tenant, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query("SELECT \(hasData("\(user.uuid)", in: tenant))")
        return try rows.decode(Bool.self).first ?? false
    }

    /// Prepares a user's rows, in transactions of their own.
    func prepare(_ user: UserID, in tenant: Tenant, today: CalendarDate) async throws {
        for preparation in parts.filter({ tenant.areas.has($0.area) }).flatMap(\.data.preparations) {
            try await preparation.prepare(tenant, user: user, today: today)
        }
    }

    /// Declarations that contradict each other; empty where all is well.
    var inconsistencies: [String] {
        func doubled(_ names: [String], _ kind: String) -> [String] {
            Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.map {
                "\(kind) \($0.key) is declared twice"
            }
        }
        let missing = parts.flatMap { part in
            part.data.tables.compactMap { table -> String? in
                guard case .section(let name) = table.export, !part.data.export.contains(where: { $0.name == name })
                else { return nil }
                return "\(part.area): its export has no section \(name), in which \(table.name) is to be shown"
            }
        }
        return
            (doubled(sections, "the section of an export") + doubled(limits.map(\.name), "the limit")
            + doubled(tables.map { "\($0.name).\($0.column)" }, "the table of users' rows") + missing).sorted()
    }
}
