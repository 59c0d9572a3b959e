import Logging
import MariaDB
import SubTrackAPI

/// Work that is done for each tenant from time to time, whether anybody asks or not.
///
/// It must be able to run at any moment, twice, and to be cut off in the middle: it works in small transactions, each of
/// which leaves things as they may be.
struct Job: Sendable {
    /// What it is called in the log.
    let name: String
    /// Whether it also runs as soon as the service is ready.
    var runsAtStart = false
    /// Does all that there is to do for a tenant.
    let run: @Sendable (_ tenant: Tenant, _ now: Instant) async throws -> Void
}

/// Runs the jobs, on one replica at a time: the one that has the lease.
struct JobRunner: Sendable {
    let jobs: [Job]
    let tenants: TenantDirectory
    let readiness: Readiness
    let clock: WallClock
    /// How long to wait after the jobs were run before they are run again.
    let interval: Duration
    let lease: Lease
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async throws {
        while (try? readiness.check()) == nil { try await Task.sleep(for: .milliseconds(100)) }
        try await pass(jobs.filter(\.runsAtStart))
        while true {
            try await Task.sleep(for: interval)
            try await pass(jobs)
        }
    }

    /// Runs jobs once for each tenant, unless another replica is at it.
    private func pass(_ jobs: [Job]) async throws {
        guard !jobs.isEmpty else { return }
        do {
            _ = try await lease.holdIfFree {
                for tenant in try await tenants.all() where (try? readiness.check(tenant)) != nil {
                    for job in jobs { try await run(job, tenant) }
                }
            }
        } catch let error where !(error is CancellationError) {
            logger.warning("Jobs were not run", metadata: ["error": "\(error)"])
        }
    }

    /// Runs a job for a tenant; that it fails is said and stops nothing else.
    private func run(_ job: Job, _ tenant: Tenant) async throws {
        do {
            try await job.run(tenant, clock.now())
        } catch let error where !(error is CancellationError) {
            logger.warning(
                "A job failed",
                metadata: ["job": "\(job.name)", "tenant": "\(tenant.slug)", "error": "\(error)"])
        }
    }
}
