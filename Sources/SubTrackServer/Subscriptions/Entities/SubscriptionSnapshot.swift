import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A subscription as its user's change meets it, deleted or not, with the versions of its merge groups: one statement.
struct SubscriptionSnapshot: Sendable {
    /// The row, in the period in which it is stored.
    let row: SubscriptionRow
    /// The versions of its merge groups.
    let groups: [FieldGroup: Int64]
    /// Whether it was deleted, and can be restored.
    let isDeleted: Bool

    /// How many columns stand behind those of ``SubscriptionRow``.
    private static let columns = 5

    /// Reads a subscription; nil when there is none of this id.
    /// - Parameter today: the day on which the plan's price counts.
    static func read(
        _ id: UUID, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> SubscriptionSnapshot? {
        let rows = try await connection.query(
            """
            \(SubscriptionRow.selection), s.Ver_billing, COALESCE(s.Ver_terms, s.Ver_billing), s.Ver_intent, s.Ver_notes,
                s.Deleted_at IS NOT NULL
            FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID \(PlanRow.joins)
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id)
            """)
        guard let first = rows.first,
            let row = try PricedRows.decode(rows, as: SubscriptionRow.self, today: today).first
        else { return nil }
        let column = first.count - columns
        return SubscriptionSnapshot(
            row: row,
            groups: [
                .billing: try first.decode(Int64.self, at: column),
                .terms: try first.decode(Int64.self, at: column + 1),
                .intent: try first.decode(Int64.self, at: column + 2),
                .notes: try first.decode(Int64.self, at: column + 3),
            ], isDeleted: try first.decode(Bool.self, at: column + 4))
    }

    /// The version of the plan, where it is the user's own.
    func ownPlan(of user: UserID) -> Int64? { row.plan.owner == user.uuid ? row.plan.version : nil }

    /// The row as the engine sees it.
    func snapshot(digits: [String: Int]) throws -> RowSnapshot {
        let stored = row.stored(digits: digits)
        return RowSnapshot(
            id: row.id.uuidString.lowercased(), version: row.version, groups: groups,
            row: isDeleted ? nil : try OutputEncoder.encode(stored), values: stored.values)
    }
}
