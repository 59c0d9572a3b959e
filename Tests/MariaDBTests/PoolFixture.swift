@testable import MariaDB

/// A machine and a clock that moves only when told to.
struct PoolFixture {
    var machine: PoolStateMachine
    var now = Moment(nanoseconds: 1_000_000_000_000)
    private var nextRequest: UInt64 = 0

    init(maximum: Int = 2, _ configure: (inout PoolStateMachine.Configuration) -> Void = { _ in }) {
        var configuration = PoolStateMachine.Configuration()
        configuration.maximumConnections = maximum
        configure(&configuration)
        machine = PoolStateMachine(configuration)
    }

    mutating func lease(_ database: String? = "a", wait: Duration = .seconds(2)) -> [PoolStateMachine.Action] {
        nextRequest += 1
        return machine.lease(
            .init(id: nextRequest, database: database, enqueued: now, deadline: now + wait), now: now)
    }

    /// Leases a connection that has to be made first; returns its id.
    mutating func leaseNew(_ database: String? = "a") -> Int {
        guard case .connect(let id) = lease(database).last else { return -1 }
        _ = machine.connected(id, lifetime: .seconds(1_800), now: now)
        return id
    }

    /// A lease that does not wait.
    mutating func leaseNow(_ database: String?, lane: Int? = nil) -> PoolStateMachine.Lend? {
        nextRequest += 1
        return machine.leaseNow(nextRequest, database: database, lane: lane, now: now)?.0
    }

    mutating func connected(_ id: Int) -> [PoolStateMachine.Action] {
        machine.connected(id, lifetime: .seconds(1_800), now: now)
    }

    mutating func release(_ id: Int, _ database: String? = "a") -> [PoolStateMachine.Action] {
        machine.release(id, .healthy(database: database), now: now)
    }
}
