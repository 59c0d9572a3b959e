import Foundation
import GRDB
import SubTrackAPI

/// Lists that follow the store, for user interfaces. Each sequence gives what is there at once, and then whenever it has become
/// another; who reads slowly misses what is no longer so. It ends with its task.
extension Kit {
    /// All subscriptions by end date.
    public func subscriptionUpdates() -> AsyncThrowingStream<[TrackedSubscription], any Error> {
        updates { kit, database in try kit.subscriptions(in: database) }
    }

    /// How far a device is behind, and ahead.
    public struct Progress: Sendable, Hashable {
        /// How many changes wait to be sent.
        public var pending: Int
        /// About how many changes are left of a pull in pages; nil: none is under way.
        public var left: Int?
        /// How many rows are here.
        public var rows: Int

        /// How much of a pull is done, 0…1; 1 when none is under way.
        public var fraction: Double { left.map { Double(rows) / max(Double(rows) + Double($0), 1) } ?? 1 }
    }

    /// How far this device is behind and ahead: what a progress bar shows in a first sync.
    public func progressUpdates() -> AsyncThrowingStream<Progress, any Error> {
        updates { _, database in
            var rows = 0
            for table in StoredTables.names + [DeclaredRows.table] {
                rows += try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") ?? 0
            }
            return Progress(
                pending: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM outbox") ?? 0,
                left: try Store.state(.left, in: database).flatMap { Int($0) }, rows: rows)
        }
    }

    func updates<Value: Sendable & Equatable>(
        _ read: @escaping @Sendable (Kit, Database) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [self] in
                do {
                    let seen = Outside(counter: try othersCounter(), day: try today())
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            let observation = ValueObservation.tracking { try read(self, $0) }.removeDuplicates()
                            for try await value in observation.values(in: self.store.database) {
                                continuation.yield(value)
                            }
                        }
                        group.addTask { try await self.watchOutside(from: seen) }
                        defer { group.cancelAll() }
                        try await group.next()
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: store.told(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// What changes lists and is not written by this program.
    private struct Outside: Equatable {
        /// Another one when another program has written to the store.
        var counter: Int64
        /// The user's day.
        var day: CalendarDate
    }

    /// Has those who follow the store look again when another program has written to it, or a new day has begun for the user:
    /// SQLite tells of neither.
    private func watchOutside(from seen: Outside) async throws {
        var (seen, minute) = (seen, Int64.min)
        while true {
            // A clock may be set, and a device sleep: so they are looked at, not waited for.
            try await Task.sleep(for: .seconds(1))
            var found = Outside(counter: try othersCounter(), day: seen.day)
            // Days begin with a minute.
            let now = settings.clock().secondsSince1970 / 60
            if now != minute { found.day = try today() }
            guard found != seen else {
                minute = now
                continue
            }
            // Where another program holds the store, it is tried again.
            guard (try? noticeOthers()) != nil else { continue }
            (seen, minute) = (found, now)
        }
    }

    /// Changes when another program has written to the store.
    private func othersCounter() throws -> Int64 {
        do {
            return try store.database.writeWithoutTransaction { database in
                try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
            }
        } catch {
            throw store.told(error)
        }
    }

    /// Lets those who follow the store look again.
    private func noticeOthers() throws { try store.write { _ in } }
}
