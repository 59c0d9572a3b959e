import MariaDB
import SubTrackAPI
import SubTrackCore

/// Applies the changes of one request, each in a transaction with the row that stores its outcome.
///
/// A change of a row of the user's own costs six statements, and those that it sets off. Three come first: the lock of
/// the user's scope, a look for the stored outcome, and the row before the change. Three follow: the change itself, the
/// row after it, and its outcome. In a shared scope three more come first: the row's place, the lock of the shared
/// scope, and the place once more.
struct PushRun {
    let registry: SyncRegistry
    /// The registry of all areas of the service.
    private let all: SyncRegistry
    /// The call, as a change in it sees it: conditions of the request as a whole do not hold for each change. A change
    /// of the user's own row holds for those after it.
    private var call: Call
    /// The writes of this request. A device's later change is then not lost to its own earlier one.
    private var own = WriteLineages()

    /// A run of a call.
    init(_ registry: SyncRegistry, all: SyncRegistry, _ call: Call) throws {
        self.registry = registry
        self.all = all
        self.call = call.forPart()
        user = try call.requireSession().user
    }

    private let user: UserID

    /// The result of a transaction.
    private struct Done: Sendable {
        var result: PushedResult
        /// The versions that the sender has written, with this change and before it.
        var own: WriteLineage
        /// The scope of these versions.
        var scope: ScopeID
        /// The sender's session from now on; nil: as it was.
        var session: Session?
    }

    /// Applies one change, or finds the answer that was given to it.
    /// - Throws: errors that do not concern this change: the database is away, the user was deleted.
    mutating func apply(_ change: ReceivedChange) async throws -> PushedResult {
        let run = self
        let done: Done
        do {
            done = try await run.write(change) { place, connection in
                if let known = try await run.replay(change, on: connection) { return known }
                if let fault = change.fault { throw fault }
                return try await run.apply(change, in: place, on: connection)
            }
        } catch {
            done = try await refuse(change, because: error)
        }
        own.insert(done.own, in: done.scope)
        if let session = done.session {
            call.session = session
            call.tenant.sessions.forget(user)
        }
        return done.result
    }

    /// Runs a transaction that has the scopes of a change's place locked.
    private func write(
        _ change: ReceivedChange, _ body: (ChangePlace, Connection) async throws -> Done
    ) async throws -> Done {
        guard change.fault == nil, let places = registry.changeable(change.mutation.entity)?.places else {
            return try await call.tenant.write(scope: user) { try await body(.own(user), $0) }
        }
        return try await call.tenant.write(
            finding: { try await places.place(of: change.mutation, by: user, on: $0) }, body)
    }

    private func apply(
        _ change: ReceivedChange, in place: ChangePlace, on connection: Connection
    ) async throws -> Done {
        let mutation = change.mutation
        guard registry.knows(mutation.entity) else {
            guard !all.knows(mutation.entity) else {
                throw Problem(.areaOff, "The area of \"\(mutation.entity)\" is off in this tenant.")
            }
            throw Problem.input("entity", .missing, "there is no entity \"\(mutation.entity.excerpt(20))\"")
        }
        let own = try await own(before: mutation, in: place.row.id, on: connection)
        let pushed = try PushedChange(mutation, call, own: own)
        guard let entity = registry.changeable(mutation.entity) else {
            throw Problem.input("entity", .range, "clients cannot change a \(mutation.entity)")
        }
        let applied = try await entity.apply(pushed, on: connection)
        let groups = (applied.after?.groups ?? [:]).merging(applied.companions.after) { $1 }
        var written = own
        written.insert(from: (applied.before?.groups ?? [:]).merging(applied.companions.before) { $1 }, to: groups)
        let isMerged =
            !applied.lost.isEmpty
            || mutation.baseVersion.map { applied.before?.isChanged(since: $0, notBy: own) ?? false } ?? false
        let row = applied.now ?? applied.after
        let outcome = StoredOutcome(
            outcome: isMerged ? .merged : .applied, lost: applied.lost, own: written.holding(groups), in: place.row)
        let result = try await result(outcome, pushed, entity, row, on: connection)
        try await store(outcome, of: change, on: connection)
        return Done(result: result, own: written, scope: place.row.id, session: session(entity, row))
    }

    /// The session after a change of a row, where it is another one.
    private func session(_ entity: any ChangeableEntity, _ row: RowSnapshot?) -> Session? {
        guard let row, let session = call.session else { return nil }
        let next = entity.session(session, after: row)
        return next == session ? nil : next
    }

