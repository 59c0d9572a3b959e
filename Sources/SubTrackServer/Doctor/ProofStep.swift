import MariaDB

/// A step of the doctor's proof: statements as the service sends them, and what has to come of them.
struct ProofStep: Sendable {
    /// What has to come of a step.
    enum Expectation: Sendable {
        /// A query that gives one row whose only column is 1.
        case isTrue(SQL)
        /// The last statement is refused by a trigger, whose message begins so.
        case refusal(String)
        /// The last statement is refused by a unique key.
        case duplicate
        /// The last statement is refused by a foreign key.
        case foreignKey
        /// The last statement is refused because a value does not fit its column (1406), as in strict mode.
        case tooLong
    }

    /// What is tried, for people.
    let what: String
    let statements: [SQL]
    let expectation: Expectation

    private init(_ what: String, _ statements: [SQL], _ expectation: Expectation) {
        self.what = what
        self.statements = statements
        self.expectation = expectation
    }

    private static let user: SQL = "0x01900000000070008000000000000001"
    private static let subscription: SQL = "0x01900000000070008000000000000101"
    private static let device: SQL = "0x01900000000070008000000000000201"

    /// All steps, in their order: a row of each kind, a renewal, refusals, and a deletion that takes everything along.
    static let all: [ProofStep] = rows + renewals + refusals + ends

    private static let rows: [ProofStep] = [
        ProofStep(
            "plans of the catalog and their prices",
            [
                "INSERT INTO Provider (Provider, Category) VALUES ('Doctor', 'Test')",
                """
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since)
                VALUES (1, 'Doctor', 'Monthly', 9.99, 'US', 1, 'month', '2023-01-07')
                """,
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (1, '2020-01-01', 8.99)",
            ], .isTrue("SELECT COUNT(*) = 1 FROM Plan WHERE Currency_code = 'USD' AND Ver > 0")),
        ProofStep(
            "exchange rates",
            ["INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-30', 1.0812)"],
            .isTrue("SELECT Per_euro = 1.0812 FROM Exchange_rate")),
        ProofStep(
            "a user with an account, a device and a session",
            [
                "INSERT INTO `User` (User_ID, Country_ID) VALUES (\(user), 'US')",
                """
                INSERT INTO Account (Email, Password, User_ID)
                VALUES ('doctor@example.org', '$x$i=1$c2FsdA$aGFzaA', \(user))
                """,
                "INSERT INTO Device (Device_ID, User_ID, Device_name) VALUES (\(device), \(user), 'phone – 📱')",
                """
                INSERT INTO Session (Session_ID, Device_ID, Token_hash)
                VALUES (0x01900000000070008000000000000301, \(device), UNHEX(SHA2('doctor', 256)))
                """,
                "INSERT INTO Known_device (User_ID, Device_ID) VALUES (\(user), \(device))",
            ],
            .isTrue(
                """
                SELECT u.Ver = s.Ver AND u.Ver > 1 AND d.Device_name = 'phone – 📱'
                FROM `User` u JOIN Scope s ON s.Scope_ID = u.User_ID JOIN Device d ON d.User_ID = u.User_ID
                """)),
        ProofStep(
            "a plan of the user's own",
            [
                """
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                VALUES (2, 'Aunt Mary', 'Piano', 30, 'US', 1, 'week', \(user))
                """
            ], .isTrue("SELECT COUNT(*) = 1 FROM Plan WHERE Owner_ID = \(user) AND Ver > 0")),
        ProofStep(
            "kept answers and mails",
            [
                "INSERT INTO Idempotency (User_ID, Idempotency_key, Payload_hash, Answer) "
                    + "VALUES (\(user), 'doctor', UNHEX(SHA2('x', 256)), REPEAT('x', 500000))",
                """
                INSERT INTO Mail (Mail_ID, Kind, Email, Language, Expires_at)
                VALUES (\(device), 'verify', 'doctor@example.org', 'en', UTC_TIMESTAMP() + INTERVAL 1 HOUR)
                """,
                """
                INSERT INTO Mail_secret (Secret_hash, Purpose, Email, Expires_at)
                VALUES (UNHEX(SHA2('x', 256)), 'verify', 'doctor@example.org', UTC_TIMESTAMP() + INTERVAL 1 HOUR)
                """,
            ], .isTrue("SELECT LENGTH(Answer) = 500000 FROM Idempotency")),
        ProofStep(
            "a subscription that begins at a month's end",
            [
                """
                INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date)
                VALUES (\(subscription), \(user), 1, '2027-01-31')
                """
            ], .isTrue("SELECT End_date = '2027-02-28' AND Period_fee = 9.99 AND Ver > 0 FROM Subscription")),
    ]

