import Foundation
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Turns are shared among users and networks, and none is lost.
@Suite(.ownTime) struct SocketTurnsTests {
    /// A socket that takes the turns that it is offered, until it closes.
    private final class Socket: Sendable {
        private static let ids = Atomic<UInt64>(0)

        let applicant: SocketTurns.Applicant
        private let state = Mutex((turns: [SocketTurn](), isOpen: true, givenUp: 0))

        /// - Parameters:
        ///   - user: nil: the socket speaks for nobody.
        ///   - address: nil: one of this machine.
        init(of user: UserID? = nil, from address: String? = nil) {
            let id = Self.ids.add(1, ordering: .relaxed).newValue
            applicant = .init(
                socket: id, member: user.map { .user($0, tenant: "default") } ?? .socket(id),
                network: address.map { ClientNetworks(address: $0).region })
        }

        var turns: Int { state.withLock { $0.turns.count } }

        /// How many places in line were given up.
        var givenUp: Int { state.withLock { $0.givenUp } }

        func ask(_ turns: SocketTurns) {
            if let turn = turns.take(for: applicant, orWait: offer) { _ = offer(turn) }
        }

        @Sendable func offer(_ turn: SocketTurn?) -> Bool {
            state.withLock { state in
                if turn == nil { state.givenUp += 1 }
                if let turn, state.isOpen { state.turns.append(turn) }
                return state.isOpen
            }
        }

        func finish() {
            // Outside of the lock: the turn goes on to another socket.
            let done = state.withLock { $0.turns.popLast() }
            done?.end()
        }

        func close() {
            let lost = state.withLock { state in
                defer { state.turns = [] }
                state.isOpen = false
                return state.turns
            }
            withExtendedLifetime(lost) {}
        }
    }

    private static func newUser() -> UserID { UserID(uuid: UUID()) }

    private static func sockets(_ count: Int, of user: UserID? = nil, from address: String? = nil) -> [Socket] {
        (0..<count).map { _ in Socket(of: user, from: address) }
    }

    private static func turns(of sockets: [Socket]) -> Int { sockets.reduce(0) { $0 + $1.turns } }

    @Test func aTurnPassesToTheSocketThatHasWaitedLongest() {
        let turns = SocketTurns(limit: 1)
        let (holder, first, second) = (Socket(), Socket(), Socket())
        for socket in [holder, first, second] { socket.ask(turns) }
        #expect((holder.turns, first.turns, second.turns) == (1, 0, 0))
        holder.finish()
        #expect((first.turns, second.turns) == (1, 0))
        holder.ask(turns)
        first.finish()
        #expect((holder.turns, first.turns, second.turns) == (0, 0, 1))
        second.finish()
        #expect((holder.turns, second.turns) == (1, 0))
        holder.finish()
        second.ask(turns)
        #expect(second.turns == 1)
    }

    /// As many as may be open, all closed while they waited: the next that is open gets the turn, at once.
    @Test func aSocketThatClosesTakesNoTurnAlong() {
        let turns = SocketTurns(limit: 2)
        let holders = Self.sockets(2)
        for socket in holders { socket.ask(turns) }
        let closed = Self.sockets(20_000)
        for socket in closed { socket.ask(turns) }
        let open = Socket()
        open.ask(turns)
        #expect(Self.turns(of: closed) + open.turns == 0)
        for socket in closed { socket.close() }
        for socket in holders { socket.close() }
        #expect(open.turns == 1)
        open.close()
        let others = Self.sockets(3)
        for socket in others { socket.ask(turns) }
        #expect(others.map(\.turns) == [1, 1, 0])
    }

    @Test func aPlaceThatIsGivenUpIsForgotten() {
        let turns = SocketTurns(limit: 1)
        let holder = Socket()
        holder.ask(turns)
        let user = Self.newUser()
        let left = Self.sockets(5_000, of: user) + Self.sockets(5_000)
        for socket in left {
            socket.ask(turns)
            turns.leave(socket.applicant.socket)
            turns.leave(socket.applicant.socket)
        }
        #expect(turns.waiting == 0)
        #expect(left.allSatisfy { $0.givenUp == 1 && $0.turns == 0 })
        let next = Socket(of: user)
        next.ask(turns)
        holder.finish()
        #expect(next.turns == 1)
    }

