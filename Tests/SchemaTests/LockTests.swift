import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

/// Who waits for whom. A wait ends after two seconds with an error (1205).
@Suite("Locks", .tags(.otherMariaDB), .ownTime)
struct LockTests {
    @Test("an admin's open transaction on the catalogue holds up no renewal, on MariaDB")
    func catalogueOnMariaDB() async throws { try await checkCatalogue(.mariaDB) }

    @Test("an admin's open transaction on the catalogue holds up no renewal, on MySQL", .mySQL, .repeated)
    func catalogueOnMySQL() async throws { try await checkCatalogue(.mySQL) }

    @Test("people do not wait for each other, on MariaDB")
    func peopleOnMariaDB() async throws { try await checkPeople(.mariaDB) }

    @Test("people do not wait for each other, on MySQL", .mySQL, .repeated)
    func peopleOnMySQL() async throws { try await checkPeople(.mySQL) }

    /// A busy machine may take seconds to open a connection: that is not the wait that is looked for.
    private static let patient: @Sendable (inout MariaDBConfiguration) -> Void = { $0.leaseTimeout = .seconds(60) }

    private static let levels: [MariaDBConfiguration.Isolation] = [.readCommitted, .repeatableRead]

    private static let users: (SQL, SQL) = (
        "0x01900000000070008000000000000001", "0x01900000000070008000000000000002"
    )

    private func checkCatalogue(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            try await database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2020-01-01', 1);
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES
                    (0x01900000000070008000000000000001, 1, '2027-01-31'),
                    (0x01900000000070008000000000000002, 1, '2027-01-31');
                """)
            try await database.withClient(configure: Self.patient) { client in
                for level in Self.levels {
                    try await client.withTransaction(isolation: level, retries: 0) { admin in
                        _ = try await admin.execute("UPDATE Plan SET Fee = Fee + 1 WHERE Plan_ID = 1")
                        _ = try await admin.execute("UPDATE Plan_price SET Fee = Fee + 1")
                        _ = try await admin.execute("UPDATE Provider SET Website = CONCAT('x', RAND())")
                        try await client.withTransaction(isolation: level, retries: 0) { person in
                            let statements: [SQL] = [
                                "UPDATE Subscription SET Start_date = End_date",
                                "UPDATE Subscription SET Own_fee = 3",
                                "UPDATE Subscription SET Plan_ID = 3",
                                "UPDATE Subscription SET Deleted_at = UTC_TIMESTAMP()",
                                "UPDATE Subscription SET Deleted_at = NULL, Plan_ID = Plan_ID",
                                """
                                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                                VALUES (0x01900000000070008000000000000001, 3, '2027-01-31')
                                """,
                                """
                                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit,
                                    Owner_ID)
                                VALUES ('Netflix', 'mine', 1, 'US', 1, 'month', 0x01900000000070008000000000000001)
                                """,
                            ]
                            for statement in statements {
                                await #expect(throws: Never.self, "\(level): \(statement)") {
                                    _ = try await person.execute(statement)
                                }
                            }
                            // It did what it was to do, and the admin's transaction is open still.
                            let mine = try await person.query(
                                "SELECT COUNT(*) >= 2 FROM Subscription WHERE Plan_ID = 3 AND Own_fee = 3"
                            ).decode(Bool.self)
                            #expect(mine == [true])
                        }
                        #expect(admin.isInTransaction)
                    }
                    // Plan 1 again, for the next level.
                    try await client.withConnection { connection in
                        _ = try await connection.execute("UPDATE Subscription SET Plan_ID = 1")
                    }
                }
            }
        }
    }

    @Test("who does wait gets the error that these tests look for")
    func waiting() async throws {
        try await TestServer.mariaDB.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                try await client.withTransaction(retries: 0) { first in
                    try await Self.write(first, user: Self.users.0)
                    let error = await #expect(throws: MariaDBError.self) {
                        try await client.withTransaction(retries: 0) { second in
                            try await Self.write(second, user: Self.users.0)
                        }
                    }
                    #expect(error?.code == 1205)
                }
            }
        }
    }

    private func checkPeople(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            try await database.withClient(configure: Self.patient) { client in
                for level in Self.levels {
                    try await client.withTransaction(isolation: level, retries: 0) { first in
                        try await Self.write(first, user: Self.users.0)
                        await #expect(throws: Never.self, "\(level): the second waits for the first") {
                            try await client.withTransaction(isolation: level, retries: 0) { second in
                                try await Self.write(second, user: Self.users.1)
                            }
                        }
                        #expect(first.isInTransaction)
                        await #expect(throws: Never.self, "\(level): the first waits for the second") {
                            try await Self.write(first, user: Self.users.0)
                        }
                    }
                }
            }
        }
    }

    /// What somebody does in a transaction that stays open: ids lie side by side.
    private static func write(
        _ connection: Connection, user: SQL
    ) async throws {
        _ = try await connection.execute(
            "INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (\(user), 1, '2027-01-31')")
        _ = try await connection.execute("UPDATE Subscription SET Start_date = End_date WHERE User_ID = \(user)")
        _ = try await connection.execute(
            """
            INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
            VALUES ('Piano', 'mine', 1, 'US', 1, 'month', \(user))
            """)
        _ = try await connection.execute("UPDATE `User` SET User_name = CONCAT('x', RAND()) WHERE User_ID = \(user)")
        _ = try await connection.execute(
            "INSERT INTO `User` (User_ID, Country_ID) VALUES (UNHEX(LEFT(SHA2(UUID(), 256), 32)), 'US')")
    }
}
