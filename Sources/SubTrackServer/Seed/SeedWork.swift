import Foundation
import MariaDB
import SubTrackAPI
import Synchronization

/// Fills a tenant's database with made-up people, plans and subscriptions, through the triggers as everybody else.
///
/// It is cut into batches, each a transaction of its own. A seed that was cut off goes on where it stopped; a complete
/// one is left as it is.
public struct SeedWork: Sendable {
    /// How far it is.
    public struct Progress: Sendable {
        /// Subscriptions that are there.
        public let done: Int
        /// Subscriptions that there will be.
        public let total: Int
    }

    /// Why nothing is made.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }

    /// People of one transaction, and which of the subscriptions are theirs.
    private struct Batch: Sendable {
        var users: Range<Int>
        /// The number of the first subscription of each, and one past the last.
        var bounds: [Int]
        /// How many people before have a plan of their own.
        var ownPlansBefore: Int

        /// How many subscriptions there are.
        var subscriptions: Int { (bounds.last ?? 0) - (bounds.first ?? 0) }
    }

    /// State that the workers share.
    private final class Queue: Sendable {
        private let batches: [Batch]
        /// How many were taken, and how many subscriptions were written.
        private let state = Mutex((taken: 0, written: 0))

        init(batches: [Batch]) { self.batches = batches }

        func next() -> Batch? {
            state.withLock { state in
                guard state.taken < batches.count else { return nil }
                state.taken += 1
                return batches[state.taken - 1]
            }
        }

        /// Counts a batch, and tells how many subscriptions are written now.
        func finish(_ batch: Batch, tell: (Int) -> Void) {
            state.withLock { state in
                state.written += batch.subscriptions
                tell(state.written)
            }
        }
    }

    /// About how many subscriptions one transaction writes.
    private static let subscriptionsPerBatch = 2_000
    /// How many people one transaction writes at the most.
    private static let usersPerBatch = 1_000

    private let client: MariaDBClient
    private let tenant: String
    private let database: String

    /// Work on the database of a tenant.
    public init(_ tenant: TenantDatabase) {
        client = tenant.client
        database = tenant.name
        self.tenant = tenant.slug
    }

    /// Makes the rows.
    /// - Parameters:
    ///   - size: how many. Its day is passed over where the seed was begun on another one.
    ///   - isAdding: whether a database that has people already may get these too.
    ///   - workers: how many transactions run at the same time.
    ///   - progress: is told after each transaction, by one task at a time.
    /// - Returns: the rows that are there now.
    /// - Throws: ``Refusal`` when the seed was used for another size, or the database has people already.
    public func run(
        _ size: SeedSize, isAdding: Bool = false, workers: Int = 4,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> SeedReport {
        guard size.users > 0 || size.subscriptions == 0, size.plans > 0 || size.subscriptions == 0 else {
            throw Refusal(description: "subscriptions need people and plans")
        }
        let (note, isDone) = try await begin(size, isAdding: isAdding)
        let rows = SeedRows(note.size, firstPlan: note.firstPlan)
        let batches = Self.batches(rows)
        let own = batches.last.map { $0.ownPlansBefore + $0.users.count { rows.hasOwnPlan($0) } } ?? 0
        if !isDone {
            try await writeCatalogue(rows)
            try await write(batches, rows, workers: max(1, workers), progress: progress)
            try await client.withConnection(database) { connection in
                try await SeedQueries.setNote(note.text(isDone: true), of: size.seed, on: connection)
            }
        }
        return SeedReport(
            tenant: tenant, seed: size.seed, today: note.size.today, users: size.users, plans: size.plans,
            privatePlans: own, subscriptions: size.subscriptions, isAdded: !isDone)
    }

    // MARK: What was begun

    /// The database's note of a seed.
    private struct Note {
        var size: SeedSize
        var firstPlan: Int64

        func text(isDone: Bool) -> String {
            "users=\(size.users) plans=\(size.plans) subscriptions=\(size.subscriptions) today=\(size.today) "
                + "firstPlan=\(firstPlan) done=\(isDone)"
        }
    }

    /// Reads the note of the seed, or writes it.
    private func begin(_ size: SeedSize, isAdding: Bool) async throws -> (Note, isDone: Bool) {
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            guard let text = try await SeedQueries.note(of: size.seed, on: connection) else {
                let hasUsers = try await SeedQueries.hasUsers(on: connection)
                guard isAdding || !hasUsers else {
                    throw Refusal(
                        description: "the tenant \"\(tenant)\" has people already; --add puts made-up ones beside them")
                }
                let note = Note(size: size, firstPlan: try await SeedQueries.nextPlan(on: connection))
                try await SeedQueries.setNote(note.text(isDone: false), of: size.seed, on: connection)
                return (note, false)
            }
            let fields = Dictionary(
                text.split(separator: " ").compactMap { part -> (String, String)? in
                    let sides = part.split(separator: "=", maxSplits: 1)
                    return sides.count == 2 ? (String(sides[0]), String(sides[1])) : nil
                }, uniquingKeysWith: { first, _ in first })
            guard let firstPlan = fields["firstPlan"].flatMap({ Int64($0) }),
                let today = fields["today"].flatMap({ CalendarDate($0) })
            else { throw Refusal(description: "the note of seed \(size.seed) in Setting cannot be read: \(text)") }
            var noted = Note(size: size, firstPlan: firstPlan)
            noted.size.today = today
            let isDone = fields["done"] == "true"
            guard text == noted.text(isDone: isDone) else {
                throw Refusal(
                    description: "seed \(size.seed) was used for other numbers (\(text)); give these, or another --seed"
                )
            }
            return (noted, isDone)
        }
    }

