import Synchronization
import Testing

@testable import SubTrackServer

/// Turns are shared among sockets, and none is lost.
struct SocketTurnsTests {
    /// A socket that takes the turns that it is offered, until it closes.
    private final class Socket: Sendable {
        private let state = Mutex((turns: [SocketTurn](), isOpen: true))

        var turns: Int { state.withLock { $0.turns.count } }

        func offer(_ turn: SocketTurn) -> Bool {
            state.withLock { state in
                if state.isOpen { state.turns.append(turn) }
                return state.isOpen
            }
        }

        func finish() {
            // Outside of the lock: the turn goes on to another socket.
            let done = state.withLock { $0.turns.popLast() }
            withExtendedLifetime(done) {}
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

    @Test func aTurnPassesToTheSocketThatHasWaitedLongest() {
        let turns = SocketTurns(limit: 1)
        let (first, second) = (Socket(), Socket())
        var had = turns.take(orWait: { _ in false })
        #expect(had != nil)
        for socket in [first, second, first] { #expect(turns.take(orWait: socket.offer) == nil) }
        #expect(first.turns + second.turns == 0)
        had = nil
        #expect((first.turns, second.turns) == (1, 0))
        first.finish()
        #expect((first.turns, second.turns) == (0, 1))
        second.finish()
        #expect((first.turns, second.turns) == (1, 0))
        first.finish()
        #expect(turns.take(orWait: { _ in false }) != nil)
    }

    /// As many as may be open, all closed while they waited: the next that is open gets the turn, at once.
    @Test func aSocketThatClosesTakesNoTurnAlong() {
        let turns = SocketTurns(limit: 2)
        let holder = Socket()
        for _ in 0..<2 { if let turn = turns.take(orWait: holder.offer) { _ = holder.offer(turn) } }
        let closed = (0..<20_000).map { _ in Socket() }
        for socket in closed { #expect(turns.take(orWait: socket.offer) == nil) }
        let open = Socket()
        _ = turns.take(orWait: open.offer)
        for socket in closed { socket.close() }
        holder.close()
        #expect(open.turns == 1)
        open.close()
        let all = [turns.take(orWait: { _ in false }), turns.take(orWait: { _ in false })]
        #expect(all.allSatisfy { $0 != nil })
        #expect(turns.take(orWait: { _ in false }) == nil)
    }
}
