import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// Applies the changes of one request, each in a transaction with the row that remembers its answer.
struct PushRun {
    /// The call, as a change in it sees it: conditions of the request as a whole do not hold for each change.
    private(set) var call: Call
    /// The sender. A change of the user's own row holds for those after it.
    private(set) var session: Session
    /// The writes of this request. A device's later change is then not lost to its own earlier one.
    private var own = OwnWrites()

    /// A run of a call.
    init(_ call: Call) throws {
        self.call = call.forPart()
        session = try call.requireSession()
    }

    /// The result of a transaction.
    struct Done: Sendable {
        var result: PushChanges.Result
        /// The sender's writes, with this change and before it.
        var own: OwnWrites
        /// The versions that the row's groups have now, and the plan of the user's own that was changed with it.
        var current: [FieldGroup: Int64] = [:]
    }

    /// Applies one change, or finds the answer that was given to it.
    /// - Throws: errors that do not concern this change: the database is away, the user was deleted.
    mutating func apply(_ mutation: PushChanges.Mutation) async throws -> PushChanges.Result {
        // Members in the order of their names. Without the base: the identity of a change does not depend on its
        // sender's knowledge.
        let identity = AnyJSON.object([
            "entity": .string(mutation.entity), "id": .string(mutation.id), "op": .string(mutation.op),
            "fields": .object(mutation.fields ?? [:]),
        ])
        let payload = try Digest.sha256(Array(PushChanges.name.utf8) + [0] + OutputEncoder.encode(identity))
        let key = IdempotencyKey(mutation.key)
        let run = self
        let done: Done
        do {
            done = try await call.tenant.write(scope: session.user) { connection in
                if let kept = try await run.replay(mutation, key, payload, on: connection) { return kept }
                let own = try await run.own(before: mutation, on: connection)
                let done = try await MutationRun(run: run, own: own, of: mutation).apply(mutation, on: connection)
                try await run.keep(done, key, payload, on: connection)
                return done
            }
        } catch {
            done = try await refuse(mutation, key, payload, because: error)
        }
        own.formUnion(done.own)
        if done.result.outcome != .refused, case .me(let user) = done.result.row?.data { note(user) }
        return done.result
    }

    /// Takes note of a change of the user: the days of those after it are counted in another zone.
    private mutating func note(_ user: StoredUser) {
        session = session.with(country: user.country, timeZone: user.timeZone)
        call.session = session
        call.tenant.sessions.forget(session.user)
    }

    /// Remembers and answers that a change is refused. Nothing of it is stored: its transaction was rolled back.
    /// - Throws: errors that are no refusals. An unforeseen one may not occur another time.
    private func refuse(
        _ mutation: PushChanges.Mutation, _ key: IdempotencyKey, _ payload: [UInt8], because error: any Error
    ) async throws -> Done {
        let problem = ProblemMapping.problem(for: error, logger: call.logger, requestID: call.requestID)
        guard problem.status < 500, problem.code != .userDeleted else { throw problem }
        var result = PushChanges.Result(key: mutation.key, outcome: .refused, error: problem)
        result.error?.requestId = call.requestID
        // The use of a key stays.
        guard problem.code != .keyReused else { return Done(result: result, own: OwnWrites()) }
        let refused = result
        return try await call.tenant.write(scope: session.user) { connection in
            if let kept = try await replay(mutation, key, payload, on: connection) { return kept }
            let versions = try await RowVersions.read(mutation, of: session.user, on: connection)
            let done = Done(
                result: refused, own: try await own(before: mutation, on: connection),
                current: versions?.groups ?? [:])
            try await keep(done, key, payload, on: connection)
            return done
        }
    }

    /// The sender's writes before a change: in this request, and by the change that it names.
    private func own(before mutation: PushChanges.Mutation, on connection: Connection) async throws -> OwnWrites {
        var own = own
        if let former = mutation.after,
            let answer = try await IdempotencyQueries.find(
                IdempotencyKey(former), of: session.user, on: connection)?.answer,
            let kept = try? KeptResult(bytes: answer)
        {
            own.formUnion(kept.own)
        }
        return own
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
        let former = try KeptResult(bytes: answer)
        var result = former.result(key: mutation.key)
        // The row as it is now. A device that has pulled meanwhile may have dropped it, and would have it back for
        // ever.
        if result.outcome != .refused {
            let versions = try await RowVersions.read(mutation, of: session.user, on: connection)
            result.row = try await row(mutation, versions, on: connection)
            result.plan = try await plan(mutation, of: result.row, on: connection)
        }
        return Done(result: result, own: former.own)
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
            guard let number = Int64(id) else { return nil }
            id = String(number)
            data = try await StoredRowQueries.plan(number, of: user, digits: digits, on: connection)?.data
        default:
            id = user.uuid.uuidString.lowercased()
            data = try await UserQueries.user(user, on: connection).map(StoredRowQueries.data)
        }
        var version = versions?.version
        if version == nil { version = try await SyncQueries.counter(of: user, on: connection) }
        return Change(
            scope: SyncScope.user(user).name, version: version ?? 0, entity: entity, id: id, data: data)
    }

    /// The own plan that a change of a subscription made or changed, as it is now. Its sender needs the version.
    /// Without it the next change would count as one on top of others' changes since the last pull.
    /// - Parameter row: the subscription as it is now.
    func plan(
        _ mutation: PushChanges.Mutation, of row: Change?, on connection: Connection
    ) async throws -> Change? {
        guard mutation.entity == SyncEntity.subscription.rawValue, mutation.fields?["plan"] != nil,
            case .subscription(let subscription)? = row?.data,
            let plan = try await StoredRowQueries.plan(
                subscription.planId, of: session.user, digits: try await call.tenant.currencies.table(on: connection),
                on: connection)
        else { return nil }
        return Change(
            scope: SyncScope.user(session.user).name, version: plan.version, entity: .plan,
            id: String(subscription.planId), data: plan.data)
    }

    private func keep(
        _ done: Done, _ key: IdempotencyKey, _ payload: [UInt8], on connection: Connection
    ) async throws {
        let kept = KeptResult(done.result, own: done.own.holding(done.current))
        try await IdempotencyQueries.insert(
            .init(payloadHash: payload, tag: nil, answer: try kept.bytes()), key: key, of: session.user,
            in: call.tenant, on: connection)
    }
}
