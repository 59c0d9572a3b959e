import Foundation
import GRDB
import SubTrackAPI

/// A change of this device that was not done as it was made: somebody else was first, or the service refused it.
public struct ChangeReport: Sendable, Hashable, Codable, Identifiable {
    /// Its number; it grows.
    public var id: Int64
    /// When it was answered, by the device's clock.
    public var at: Instant
    /// What was to be done.
    public var mutation: PushChanges.Mutation
    /// The name of the changed subscription or plan for people, as it was then; nil: it is not known.
    public var name: String?
    /// The name for people of the plan that the change names, such as that of a subscription that was to be added.
    public var plan: String?
    /// The fields of which somebody else's value was kept.
    public var lost: [LostField]
    /// Why it was refused; nil: it was done, but for ``lost``.
    public var problem: Problem?
}

extension Kit {
    /// How long dismissed reports are kept, in seconds, and how many.
    private static let (keptSeconds, keptReports): (Int64, Int) = (90 * 86_400, 200)

    /// What was not done as it was made, the oldest first. It stays until it is dismissed.
    public func reports() throws -> [ChangeReport] { try reports(where: "NOT isSeen") }

    /// Reports with those that were dismissed, of 90 days and 200 at most: the values of a refused change are nowhere else.
    public func allReports() throws -> [ChangeReport] { try reports(where: "TRUE") }

    private func reports(where condition: String) throws -> [ChangeReport] {
        try store.read { database in
            var reports: [ChangeReport] = []
            try database.eachRow(
                "SELECT number, at, mutation, name, plan, lost, problem FROM report WHERE \(condition) ORDER BY number"
            ) { reader in
                reports.append(
                    ChangeReport(
                        id: try reader.integer(), at: Instant(secondsSince1970: try reader.integer()),
                        mutation: try JSON.value(PushChanges.Mutation.self, reader.text()),
                        name: try reader.optionalText(), plan: try reader.optionalText(),
                        lost: try JSON.value([LostField].self, reader.text()),
                        problem: try reader.optionalText().map { try JSON.value(Problem.self, $0) }))
            }
            return reports
        }
    }

    /// Dismisses reports that their reader has seen. ``allReports()`` still has them.
    /// - Parameter id: the last of them.
    public func dismissReports(through id: Int64) throws {
        let oldest = settings.clock().secondsSince1970 - Self.keptSeconds
        try store.write { database in
            try database.execute(sql: "UPDATE report SET isSeen = 1 WHERE number <= ? AND NOT isSeen", arguments: [id])
            try database.execute(
                sql: """
                    DELETE FROM report WHERE isSeen
                        AND (at < ? OR number <= (SELECT MAX(number) FROM report) - ?)
                    """, arguments: [oldest, Self.keptReports])
        }
    }

    /// Forgets the reports that were dismissed.
    public func forgetDismissedReports() throws {
        try store.write { try $0.execute(sql: "DELETE FROM report WHERE isSeen") }
    }

    /// The changes that wait to be sent, in their order.
    public func pendingChanges() throws -> [PushChanges.Mutation] {
        try store.read { try Store.outbox(in: $0).map(\.mutation) }
    }

    /// Takes a change back that waits to be sent. If it was sent and its answer was lost, the service may have done it.
    public func discardPending(_ key: UUID) throws {
        try store.write { try $0.execute(sql: "DELETE FROM outbox WHERE key = ?", arguments: [key.lowercased]) }
    }
}
