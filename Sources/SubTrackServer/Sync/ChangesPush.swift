import SubTrackAPI

/// The operation that applies offline changes.
struct ChangesPush: Sendable {
    let registries: SyncRegistries
    /// The registry of the tenant's areas.
    let registry: SyncRegistry

    /// Registers the handler.
    static func register(in operations: inout OperationRegistry, _ registries: SyncRegistries) {
        operations.register(PushChanges.self, keepsUnfit: true, reading: { try ReceivedPush($0) }) { input, call in
            try await ChangesPush(registries: registries, registry: registries.registry(of: call.tenant))
                .push(input, call)
        }
    }

    private func push(
        _ input: ReceivedPush, _ call: Call
    ) async throws -> Reply<PushChanges.Output> {
        if let text = input.cursor { try await check(text, call) }
        var run = try PushRun(registry, all: registries.all, call)
        var results: [PushedResult] = []
        results.reserveCapacity(input.changes.count)
        let end = ContinuousClock.now + call.tenant.limits.pushTime
        for change in input.changes {
            // A change may record thousands of periods: one device does not keep its connection to the database for all.
            if !results.isEmpty, ContinuousClock.now > end {
                results += unknown(input.changes.dropFirst(results.count), because: Self.tookLong)
                break
            }
            let result: PushedResult
            do {
                try call.tenant.writes.take(call, of: input.changes.count - results.count)
                result = try await run.apply(change)
            } catch {
                // The database is away, or an unforeseen error occurred. The answer has the finished changes, and the
                // rest is to be sent again, in its order.
                let problem = await ProblemMapping.problem(for: error, of: call)
                let isUnforeseen = problem.code == .internalError
                // Too many at once: the rest waits at the client as it does for a database that is away.
                let isPassing = problem.status >= 500 || problem.code == .rateLimited
                guard isUnforeseen || !results.isEmpty && isPassing else { throw problem }
                results += unknown(input.changes.dropFirst(results.count), because: problem)
                break
            }
            results.append(result)
        }
        return try .results(results)
    }

    /// As for too many changes: a client waits for a second, and goes on.
    private static let tookLong = Problem.rateLimited(
        "The changes before this one took long; send the rest again.", retryAfter: 1)

    /// The answers to changes that are to be sent again.
    private func unknown(_ changes: ArraySlice<ReceivedChange>, because problem: Problem) -> [PushedResult] {
        changes.map { PushedResult(unknown: $0.mutation.key, because: problem) }
    }

    /// Looks whether the client's cursor still leads somewhere, before anything is applied.
    private func check(_ text: String, _ call: Call) async throws {
        let cursor = try await CursorCheck(registry: registry).read(text, call)
        let counters = try await call.tenant.counters.counters(of: cursor.positions.map(\.scope.id))
        try await CursorCheck.check(cursor, cursor.positions, counters, call.tenant)
    }
}