    /// An answer with the rows as they are now.
    private func result(
        _ outcome: StoredOutcome, _ change: PushedChange, _ entity: any ChangeableEntity, _ row: RowSnapshot?,
        on connection: Connection
    ) async throws -> PushedResult {
        var result = PushedResult(outcome, key: change.mutation.key)
        let scope = outcome.scope(of: user)
        if let id = entity.id(change.mutation.id, of: user) {
            var version = row?.version
            if version == nil { version = try await SyncQueries.counter(of: scope, on: connection) }
            result.row = ServedChange(
                scope: outcome.shared?.name ?? ScopeKind.user.name, version: version ?? 0, entity: entity.name, id: id,
                row: row?.row)
        }
        if let companion = try await entity.companion(of: change, row, on: connection) {
            result.companion = ServedChange(
                scope: ScopeKind.user.name, version: companion.row.version, entity: companion.entity,
                id: companion.row.id, row: companion.row.row)
        }
        return result
    }

    /// Stores and answers that a change is refused. Nothing of it is stored: its transaction was rolled back.
    /// - Throws: errors that are no refusals. An unforeseen one may not occur another time.
    private func refuse(_ change: ReceivedChange, because error: any Error) async throws -> Done {
        var problem = await ProblemMapping.problem(for: error, of: call)
        guard problem.status < 500, problem.code != .userDeleted else { throw problem }
        problem.requestId = call.requestID
        let refused = problem
        let mine = SyncScope.user(user)
        // The use of a key stays.
        guard problem.code != .keyReused else {
            let outcome = StoredOutcome(outcome: .refused, error: problem, own: WriteLineage(), in: mine)
            let result = PushedResult(outcome, key: change.mutation.key)
            return Done(result: result, own: WriteLineage(), scope: mine.id)
        }
        return try await call.tenant.write(scope: user) { connection in
            if let known = try await replay(change, on: connection) { return known }
            let entity = registry.changeable(change.mutation.entity)
            let place = try? await entity?.places?.place(of: change.mutation, by: user, on: connection)
            let scope = place?.row ?? mine
            let own = try await own(before: change.mutation, in: scope.id, on: connection)
            let row = try await entity?.snapshot(change.mutation.id, call, on: connection)
            let outcome = StoredOutcome(
                outcome: .refused, error: refused, own: own.holding(row?.groups ?? [:]), in: scope)
            try await store(outcome, of: change, on: connection)
            return Done(result: PushedResult(outcome, key: change.mutation.key), own: own, scope: scope.id)
        }
    }

    /// The versions that the sender has written in a scope before a change: in this request, and by the change that it
    /// names.
    private func own(
        before mutation: PushChanges.Mutation, in scope: ScopeID, on connection: Connection
    ) async throws -> WriteLineage {
        var own = own[scope]
        if let former = mutation.after,
            let answer = try await IdempotencyQueries.find(
                IdempotencyKey(former), of: user, on: connection)?.answer,
            let stored = try? StoredOutcome(bytes: answer), stored.scope(of: user) == scope
        {
            own.formUnion(stored.own)
        }
        return own
    }

    /// The answer that was given to a change before; nil when it is new.
    /// - Throws: `key_reused` when the key was used for something else.
    private func replay(_ change: ReceivedChange, on connection: Connection) async throws -> Done? {
        guard let kept = try await IdempotencyQueries.find(change.key, of: user, on: connection) else { return nil }
        guard kept.payloadHash == change.identity, let answer = kept.answer else {
            throw Problem(.keyReused, "This key was used for another change; make a new one.")
        }
        let stored = try StoredOutcome(bytes: answer)
        var done = Done(
            result: PushedResult(stored, key: change.mutation.key), own: stored.own, scope: stored.scope(of: user))
        // The row as it is now. A device that has pulled meanwhile may have dropped it, and would have it back for
        // ever.
        if stored.outcome != .refused, let entity = registry.changeable(change.mutation.entity),
            let pushed = try? PushedChange(change.mutation, call, own: stored.own)
        {
            let row = try await entity.snapshot(change.mutation.id, call, on: connection)
            // Of a scope that the user has left nothing is told. A deletion would be wrong: a user may come back
            // before the next pull, which then goes on with the rows that the device holds.
            if let shared = stored.shared, row == nil,
                try await !registry.sees(ScopeID(uuid: shared.id), kind: shared.kind, user, on: connection)
            {
                done.result.isReplayed = true
                return done
            }
            done.result = try await result(stored, pushed, entity, row, on: connection)
            done.session = session(entity, row)
        }
        done.result.isReplayed = true
        return done
    }

    private func store(_ outcome: StoredOutcome, of change: ReceivedChange, on connection: Connection) async throws {
        try await IdempotencyQueries.insert(
            .init(payloadHash: change.identity, tag: nil, answer: try outcome.bytes()), key: change.key, of: user,
            in: call.tenant, on: connection)
    }
}
