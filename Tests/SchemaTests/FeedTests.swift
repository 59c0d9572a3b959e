import MariaDB
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

/// Whether clients that page through the versions of a scope, while others write, end with exactly what the server has.
@Suite("Feed", .tags(.otherMariaDB), .ownTime)
struct FeedTests {
    @Test("on MariaDB", arguments: [1.0, 0.6])
    func mariaDB(serviceShare: Double) async throws {
        try await check(.mariaDB, serviceShare: serviceShare)
    }

    @Test("on MySQL", .mySQL, .repeated, arguments: [1.0, 0.6])
    func mySQL(serviceShare: Double) async throws {
        try await check(.mySQL, serviceShare: serviceShare)
    }

    private static let users: [[UInt8]] = (1...3).map {
        [0x01, 0x90, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8($0)]
    }

    private func check(_ server: TestServer, serviceShare: Double) async throws {
        try await server.leaseTenant { database in
            try await database.run(
                "INSERT INTO `User` (User_ID, Country_ID) VALUES (0x01900000000070008000000000000003, 'US')")
            // A machine that is busy makes nobody give up.
            let patient: (inout MariaDBConfiguration) -> Void = {
                $0.session.lockWaitTimeout = .seconds(60)
                $0.leaseTimeout = .seconds(60)
            }
            try await database.withClient(configure: patient) { client in
                let (tally, readers) = try await run(client, serviceShare: serviceShare)
                #expect(tally.others == [])
                #expect(tally.committed > 50)
                // Nobody waits in a circle who takes the scopes first.
                if serviceShare == 1 { #expect(tally.serviceDeadlocks == 0) }

                var fresh: [FeedClient] = []
                for user in Self.users {
                    var client1 = FeedClient(user: user)
                    try await client1.pull(client, limit: 1_000)
                    fresh.append(client1)
                }
                #expect(fresh.contains { $0.rows.keys.contains { $0.entity == FeedClient.Entity.price } })
                #expect(try await Self.counts(client) == fresh.map(\.rows.count).reduce(0, +))
                for reader in readers {
                    for (followed, whole) in zip(reader, fresh) {
                        #expect(followed.differences(from: whole) == [])
                    }
                }
            }
            try await DerivedFacts.check(in: database)
        }
    }

    /// Four writers, and two readers that go on until these are done and then once more.
    private func run(
        _ client: MariaDBClient, serviceShare: Double
    ) async throws -> (FeedWriter.Tally, [[FeedClient]]) {
        enum Part: Sendable {
            case writer(FeedWriter.Tally)
            case reader([FeedClient])
        }
        let writing = Countdown(from: 4)
        let first = TestSeed.first(of: "the feed")
        return try await withThrowingTaskGroup(of: Part.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var writer = FeedWriter(
                        users: Self.users, serviceShare: serviceShare,
                        random: SeededGenerator(seed: first &+ UInt64(number)))
                    defer { writing.countDown() }
                    return .writer(await writer.run(client, transactions: 80))
                }
            }
            for limit in [3, 7] {
                group.addTask {
                    var clients = Self.users.map { FeedClient(user: $0) }
                    while !writing.isOver {
                        for index in clients.indices { _ = try await clients[index].pullPage(client, limit: limit) }
                    }
                    for index in clients.indices { try await clients[index].pull(client, limit: limit) }
                    return .reader(clients)
                }
            }
            var (tally, readers) = (FeedWriter.Tally(), [[FeedClient]]())
            for try await part in group {
                switch part {
                case .writer(let one): tally = tally + one
                case .reader(let clients): readers.append(clients)
                }
            }
            return (tally, readers)
        }
    }

    /// How many rows the users have, by the tables alone.
    private static func counts(_ client: MariaDBClient) async throws -> Int {
        try await client.withConnection { connection in
            let counts = try await connection.query(
                """
                SELECT (SELECT COUNT(*) FROM `User`) + (SELECT COUNT(*) FROM Subscription WHERE Deleted_at IS NULL)
                    + (SELECT COUNT(*) FROM Subscription_period JOIN Subscription USING (Subscription_ID)
                        WHERE Deleted_at IS NULL)
                    + (SELECT COUNT(*) FROM Plan WHERE Owner_ID IS NOT NULL)
                    + (SELECT COUNT(*) FROM Plan_price JOIN Plan USING (Plan_ID) WHERE Owner_ID IS NOT NULL)
                """)
            return try counts.decode(Int.self).first ?? -1
        }
    }
}

/// How many are not done yet.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(from start: Int) { left = Atomic(start) }

    var isOver: Bool { left.load(ordering: .sequentiallyConsistent) <= 0 }

    func countDown() { left.subtract(1, ordering: .sequentiallyConsistent) }
}
