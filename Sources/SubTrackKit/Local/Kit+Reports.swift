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
    /// The fields of which somebody else's value was kept.
    public var lost: [LostField]
    /// Why it was refused; nil: it was done, but for ``lost``.
    public var problem: Problem?
}

extension Kit {
    /// What was not done as it was made, the oldest first. It stays until it is dismissed.
    public func reports() throws -> [ChangeReport] {
        try store.read { database in
            var reports: [ChangeReport] = []
            try database.eachRow("SELECT number, at, mutation, lost, problem FROM report ORDER BY number") { reader in
                reports.append(
                    ChangeReport(
                        id: try reader.integer(), at: Instant(secondsSince1970: try reader.integer()),
                        mutation: try JSON.value(PushChanges.Mutation.self, reader.text()),
                        lost: try JSON.value([LostField].self, reader.text()),
                        problem: try reader.optionalText().map { try JSON.value(Problem.self, $0) }))
            }
            return reports
        }
    }

    /// Forgets reports that their reader has seen.
    /// - Parameter id: the last of them.
    public func dismissReports(through id: Int64) throws {
        try store.write { try $0.execute(sql: "DELETE FROM report WHERE number <= ?", arguments: [id]) }
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
