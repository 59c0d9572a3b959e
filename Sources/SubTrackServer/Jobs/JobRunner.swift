import Logging
import MariaDB
import SubTrackAPI

/// Work that is done for each tenant from time to time, whether anybody asks or not.
///
/// It must be able to run at any moment, twice, and to be cut off in the middle. It works in small transactions, each
/// of which leaves a valid state.
struct Job: Sendable {
    /// The name in the log.
    let name: String
    /// Whether it also runs as soon as the service is ready.
    var runsAtStart = false
    /// Whether all replicas do it side by side, each few seconds. Its statements then claim the rows that they work on.
    var isShared = false
    /// The area whose work it is; empty: it is done in every tenant.
    var area: AreaSet = []
    /// Does a step of the work for a tenant, within seconds at most.
    /// - Returns: whether there is more.
    let run: @Sendable (_ tenant: Tenant, _ now: Instant) async throws -> Bool
}

/// Runs jobs, on one replica at a time or on all.
struct JobRunner: Sendable {
    let jobs: [Job]
    let tenants: TenantDirectory
    let readiness: Readiness
    let clock: WallClock
    /// How long to wait after the jobs were run before they are run again.
    let interval: Duration
    /// The lease that a replica needs; nil: all replicas run the jobs.
    let lease: Lease?
    let logger: Logger

    /// How many steps of a job a tenant has in one pass: then the others come first.
    static let stepsPerPass = 5

    /// Runs until the task is cancelled.
    func run() async throws {
        while !readiness.isPrepared { try await Task.sleep(for: .milliseconds(100)) }
        var isDone = try await pass(jobs.filter(\.runsAtStart))
        while true {
            // Where much has piled up, the next pass comes soon.
            try await Task.sleep(for: isDone ? interval : min(interval, pause))
            isDone = try await pass(jobs)
        }
    }

    /// How long to wait where much has piled up. A replica with the lease leaves time for others.
    private var pause: Duration { lease == nil ? .milliseconds(50) : .seconds(1) }

    /// Runs jobs for each tenant in turn, some steps of each, unless another replica has the lease.
    /// - Returns: whether nothing is left to do.
    private func pass(_ jobs: [Job]) async throws -> Bool {
        guard !jobs.isEmpty else { return true }
        do {
            guard let lease else { return try await runAll(jobs) }
            return try await lease.holdIfFree { try await runAll(jobs) } ?? true
        } catch let error where !(error is CancellationError) {
            logger.log(
                level: (error as? MariaDBError)?.isReported == true ? .debug : .warning, "Jobs were not run",
                metadata: ["error": "\(error)"])
            return true
        }
    }

    private func runAll(_ jobs: [Job]) async throws -> Bool {
        var isDone = true
        for tenant in try await tenants.all() {
            let own = jobs.filter { tenant.areas.current.isSuperset(of: $0.area) }
            // A tenant without work is not opened.
            guard !own.isEmpty, (try? await tenant.opening.check()) != nil else { continue }
            for job in own { isDone = try await run(job, tenant) && isDone }
        }
        return isDone
    }

    /// Runs some steps of a job for a tenant; that it fails is said and stops nothing else.
    /// - Returns: whether nothing is left to do, or nothing can be done now.
    private func run(_ job: Job, _ tenant: Tenant) async throws -> Bool {
        do {
            for _ in 0..<Self.stepsPerPass where try await !job.run(tenant, clock.now()) { return true }
            return false
        } catch let error where !(error is CancellationError) {
            let fault = error as? MariaDBError
            // It says by itself that its database is gone.
            if let fault, await tenant.opening.problem(after: fault) != nil { return true }
            logger.log(
                level: fault?.isReported == true ? .debug : .warning, "A job failed",
                metadata: ["job": "\(job.name)", "tenant": "\(tenant.slug)", "error": "\(error)"])
            return true
        }
    }
}
