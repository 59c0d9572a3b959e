import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Applies the changes of one request, each in a transaction with the row that remembers its answer.
struct PushRun {
    let call: Call
    let session: Session
    /// What this request has written, so that a device's later change is not taken for another's of its earlier one.
    private var written = OwnWrites()
    /// Whether the user's own row was changed.
    private(set) var hasChangedUser = false

    /// A run of a call. What holds for the request as a whole does not hold for each change in it.
    init(_ call: Call) throws {
        self.call = call.forPart()
        session = try call.requireSession()
    }

    /// What a transaction came to.
    struct Done: Sendable {
        var result: PushChanges.Result
        /// Versions of the row before and after; nil for a row that is not there.
        var before: RowVersions?
        var after: RowVersions?
        /// The version that the change gave its row.
        var written: Int64?
    }

    /// Applies one change, or finds the answer that was given to it.
    /// - Throws: what has nothing to do with this change: the database is away, the user was deleted.
    mutating func apply(_ mutation: PushChanges.Mutation) async throws -> PushChanges.Result {
        // Members in the order of their names, whatever order they came in. Without the base: a client that has heard of an
        // earlier change takes a newer one, and this one may have been sent before.
        let identity = AnyJSON.object([
            "entity": .string(mutation.entity), "id": .string(mutation.id), "op": .string(mutation.op),
            "fields": .object(mutation.fields ?? [:]),
        ])
        let payload = try Digest.sha256(Array(PushChanges.name.utf8) + [0] + OutputEncoder.encode(identity))
        let key = try IdempotencyKey(mutation.key.uuidString.lowercased())
        let run = self
        let done: Done
        do {
            done = try await call.tenant.write(scope: session.user) { connection in
                if let kept = try await run.replay(mutation, key, payload, on: connection) { return kept }
                let done = try await MutationRun(run: run, written: run.written).apply(mutation, on: connection)
                try await run.keep(done.result, key, payload, on: connection)
                return done
            }
        } catch {
            done = try await refuse(mutation, key, payload, because: error)
        }
        written.note(mutation, done)
        if mutation.entity == SyncEntity.me.rawValue { hasChangedUser = true }
        return done.result
    }

    /// Remembers and answers that a change is refused. Nothing of it is stored: its transaction was rolled back.
    private func refuse(
        _ mutation: PushChanges.Mutation, _ key: IdempotencyKey, _ payload: [UInt8], because error: any Error
    ) async throws -> Done {
        let problem = ProblemMapping.problem(for: error, logger: call.logger, requestID: call.requestID)
        guard problem.status < 500 || problem.code == .internalError, problem.code != .userDeleted else { throw error }
        var result = PushChanges.Result(key: mutation.key, outcome: .refused, error: problem)
        result.error?.requestId = call.requestID
        // What a key was used for stays; and what nobody foresaw may go well another time.
        guard problem.code != .keyReused, problem.code != .internalError else { return Done(result: result) }
        let refused = result
        return try await call.tenant.write(scope: session.user) { connection in
            if let kept = try await replay(mutation, key, payload, on: connection) { return kept }
            try await keep(refused, key, payload, on: connection)
            return Done(result: refused)
        }
    }

    /// The answer that was given to a change before; nil when it is new.
    /// - Throws: `key_reused` when the key was used for something else.
    private func replay(
        _ mutation: PushChanges.Mutation, _ key: IdempotencyKey, _ payload: [UInt8], on connection: Connection
    ) async throws -> Done? {
        guard let kept = try await IdempotencyQueries.find(key, of: session.user, on: connection) else { return nil }
        guard kept.payloadHash == payload, let answer = kept.answer else {
            throw Problem(.keyReused, "This key was used for another change; make a new one.")
        }
        var result = try InputDecoder.decode(PushChanges.Result.self, from: try JSONScanner.scan(answer))
        result.replayed = true
        let (written, now) = (
            result.row?.version, try await RowVersions.read(mutation, of: session.user, on: connection)
        )
        // The row as it is now: who has pulled meanwhile may have heard that it is gone, and would have it back for ever.
        if result.row != nil { result.row = try await row(mutation, now, on: connection) }
        return Done(result: result, before: nil, after: now, written: written)
    }

    /// The row of a change as it is now.
    /// - Parameter versions: its versions; nil: it is not there.
    func row(
        _ mutation: PushChanges.Mutation, _ versions: RowVersions?, on connection: Connection
    ) async throws -> Change? {
        guard let entity = SyncEntity(rawValue: mutation.entity) else { return nil }
        let (user, digits) = (session.user, try await call.tenant.currencies.table(on: connection))
        var data: Change.Data?
        var id = mutation.id
        switch entity {
        case .subscription:
            guard let uuid = UUID(uuidString: id) else { return nil }
            id = uuid.uuidString.lowercased()
            data = try await StoredRowQueries.subscription(uuid, of: user, digits: digits, on: connection)?.data
        case .plan:
            data = try await StoredRowQueries.plan(Int64(id) ?? 0, of: user, digits: digits, on: connection)?.data
        default:
            id = user.uuid.uuidString.lowercased()
            data = try await UserQueries.user(user, on: connection).map(StoredRowQueries.data)
        }
        var version = versions?.version
        if version == nil {
            version = try await SyncQueries.counters(of: [.user(user)], on: connection)[.user(user)]?.version
        }
        return Change(
            scope: SyncScope.user(user).name, version: version ?? 0, entity: entity, id: id, data: data)
    }

    private func keep(
        _ result: PushChanges.Result, _ key: IdempotencyKey, _ payload: [UInt8], on connection: Connection
    ) async throws {
        try await IdempotencyQueries.insert(
            .init(payloadHash: payload, tag: nil, answer: try OutputEncoder.encode(result)), key: key,
            of: session.user, on: connection)
    }
}