    @Test func aUserHasAnEighthAndANetworkHalf() {
        let turns = SocketTurns(limit: 64)
        let user = Self.newUser()
        // The same user from many networks is one user.
        let own = (0..<250).map { Socket(of: user, from: "203.0.\($0).7") }
        for socket in own { socket.ask(turns) }
        #expect(Self.turns(of: own) == 8)
        let neighbours = (0..<250).map { Socket(of: Self.newUser(), from: "198.51.100.\($0)") }
        for socket in neighbours { socket.ask(turns) }
        #expect(Self.turns(of: neighbours) == 32)
        // Neither keeps anybody else waiting, not in the user's own network either.
        let others = [Socket(from: "203.0.0.8"), Socket(of: Self.newUser(), from: "192.0.2.1"), Socket(), Socket()]
        for socket in others { socket.ask(turns) }
        #expect(others.map(\.turns) == [1, 1, 1, 1])
    }

    @Test func manySocketsOfAUserDelayOthersByOneRound() {
        let turns = SocketTurns(limit: 64)
        // Eight of them have all turns, twelve have none yet.
        let crowd = (0..<20).flatMap { _ in Self.sockets(250, of: Self.newUser()) }
        for socket in crowd { socket.ask(turns) }
        #expect(Self.turns(of: crowd) == 64)
        let newcomer = Socket(of: Self.newUser())
        newcomer.ask(turns)
        var rounds = 0
        while newcomer.turns == 0, rounds < 1_000 {
            rounds += 1
            crowd.first { $0.turns > 0 }?.finish()
        }
        #expect(rounds == 13)
    }

    /// Whatever happens, all bounds hold, and nobody waits for a turn that is free.
    @Test func turnsAreNeitherLostNorTooMany() {
        var generator = SeededGenerator(seed: 64)
        let turns = SocketTurns(limit: 16)
        // Eleven users and six sockets without a session, in two networks and on this machine.
        var sockets: [Socket] = []
        for index in 0..<11 {
            let address = [nil, "203.0.113.7", "2001:db8::1"][index % 3]
            sockets += Self.sockets(6, of: Self.newUser(), from: address)
        }
        for address in [nil, "203.0.113.9", "2001:db8::2"] { sockets += Self.sockets(2, from: address) }
        var waiting: Set<Int> = []
        for step in 0..<20_000 {
            let index = Int.random(in: 0..<sockets.count, using: &generator)
            let socket = sockets[index]
            switch Int.random(in: 0..<5, using: &generator) {
            case 0...2 where !waiting.contains(index) && socket.turns == 0:
                socket.ask(turns)
                if socket.turns == 0 { waiting.insert(index) }
            case 3 where waiting.remove(index) != nil: turns.leave(socket.applicant.socket)
            default: socket.finish()
            }
            waiting = waiting.filter { sockets[$0].turns == 0 }
            var ofMembers: [SocketTurns.Member: Int] = [:]
            var ofNetworks: [ClientNetworks.Network: Int] = [:]
            for socket in sockets where socket.turns > 0 {
                ofMembers[socket.applicant.member, default: 0] += 1
                if let network = socket.applicant.network { ofNetworks[network, default: 0] += 1 }
            }
            let mayRun = waiting.filter { index in
                let applicant = sockets[index].applicant
                return ofMembers[applicant.member, default: 0] < 2
                    && applicant.network.map { ofNetworks[$0, default: 0] < 8 } ?? true
            }
            let taken = Self.turns(of: sockets)
            guard turns.waiting == waiting.count, taken <= 16, ofMembers.values.allSatisfy({ $0 <= 2 }),
                ofNetworks.values.allSatisfy({ $0 <= 8 }), taken == 16 || mayRun.isEmpty
            else {
                Issue.record("step \(step): \(taken) turns, \(waiting.count) wait, \(mayRun.count) may run")
                return
            }
        }
        for socket in sockets { turns.leave(socket.applicant.socket) }
        for socket in sockets { socket.finish() }
        let others = Self.sockets(17)
        for socket in others { socket.ask(turns) }
        #expect(others.map(\.turns) == Array(repeating: 1, count: 16) + [0])
    }

    /// The order of keys is that of an array from which they are removed.
    @Test func aRingKeepsItsOrder() {
        var generator = SeededGenerator(seed: 7)
        var ring = TurnRing<Int>()
        var model: [Int] = []
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            var isRight = true
            switch Int.random(in: 0..<5, using: &generator) {
            case 0...1:
                ring.append(key)
                if !model.contains(key) { model.append(key) }
            case 2...3:
                ring.remove(key)
                model.removeAll { $0 == key }
            default: isRight = ring.popFirst() == (model.isEmpty ? nil : model.removeFirst())
            }
            guard isRight, ring.isEmpty == model.isEmpty else {
                Issue.record("step \(step): \(model)")
                return
            }
        }
    }
}
