import MariaDB
import Passwords
import SubTrackAPI

extension Call {
    /// Changes the caller's own rows in one transaction, once for each idempotency key.
    ///
    /// The kept answer is looked for under the lock of the user's scope, so that of two that come at the same time the
    /// second finds what the first has answered. It is looked at before `If-Match`, for the write itself has changed the
    /// version.
    /// - Parameters:
    ///   - input: the operation with its input.
    ///   - body: makes the change and its answer. It may run again from the start.
    /// - Throws: `key_reused` when the key was used for something else, `key_in_use` while that is still running; what
    ///   `body` throws.
    func write<Definition: Operation>(
        _ input: Definition, _ body: (Connection) async throws -> Reply<Definition.Output>
    ) async throws -> Reply<Definition.Output> {
        let user = try requireSession().user
        guard let key = idempotencyKey else { return try await tenant.write(scope: user, body) }
        let payload = try Digest.sha256(Array(Definition.name.utf8) + [0] + OutputEncoder.encode(input))
        do {
            return try await tenant.write(scope: user) { connection in
                if let kept = try await IdempotencyQueries.find(key, of: user, on: connection) {
                    guard kept.payloadHash == payload else {
                        throw Problem(.keyReused, "This Idempotency-Key was used for another request; make a new one.")
                    }
                    return Reply(replaying: kept.answer, tag: kept.tag.map(EntityTag.init(quoted:)))
                }
                let reply = try await body(connection).encoded()
                try await IdempotencyQueries.insert(
                    .init(payloadHash: payload, tag: reply.tag?.quoted, answer: reply.body), key: key, of: user,
                    on: connection)
                return reply
            }
        } catch let error as MariaDBError where error.code == MariaDBError.lockWaitTimeout {
            throw Problem(.keyInUse, "A request of this user is still running; try again in a moment.")
        }
    }
}

extension MariaDBError {
    /// A lock was not had in time (`ER_LOCK_WAIT_TIMEOUT`).
    static let lockWaitTimeout: UInt32 = 1205
}
