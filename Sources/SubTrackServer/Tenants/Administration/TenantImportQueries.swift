import Foundation
import MariaDB

/// The statements on rows that were read from a file.
enum TenantImportQueries {
    /// A subscription whose plan, now or in a period that has ended, is not there; nil when there is none. No foreign key keeps
    /// it, and the triggers that do are not there yet while rows are read.
    static func subscriptionWithoutPlan(on connection: Connection) async throws -> (id: UUID, plan: Int64)? {
        let rows = try await connection.query(
            """
            SELECT s.Subscription_ID, s.Plan_ID FROM Subscription s LEFT JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE p.Plan_ID IS NULL
            UNION ALL
            SELECT x.Subscription_ID, x.Plan_ID FROM Subscription_period x LEFT JOIN Plan p ON p.Plan_ID = x.Plan_ID
            WHERE p.Plan_ID IS NULL
            LIMIT 1
            """)
        return try rows.decode((UUID, Int64).self).first.map { (id: $0.0, plan: $0.1) }
    }
}
