import MariaDB
import TestTraits

/// Somebody who changes what users have, at random: now as the service does it (the scopes are locked first, in
/// ascending order), now as an admin types it.
struct FeedWriter {
    /// What became of the transactions.
    struct Tally: Sendable {
        var committed = 0
        var rolledBack = 0
        /// Given up by the server so that another could go on; the service's, and the admin's.
        var serviceDeadlocks = 0
        var adminDeadlocks = 0
        /// Refused by a trigger.
        var refused = 0
        /// Anything else: there should be none.
        var others: [String] = []

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                committed: left.committed + right.committed, rolledBack: left.rolledBack + right.rolledBack,
                serviceDeadlocks: left.serviceDeadlocks + right.serviceDeadlocks,
                adminDeadlocks: left.adminDeadlocks + right.adminDeadlocks, refused: left.refused + right.refused,
                others: left.others + right.others)
        }
    }

    private struct ChangedMind: Error {}

    let users: [[UInt8]]
    /// How often the service's way is taken.
    let serviceShare: Double
    var random: SeededGenerator

    /// Runs so many transactions.
    mutating func run(_ client: MariaDBClient, transactions: Int) async -> Tally {
        var tally = Tally()
        for _ in 0..<transactions {
            let service = random.chance(serviceShare)
            let pair = users.shuffled(using: &random).prefix(2)
            guard let first = pair.first, let second = pair.last else { break }
            var plan: [(Int, UInt64)] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                plan.append((Int.random(in: 0..<100, using: &random), random.next()))
            }
            let (steps, givesUp) = (plan, random.chance(0.1))
            do {
                try await client.withTransaction(isolation: .readCommitted, retries: 0) { connection in
                    if service {
                        _ = try await connection.query(
                            """
                            SELECT Ver FROM Scope WHERE Scope_ID IN (\(first), \(second)) ORDER BY Scope_ID FOR UPDATE
                            """)
                    }
                    for (choice, number) in steps {
                        try await Self.step(choice, number, first, second, connection)
                    }
                    if givesUp { throw ChangedMind() }
                }
                tally.committed += 1
            } catch is ChangedMind {
                tally.rolledBack += 1
            } catch let error as MariaDBError where error.isTransient || [1205, 1213].contains(error.code) {
                if service { tally.serviceDeadlocks += 1 } else { tally.adminDeadlocks += 1 }
            } catch let error as MariaDBError where error.isSignal {
                tally.refused += 1
            } catch let error as MariaDBError where serviceShare < 1 && error.code == 1452 {
                // An administrator's statement locks no scope first: the plan of a new price may be deleted beside it.
                tally.refused += 1
            } catch {
                tally.others.append("\(error)")
            }
        }
        return tally
    }

    private static func step(
        _ choice: Int, _ number: UInt64, _ user: [UInt8], _ other: [UInt8], _ connection: Connection
    ) async throws {
        let ids = try await connection.query("SELECT Subscription_ID FROM Subscription WHERE User_ID = \(user)")
            .decode([UInt8].self)
        let plans = try await connection.query("SELECT Plan_ID FROM Plan WHERE Owner_ID = \(user)").decode(Int.self)
        let one = ids.isEmpty ? nil : ids[Int(number % UInt64(ids.count))]
        let own = plans.isEmpty ? nil : plans[Int(number % UInt64(plans.count))]
        guard let one, choice >= 30 else {
            let plan = number % 4 == 0 ? own ?? 1 : 1
            _ = try await connection.execute(
                "INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (\(user), \(plan), '2027-01-31')")
            return
        }
        let statement: SQL? =
            switch choice {
            case 30..<50:
                "UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = \(one) AND Period < 30"
            case 50..<60:
                """
                UPDATE Subscription SET Deleted_at = IF(Deleted_at IS NULL, UTC_TIMESTAMP(), NULL)
                WHERE Subscription_ID = \(one)
                """
            case 60..<67: "DELETE FROM Subscription WHERE Subscription_ID = \(one)"
            case 67..<75: "UPDATE Subscription SET User_ID = \(other) WHERE Subscription_ID = \(one)"
            case 75..<80: "UPDATE Subscription SET Note = \(String(number)) WHERE Subscription_ID = \(one)"
            case 80..<85: "UPDATE `User` SET User_name = \(String(number % 5)) WHERE User_ID = \(user)"
            case 85..<88:
                """
                UPDATE Subscription_period SET Fee = \(Int(number % 50))
                WHERE Subscription_ID = \(one) ORDER BY Period LIMIT 1
                """
            case 88..<93:
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                VALUES (\("Own \(number % 3)"), 'p', 1, 'US', 1, 'month', \(user))
                """
            case 93..<97:
                own.map {
                    """
                    INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
                    VALUES (\($0), '2020-01-01' + INTERVAL \(Int(number % 5)) DAY, \(Int(number % 50)))
                    ON DUPLICATE KEY UPDATE Fee = VALUES(Fee)
                    """
                }
            case 97..<98: own.map { "DELETE FROM Plan_price WHERE Plan_ID = \($0) ORDER BY Effective_on LIMIT 1" }
            default: own.map { "DELETE FROM Plan WHERE Plan_ID = \($0)" }
            }
        if let statement { _ = try await connection.execute(statement) }
    }
}
