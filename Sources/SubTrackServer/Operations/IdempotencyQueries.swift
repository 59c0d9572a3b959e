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

    /// Keeps an answer.
    static func insert(
        _ kept: Kept, key: IdempotencyKey, of user: UserID, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Idempotency (User_ID, Idempotency_key, Payload_hash, Entity_tag, Answer)
            VALUES (\(user.uuid), \(key.text), \(kept.payloadHash), \(kept.tag), \(kept.answer))
            ON DUPLICATE KEY UPDATE Payload_hash = VALUES(Payload_hash), Entity_tag = VALUES(Entity_tag),
                                    Answer = VALUES(Answer), Created_at = UTC_TIMESTAMP()
            """)
    }
}
