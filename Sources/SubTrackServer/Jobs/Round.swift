import Logging
import MariaDB
import SubTrackAPI

/// Work that every replica does for each tenant at short intervals, side by side with the other replicas.
///
/// Unlike a ``Job`` it needs no lease: its statements claim the rows that they work on. It must be able to be cut off at any moment.
struct Round: Sendable {
    /// The name in the log.
    let name: String
    /// The area whose work it is; empty: it is done in every tenant.
    var area: AreaSet = []
    /// Does a step of the work for a tenant, within seconds at most.
    /// - Returns: whether there is more.
    let run: @Sendable (_ tenant: Tenant, _ now: Instant) async throws -> Bool
}

/// Runs the passes of one round over all tenants.
struct RoundRunner: Sendable {
    let round: Round
    /// How long to wait between two passes where nothing is left to do.
    let interval: Duration
    let tenants: TenantDirectory
    let readiness: Readiness
    let clock: WallClock
    let logger: Logger

    /// How many tenants have their step at once.
    private static let tenantsAtOnce = 4
    /// How long to wait between two passes where something is left.
    private static let pause = Duration.milliseconds(50)

    /// Runs until the task is cancelled.
    func run() async throws {
        while !readiness.isPrepared { try await Task.sleep(for: .milliseconds(100)) }
        while true {
            let hasMore = try await pass()
            try await Task.sleep(for: hasMore ? min(Self.pause, interval) : interval)
        }
    }

    /// Gives each tenant one step. A tenant with much to do so waits for the others after each step.
    /// - Returns: whether a tenant has more.
    private func pass() async throws -> Bool {
        let all: [Tenant]
        do {
            all = try await tenants.all().filter { $0.areas.current.isSuperset(of: round.area) && !$0.isSuspended }
        } catch let error where !(error is CancellationError) {
            // The directory says by itself that the control database is away.
            logger.debug("Tenants cannot be read", metadata: ["round": "\(round.name)", "error": "\(error)"])
            return false
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            var hasMore = false
            for (index, tenant) in all.enumerated() {
                if index >= Self.tenantsAtOnce, let more = try await group.next() { hasMore = more || hasMore }
                group.addTask { try await step(tenant) }
            }
            for try await more in group { hasMore = more || hasMore }
            return hasMore
        }
    }

    /// Does one step for a tenant. A failure is logged and stops no other tenant.
    private func step(_ tenant: Tenant) async throws -> Bool {
        guard !tenant.opening.isShut, (try? await tenant.opening.check()) != nil else { return false }
        do {
            return try await round.run(tenant, clock.now())
        } catch let error where !(error is CancellationError) {
            let fault = error as? MariaDBError
            if let fault, await tenant.opening.problem(after: fault) != nil { return false }
            logger.log(
                level: fault?.isReported == true ? .debug : .warning, "A round failed",
                metadata: ["round": "\(round.name)", "tenant": "\(tenant.slug)", "error": "\(error)"])
            return false
        }
    }
}
