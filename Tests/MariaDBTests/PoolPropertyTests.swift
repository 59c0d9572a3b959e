import TestTraits
import Testing

@testable import MariaDB

/// Random histories: whatever happens in whatever order, nothing is lost, lent twice or forgotten.
@Suite(.ownTime) struct PoolPropertyTests {
    /// What the world outside knows, kept apart from the machine.
    private struct World {
        var machine: PoolStateMachine
        var now = Moment(nanoseconds: 5_000_000_000)
        var waiting: Set<UInt64> = []
        var held: [Int: String?] = [:]
        var connecting: Set<Int> = []
        var open: Set<Int> = []
        var databases: [Int: String?] = [:]
        /// For each request its database.
        var wanted: [UInt64: String?] = [:]
        var nextRequest: UInt64 = 1
        var served: [UInt64] = []
        var faults: [String] = []
        /// Whether little time passes between events; then whoever waits is looked at when the machine wants that, and no more.
        var isQuick = false

        mutating func carryOut(_ actions: [PoolStateMachine.Action]) {
            for action in actions {
                switch action {
                case .lend(let lend): lent(lend)
                case .connect(let id):
                    if !connecting.insert(id).inserted || open.contains(id) { faults.append("\(id) connected twice") }
                case .close(let id):
                    if held[id] != nil { faults.append("\(id) closed while lent") }
                    connecting.remove(id)
                    open.remove(id)
                    databases[id] = nil
                case .fail(let request, _):
                    if waiting.remove(request) == nil { faults.append("\(request) failed but did not wait") }
                }
            }
        }

        mutating func lent(_ lend: PoolStateMachine.Lend) {
            if waiting.remove(lend.request) == nil { faults.append("\(lend.request) served but did not wait") }
            if held[lend.connection] != nil { faults.append("\(lend.connection) lent twice") }
            if !open.contains(lend.connection) { faults.append("\(lend.connection) lent but not open") }
            let database = wanted[lend.request] ?? nil
            if database == nil, databases[lend.connection] ?? nil != nil {
                faults.append("\(lend.connection) has a database, \(lend.request) wants none")
            }
            held[lend.connection] = .some(database)
            databases[lend.connection] = .some(database)
            served.append(lend.request)
        }

        func check(maximum: Int) -> [String] {
            var faults = faults
            if machine.size > maximum { faults.append("size \(machine.size) of \(maximum)") }
            if machine.leasedCount != held.count { faults.append("leased \(machine.leasedCount), held \(held.count)") }
            if machine.connectingCount != connecting.count { faults.append("connecting differ") }
            if machine.idleCount + machine.leasedCount + machine.connectingCount != machine.size {
                faults.append("idle + busy != size")
            }
            if open.count + connecting.count != machine.size {
                faults.append("\(open.count) open, size \(machine.size)")
            }
            if machine.waitingCount != waiting.count { faults.append("waiting differ") }
            let next = machine.nextDeadline
            if next != .never, next.nanoseconds < 0 { faults.append("the next deadline is \(next)") }
            return faults
        }
    }

    @Test(arguments: 0..<200)
    func accountsAddUpAfterEveryEvent(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let maximum = Int.random(in: 1...6, using: &random)
        var configuration = PoolStateMachine.Configuration()
        configuration.maximumConnections = maximum
        configuration.minimumIdle = Int.random(in: 0...maximum, using: &random)
        configuration.strangersPerConnection = Int.random(in: 1...5, using: &random)
        configuration.homes = Int.random(in: 1...3, using: &random)
        configuration.lanes = Int.random(in: 1...4, using: &random)
        configuration.patience = [.zero, .milliseconds(10), .milliseconds(500)].randomElement(using: &random) ?? .zero
        configuration.databaseShare = Double.random(in: 0.1...1, using: &random)
        var world = World(machine: PoolStateMachine(configuration))
        world.isQuick = Bool.random(using: &random)
        for step in 0..<400 {
            advance(&world, &random)
            let faults = world.check(maximum: maximum)
            #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults)")
            if !faults.isEmpty { return }
        }
        drain(&world)
        #expect(world.waiting.isEmpty, "seed \(seed): somebody waits for ever")
        #expect(world.check(maximum: maximum).isEmpty)
    }

    private func advance(_ world: inout World, _ random: inout SeededGenerator) {
        // In half of the histories so little time that leases are patient for several events.
        world.now = world.now + .milliseconds(Int.random(in: 0...(world.isQuick ? 6 : 400), using: &random))
        if world.isQuick, world.machine.nextDeadline <= world.now { world.carryOut(world.machine.tick(now: world.now)) }
        let now = world.now
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35:
            let id = world.nextRequest
            world.nextRequest += 1
            world.waiting.insert(id)
            let database = [nil, "a", "a", "b", "c"].randomElement(using: &random) ?? nil
            world.wanted[id] = .some(database)
            if Bool.random(using: &random) {
                guard let (lend, extra) = world.machine.leaseNow(id, database: database, now: now) else {
                    world.waiting.remove(id)
                    return
                }
                world.lent(lend)
                if let extra { world.carryOut([.connect(extra)]) }
            } else {
                world.carryOut(
                    world.machine.lease(
                        .init(
                            id: id, database: database, enqueued: now, deadline: now + .seconds(2),
                            isRepeated: Int.random(in: 0..<10, using: &random) == 0), now: now))
            }
        case 35..<65:
            guard let (id, database) = world.held.randomElement(using: &random) else { return }
            let fate: PoolStateMachine.Fate =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: .broken
                case 1: .retire
                case 2: Int.random(in: 0..<4, using: &random) == 0 ? .moved : .healthy(database: database)
                default: .healthy(database: database)
                }
            world.held[id] = nil
            world.carryOut(world.machine.release(id, fate, now: now))
        case 65..<85:
            guard let id = world.connecting.randomElement(using: &random) else { return }
            world.connecting.remove(id)
            if Int.random(in: 0..<4, using: &random) == 0 {
                world.carryOut(
                    world.machine.connectFailed(id, isRefused: Int.random(in: 0..<8, using: &random) == 0, now: now))
            } else {
                world.open.insert(id)
                world.databases[id] = .some(nil)
                world.carryOut(world.machine.connected(id, lifetime: .seconds(30), now: now))
            }
        case 85..<90:
            guard let id = world.waiting.randomElement(using: &random) else { return }
            world.waiting.remove(id)
            if !world.machine.cancel(id, of: world.wanted[id] ?? nil) {
                world.faults.append("\(id) waited but could not be cancelled")
            }
        case 90..<94:
            guard let id = world.open.subtracting(world.held.keys).randomElement(using: &random) else { return }
            world.carryOut(world.machine.died(id, now: now))
        default:
            world.carryOut(world.machine.tick(now: now))
        }
    }

    /// Everything comes to rest: connections arrive, borrowers give back, time passes.
    private func drain(_ world: inout World) {
        for _ in 0..<200 where !world.waiting.isEmpty || !world.connecting.isEmpty {
            for id in world.connecting {
                world.connecting.remove(id)
                world.open.insert(id)
                world.databases[id] = .some(nil)
                world.carryOut(world.machine.connected(id, lifetime: .seconds(30), now: world.now))
            }
            for (id, database) in world.held {
                world.held[id] = nil
                world.carryOut(world.machine.release(id, .healthy(database: database), now: world.now))
            }
            world.now = world.now + .milliseconds(100)
            if !world.isQuick || world.machine.nextDeadline <= world.now {
                world.carryOut(world.machine.tick(now: world.now))
            }
        }
    }
}