    private static let renewals: [ProofStep] = [
        ProofStep(
            "a renewal, which keeps the month's end",
            ["UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = \(subscription)"],
            .isTrue(
                """
                SELECT s.End_date = '2027-03-31' AND COUNT(p.Period) = 1
                FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
                GROUP BY s.End_date
                """)),
        ProofStep(
            "a renewal over several periods",
            [
                """
                UPDATE Subscription SET Start_date = End_date, End_date = '2027-06-01', Ver = 0
                WHERE Subscription_ID = \(subscription)
                """
            ],
            .isTrue(
                """
                SELECT s.End_date = '2027-06-30' AND COUNT(p.Period) = 4
                FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
                GROUP BY s.End_date
                """)),
        ProofStep(
            "a revision of the catalog, checked and applied",
            [
                "INSERT INTO Revision (Revision, Effective_on) VALUES ('doctor', '2025-03-01')",
                """
                INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
                VALUES ('doctor', 'US', 'Doctor', 'Monthly', '11.99', '1', 'month')
                """,
                "UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'doctor'",
                "UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = 'doctor'",
            ],
            .isTrue(
                "SELECT COUNT(*) = 1 FROM Price_line WHERE Plan_ID = 1 AND Effective_on = '2025-03-01' AND Fee = 11.99")
        ),
        ProofStep(
            "a revision that is thrown away",
            ["DELETE FROM Revision WHERE Revision = 'doctor'", "DELETE FROM Staged_plan WHERE Revision = 'doctor'"],
            .isTrue("SELECT COUNT(*) = 0 FROM Revision_country")),
    ]

    private static let refusals: [ProofStep] = [
        ProofStep(
            "a price below nothing",
            [
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                VALUES ('Doctor', 'Bad', -1, 'US', 1, 'month')
                """
            ], .refusal("Plan.Fee: ")),
        ProofStep(
            "a subscription of a plan that is not there",
            ["INSERT INTO Subscription (User_ID, Plan_ID, Start_date) VALUES (\(user), 99999, '2027-01-31')"],
            .refusal("Subscription.Plan_ID: ")),
        ProofStep(
            "a password that is no hash",
            ["INSERT INTO Account (Email, Password, User_ID) VALUES ('x@example.org', 'secret', \(user))"],
            .refusal("Account.Password: ")),
        ProofStep(
            "an address that somebody has, in capitals",
            [
                """
                INSERT INTO Account (Email, Password, User_ID)
                VALUES ('DOCTOR@example.org', '$x$i=1$c2FsdA$aGFzaA', \(user))
                """
            ], .duplicate),
        ProofStep(
            "a device of nobody",
            [
                """
                INSERT INTO Device (Device_ID, User_ID, Device_name)
                VALUES (0x01900000000070008000000000000299, 0x01900000000070008000000000000009, 'phone')
                """
            ], .foreignKey),
        ProofStep(
            "a name that is too long", ["UPDATE Device SET Device_name = REPEAT('x', 101)"], .tooLong),
    ]

    private static let ends: [ProofStep] = [
        ProofStep(
            "the deletion of a user, with everything of the user's",
            ["DELETE FROM `User` WHERE User_ID = \(user)"],
            .isTrue(
                """
                SELECT (SELECT COUNT(*) FROM Subscription) + (SELECT COUNT(*) FROM Subscription_period)
                    + (SELECT COUNT(*) FROM Account) + (SELECT COUNT(*) FROM Device) + (SELECT COUNT(*) FROM Session)
                    + (SELECT COUNT(*) FROM Plan WHERE Owner_ID IS NOT NULL) = 0
                    AND (SELECT COUNT(*) FROM Tombstone WHERE Scope_ID = \(user) AND Entity = 1) = 1
                    AND (SELECT COUNT(*) FROM Ended_session WHERE User_deleted) = 1
                """)),
        ProofStep(
            "the deletion of a plan of the catalog", ["DELETE FROM Plan WHERE Plan_ID = 1"],
            .isTrue("SELECT COUNT(*) = 0 FROM Plan_price")),
    ]

    /// Runs the step.
    /// - Returns: what was other than it has to be; nil when all is well.
    /// - Throws: what the database says where nothing was to be refused.
    func run(on connection: Connection) async throws -> String? {
        switch expectation {
        case .isTrue(let query):
            for statement in statements { _ = try await connection.execute(statement) }
            let answer = try await connection.query(query).decode(Int64?.self)
            return answer.count == 1 && answer[0] == 1 ? nil : "it was written, and is not as it has to be"
        default:
            do {
                for statement in statements { _ = try await connection.execute(statement) }
                return "it was taken, and has to be refused"
            } catch let error as MariaDBError where error.kind == .server {
                return isExpected(error) ? nil : "it was refused by another error: \(error)"
            }
        }
    }

    private func isExpected(_ error: MariaDBError) -> Bool {
        switch expectation {
        case .isTrue: false
        case .refusal(let beginning): error.isSignal && error.message.hasPrefix(beginning)
        case .duplicate: error.isDuplicate
        case .foreignKey: error.isForeignKeyViolation
        case .tooLong: error.code == 1406
        }
    }
}
