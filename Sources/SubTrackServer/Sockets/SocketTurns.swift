import DequeModule
import Synchronization

/// A fair limit on the requests of all sockets that the service works on at the same time.
///
/// A socket that finds no turn waits in line with one request, however many it has. Each gets its turn after the others
/// had theirs. Without a bound, thousands of requests wait for the database together, and requests by HTTP wait behind
/// them.
final class SocketTurns: Sendable {
    private struct State {
        var taken = 0
        var line: Deque<@Sendable (SocketTurn) -> Bool> = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// So many turns.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Takes a turn.
    /// - Parameter body: is called once, with a turn when one is free, where none is at the moment. It says whether the
    ///   turn was taken: a socket that has closed meanwhile takes none.
    /// - Returns: the turn; nil where `body` gets it.
    func take(orWait body: @escaping @Sendable (SocketTurn) -> Bool) -> SocketTurn? {
        let isTaken = state.withLock { state in
            guard state.taken < limit else {
                state.line.append(body)
                return false
            }
            state.taken += 1
            return true
        }
        return isTaken ? SocketTurn(of: self) : nil
    }

    /// Passes a turn on to the first in line that takes it.
    fileprivate func giveBack() {
        while true {
            let next = state.withLock { state in
                let next = state.line.popFirst()
                if next == nil { state.taken -= 1 }
                return next
            }
            guard let next else { return }
            let turn = SocketTurn(of: self)
            if next(turn) { return }
            turn.forget()
        }
    }
}

/// The right to work on one request. It ends with the last reference to it, so that none is lost with a socket that
/// closes.
final class SocketTurn: Sendable {
    private let turns: SocketTurns
    private let isForgotten = Atomic(false)

    fileprivate init(of turns: SocketTurns) { self.turns = turns }

    /// Lets the turn end without being passed on.
    fileprivate func forget() { isForgotten.store(true, ordering: .relaxed) }

    deinit {
        if !isForgotten.load(ordering: .relaxed) { turns.giveBack() }
    }
}
