import MariaDB
import Passwords
import SubTrackAPI

extension Call {
    /// Changes the caller's own rows in one transaction, once for each idempotency key.
    ///
    /// The stored answer is read under the lock of the user's scope. Of two concurrent writes the second then finds the
    /// answer of the first. It is read before `If-Match` is compared, for the write itself has changed the version.
    /// - Parameters:
    ///   - input: the operation with its input.
    ///   - body: makes the change and its answer. It may run again from the start.
    /// - Throws: `key_reused` when the key was used for another input. `key_in_use` when it waited in vain for a write
    ///   with the same key, as far as this process knows. ``ScopeInUse`` when it waited for another one. The errors of
    ///   `body`.
    func write<Definition: Operation>(
        _ input: Definition, _ body: (Connection) async throws -> Reply<Definition.Output>
    ) async throws -> Reply<Definition.Output> {
        let user = try requireSession().user
        try tenant.writes.take(self)
        guard let key = idempotencyKey else { return try await tenant.write(scope: user, body) }
        let payload = try Digest.sha256(Array(Definition.name.utf8) + [0] + OutputEncoder.encode(input))
        let write = KeysInProgress.Write(user: user, key: key)
        var isCounted = false
        defer { if isCounted { tenant.keysInProgress.end(write) } }
        do {
            return try await tenant.write(scope: user) { connection in
                if !isCounted { tenant.keysInProgress.begin(write) }
                isCounted = true
                if let kept = try await IdempotencyQueries.find(key, of: user, on: connection) {
                    guard kept.payloadHash == payload else {
                        throw Problem(.keyReused, "This Idempotency-Key was used for another request; make a new one.")
                    }
                    return Reply(replaying: kept.answer, tag: kept.tag.map(EntityTag.init(quoted:)))
                }
                let reply = try await body(connection).encoded()
                try await IdempotencyQueries.insert(
                    .init(payloadHash: payload, tag: reply.tag?.quoted, answer: reply.body), key: key, of: user,
                    in: tenant, on: connection)
                return reply
            }
        } catch let error as ScopeInUse {
            guard tenant.keysInProgress.contains(write) else { throw error }
            throw Problem(.keyInUse, "The request with this Idempotency-Key is still running; try again in a moment.")
        }
    }
}