    // MARK: Batches

    /// All people in batches, with a number of subscriptions for each that adds up to the number wanted.
    private static func batches(_ rows: SeedRows) -> [Batch] {
        let size = rows.size
        let total = (0..<size.users).reduce(0) { $0 + rows.weight($1) }
        var batches: [Batch] = []
        var batch = Batch(users: 0..<0, bounds: [0], ownPlansBefore: 0)
        var (weight, own) = (0, 0)
        for user in 0..<size.users {
            weight += rows.weight(user)
            own += rows.hasOwnPlan(user) ? 1 : 0
            // Both are far from the limits of Int: at most 10^8 times 5 · 10^7.
            batch.bounds.append(size.subscriptions * weight / total)
            guard
                batch.subscriptions >= subscriptionsPerBatch || batch.bounds.count > usersPerBatch
                    || user == size.users - 1
            else {
                continue
            }
            batch.users = batch.users.lowerBound..<user + 1
            batches.append(batch)
            batch = Batch(users: user + 1..<user + 1, bounds: [batch.bounds.last ?? 0], ownPlansBefore: own)
        }
        return batches
    }

    private func writeCatalogue(_ rows: SeedRows) async throws {
        let plans = rows.plansByCountry.flatMap(\.self).sorted { $0.id < $1.id }
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            try await SeedQueries.insert(providers: rows.providers, on: connection)
        }
        var rest = plans[...]
        while let last = rest.prefix(Self.usersPerBatch).last {
            let chunk = Array(rest.prefix(Self.usersPerBatch))
            try await client.withTransaction(database, isolation: .readCommitted) { connection in
                guard try await !SeedQueries.hasPlan(last.id, on: connection) else { return }
                try await SeedQueries.insert(plans: chunk, on: connection)
            }
            rest = rest.dropFirst(Self.usersPerBatch)
        }
    }

    private func write(
        _ batches: [Batch], _ rows: SeedRows, workers: Int, progress: @escaping @Sendable (Progress) -> Void
    ) async throws {
        let queue = Queue(batches: batches)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<workers {
                group.addTask {
                    while let batch = queue.next() {
                        try await self.write(batch, rows)
                        queue.finish(batch) { progress(Progress(done: $0, total: rows.size.subscriptions)) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ batch: Batch, _ rows: SeedRows) async throws {
        let users = batch.users.map(rows.user)
        var plans: [SeedRows.Plan] = []
        var subscriptions: [(user: UUID, row: SeedRows.Subscription)] = []
        for (offset, index) in batch.users.enumerated() {
            let user = users[offset]
            var own: SeedRows.Plan?
            if rows.hasOwnPlan(index) {
                let plan = rows.ownPlan(of: user, index: index, number: batch.ownPlansBefore + plans.count)
                plans.append(plan)
                own = plan
            }
            for number in batch.bounds[offset]..<batch.bounds[offset + 1] {
                let row = rows.subscription(
                    number, place: number - batch.bounds[offset], user: user, userIndex: index, own: own)
                if let row { subscriptions.append((user.id, row)) }
            }
        }
        guard let last = users.last else { return }
        let (madePlans, made) = (plans, subscriptions)
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            guard try await !SeedQueries.hasUser(last.id, on: connection) else { return }
            try await SeedQueries.insert(users: users, on: connection)
            try await SeedQueries.insert(plans: madePlans, on: connection)
            try await SeedQueries.insert(subscriptions: made, on: connection)
        }
    }
}
