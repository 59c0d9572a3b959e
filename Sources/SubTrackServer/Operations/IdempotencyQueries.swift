import MariaDB

/// The statements on the answers that are kept for writes with a key.
enum IdempotencyQueries {
    /// An answer that was given.
    struct Kept {
        let payloadHash: [UInt8]
        let tag: String?
        let answer: [UInt8]?
    }

    /// The answer that was given to a user's write with this key.
    static func find(_ key: IdempotencyKey, of user: UserID, on connection: Connection) async throws -> Kept? {
        let rows = try await connection.query(
            """
            SELECT Payload_hash, Entity_tag, Answer FROM Idempotency
            WHERE User_ID = \(user.uuid) AND Idempotency_key = \(key.text)
              AND Created_at > UTC_TIMESTAMP() - INTERVAL 90 DAY
            """)
        return try rows.decode(([UInt8], String?, [UInt8]?).self).first.map { hash, tag, answer in
            Kept(payloadHash: hash, tag: tag, answer: answer)
        }
    }

    /// Keeps an answer, in a transaction that has the user's scope locked. Where the user has too many, the oldest are
    /// forgotten.
    static func insert(
        _ kept: Kept, key: IdempotencyKey, of user: UserID, in tenant: Tenant, on connection: Connection
    ) async throws {
        if tenant.keptAnswers.note(user, bytes: kept.answer?.count ?? 0) {
            try await forgetOldest(of: user, limits: tenant.limits, on: connection)
        }
        _ = try await connection.execute(
            """
            INSERT INTO Idempotency (User_ID, Idempotency_key, Payload_hash, Entity_tag, Answer)
            VALUES (\(user.uuid), \(key.text), \(kept.payloadHash), \(kept.tag), \(kept.answer))
            ON DUPLICATE KEY UPDATE Payload_hash = VALUES(Payload_hash), Entity_tag = VALUES(Entity_tag),
                                    Answer = VALUES(Answer), Created_at = UTC_TIMESTAMP()
            """)
    }

    /// How many answers one statement forgets: it has to end in time.
    private static let forgottenAtOnce = 5000

    /// Forgets the oldest answers of a user until there are no more than there may be.
    static func forgetOldest(of user: UserID, limits: UserLimits, on connection: Connection) async throws {
        while true {
            let (count, bytes) =
                try await connection.query(
                    """
                    SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH(Answer)), 0) AS UNSIGNED) FROM Idempotency
                    WHERE User_ID = \(user.uuid)
                    """
                ).decode((Int, Int).self).first ?? (0, 0)
            guard count > 0, count > limits.keptAnswers || bytes > limits.keptAnswerBytes else { return }
            // Some more than it takes, so that not every look from now on finds one too many.
            let surplus = max(count - limits.keptAnswers + limits.keptAnswers / 10, (count + 7) / 8)
            _ = try await connection.execute(
                """
                DELETE FROM Idempotency WHERE User_ID = \(user.uuid)
                ORDER BY Created_at, Idempotency_key LIMIT \(min(count, surplus, forgottenAtOnce))
                """)
        }
    }

    /// How many answers one statement moves.
    private static let movedAtOnce = 500

    /// Moves the stored answers of one user to another. A key that both have used keeps the other user's answer.
    static func move(_ former: UserID, to user: UserID, on connection: Connection) async throws {
        while true {
            let keys = try await connection.query(
                """
                SELECT Idempotency_key FROM Idempotency WHERE User_ID = \(former.uuid)
                ORDER BY Idempotency_key LIMIT \(movedAtOnce)
                """
            ).decode(String.self)
            guard !keys.isEmpty else { return }
            _ = try await connection.execute(
                """
                UPDATE IGNORE Idempotency SET User_ID = \(user.uuid)
                WHERE User_ID = \(former.uuid) AND Idempotency_key IN (\(list: keys))
                """)
            _ = try await connection.execute(
                "DELETE FROM Idempotency WHERE User_ID = \(former.uuid) AND Idempotency_key IN (\(list: keys))")
        }
    }

    /// Removes stored answers of a user.
    /// - Returns: how many.
    static func deleteSome(of user: UserID, limit: Int, on connection: Connection) async throws -> Int {
        Int(
            clamping: try await connection.execute(
                """
                DELETE FROM Idempotency WHERE User_ID = \(user.uuid) ORDER BY Idempotency_key LIMIT \(limit)
                """
            ).affectedRows)
    }
}
