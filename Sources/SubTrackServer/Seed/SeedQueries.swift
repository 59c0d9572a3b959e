import Foundation
import MariaDB
import SubTrackAPI

/// The statements that write made-up rows, many in each.
enum SeedQueries {
    /// The note of a seed, so that it can go on, and is not made twice; nil when there is none.
    static func note(of seed: UInt32, on connection: Connection) async throws -> String? {
        try await connection.query("SELECT Setting_value FROM Setting WHERE Setting_name = \(name(seed))")
            .decode(String.self).first
    }

    /// Notes the rows that a seed has made.
    static func setNote(_ note: String, of seed: UInt32, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value) VALUES (\(name(seed)), \(note))
            ON DUPLICATE KEY UPDATE Setting_value = \(note)
            """)
    }

    private static func name(_ seed: UInt32) -> String { "Seed_\(seed)" }

    /// Whether there is anybody.
    static func hasUsers(on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT 1 FROM `User` LIMIT 1").decode(Int.self).isEmpty
    }

    /// The number that the next plan would get, at the least.
    static func nextPlan(on connection: Connection) async throws -> Int64 {
        try await connection.query("SELECT COALESCE(MAX(Plan_ID), 0) + 1 FROM Plan").decode(Int64.self).first ?? 1
    }

    /// Whether a person is there.
    static func hasUser(_ id: UUID, on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT 1 FROM `User` WHERE User_ID = \(id)").decode(Int.self).isEmpty
    }

    /// Whether a plan is there.
    static func hasPlan(_ id: Int64, on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT 1 FROM Plan WHERE Plan_ID = \(id)").decode(Int.self).isEmpty
    }

    /// Adds providers; those that are there stay as they are.
    static func insert(providers: [(name: String, category: String)], on connection: Connection) async throws {
        try await inChunks(providers) { chunk in
            let rows = chunk.map { provider -> SQL in "(\(provider.name), \(provider.category))" }
            _ = try await connection.execute(
                """
                INSERT INTO Provider (Provider, Category) VALUES \(SQL.joined(rows))
                ON DUPLICATE KEY UPDATE Category = Category
                """)
        }
    }

    /// Adds plans and their other prices.
    static func insert(plans: [SeedRows.Plan], on connection: Connection) async throws {
        try await inChunks(plans) { chunk in
            let rows = chunk.map { plan -> SQL in
                """
                (\(plan.id), \(plan.provider), \(plan.name), \(plan.type), \(plan.fee), \(plan.since),
                 \(plan.duration.value), \(plan.duration.unit), \(plan.country), \(plan.trialDays), \(plan.noticeDays),
                 \(plan.withdrawnOn), \(plan.owner))
                """
            }
            _ = try await connection.execute(
                """
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Subscription_type, Fee, Fee_since, Duration_value,
                                  Duration_unit, Country_ID, Trial_days, Notice_days, Withdrawn_on, Owner_ID)
                VALUES \(SQL.joined(rows))
                """)
        }
        try await inChunks(plans.filter { $0.other != nil }) { chunk in
            let rows = chunk.compactMap { plan -> SQL? in
                plan.other.map { "(\(plan.id), \($0.day), \($0.fee))" }
            }
            _ = try await connection.execute(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES \(SQL.joined(rows))")
        }
    }

    /// Adds people.
    static func insert(users: [SeedRows.User], on connection: Connection) async throws {
        try await inChunks(users) { chunk in
            let rows = chunk.map { user -> SQL in
                "(\(user.id), \(user.name), \(user.country), \(user.timeZone))"
            }
            _ = try await connection.execute(
                "INSERT INTO `User` (User_ID, User_name, Country_ID, Time_zone) VALUES \(SQL.joined(rows))")
        }
    }

    /// Adds subscriptions with their owners, and renews and cancels those that were.
    static func insert(
        subscriptions: [(user: UUID, row: SeedRows.Subscription)], on connection: Connection
    ) async throws {
        try await inChunks(subscriptions) { chunk in
            let rows = chunk.map { user, row -> SQL in
                """
                (\(row.id), \(user), \(row.plan), \(row.start), \(row.freeTrial), \(row.autoRenew), \(row.ownFee),
                 \(row.label), \(row.reminderDays), \(row.note), \(row.cancelledOn))
                """
            }
            _ = try await connection.execute(
                """
                INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial, Auto_renew, Own_fee,
                                          Label, Reminder_days, Note, Cancelled_on)
                VALUES \(SQL.joined(rows))
                """)
        }
        for round in 1...3 {
            try await inChunks(subscriptions.filter { $0.row.renewals >= round }.map(\.row.id)) { chunk in
                _ = try await connection.execute(
                    "UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID IN (\(list: chunk))")
            }
        }
    }

    /// Writes rows in statements of a few lengths, so that few statements have to be prepared.
    private static func inChunks<Row>(_ rows: [Row], _ write: ([Row]) async throws -> Void) async throws {
        var rest = rows[...]
        var length = 256
        while !rest.isEmpty {
            while length > rest.count { length /= 2 }
            try await write(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
    }
}
