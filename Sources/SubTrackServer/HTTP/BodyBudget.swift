import DequeModule
import NIOCore
import Synchronization

/// The memory that all buffered bodies of requests may have together.
///
/// A body takes its part as its bytes come. When all is taken, the oldest unfinished body that has had its time gives way; where
/// there is none, the body that wants more is refused. One network may have half, and the last eighth is for small bodies: a
/// client that sends a little is answered while others hold what they began.
final class BodyBudget: Sendable {
    /// A body's part.
    struct Ticket: Sendable, Equatable {
        fileprivate let number: Int
    }

    private struct Part {
        var bytes = 0
        let began: NIODeadline
        let network: String?
        var isComplete = false
        /// Tells the owner that the body has to give way.
        let giveWay: @Sendable () -> Void
    }

    private struct State {
        var used = 0
        var byNetwork: [String: Int] = [:]
        var parts: [Int: Part] = [:]
        /// In the order in which they began; complete ones and those that are gone are left out when they come to the front.
        var queue = Deque<Int>()
        var next = 0
    }

    /// Up to this size a body is small.
    static let small = 64 << 10

    /// How many bytes there are.
    let bytes: Int
    private let patience: TimeAmount
    private let memory: MemoryReturn?
    private let state = Mutex(State())

    /// A budget of so many bytes.
    /// - Parameters:
    ///   - patience: how long an unfinished body has before it may have to give way.
    ///   - memory: is told what is held, so that much of it goes back to the system when it is freed.
    init(bytes: Int, patience: Duration, memory: MemoryReturn? = nil) {
        self.bytes = bytes
        self.patience = TimeAmount(patience)
        self.memory = memory
    }

    /// How many bytes are taken.
    var used: Int { state.withLock { $0.used } }

    /// Begins a body that has no bytes yet.
    /// - Parameters:
    ///   - network: where it comes from; nil: it is not counted by that.
    ///   - giveWay: is called once, on any thread, when the body has to give way. Its part is then another's already.
    func begin(
        network: String?, now: NIODeadline = .now(), giveWay: @escaping @Sendable () -> Void
    ) -> Ticket {
        state.withLock { state in
            let number = state.next
            state.next += 1
            state.parts[number] = Part(began: now, network: network, giveWay: giveWay)
            state.queue.append(number)
            return Ticket(number: number)
        }
    }

    /// Takes more bytes for a body.
    /// - Returns: false, and nothing is taken, when there are none, or when the body had to give way.
    func take(_ count: Int, for ticket: Ticket, now: NIODeadline = .now()) -> Bool {
        var yielding: [@Sendable () -> Void] = []
        var freed = 0
        let isTaken = state.withLock { state -> Bool in
            guard let part = state.parts[ticket.number] else { return false }
            let isSmall = part.bytes + count <= Self.small
            let room = isSmall ? bytes : bytes - bytes / 8
            if let network = part.network, state.byNetwork[network, default: 0] + count > max(bytes / 2, count) {
                return false
            }
            while state.used + count > room {
                guard let oldest = Self.oldest(in: &state, besides: ticket.number),
                    let victim = state.parts[oldest], victim.began + patience <= now
                else { return false }
                freed += Self.remove(oldest, from: &state)
                yielding.append(victim.giveWay)
            }
            state.used += count
            state.parts[ticket.number]?.bytes += count
            if let network = part.network { state.byNetwork[network, default: 0] += count }
            return true
        }
        for giveWay in yielding { giveWay() }
        memory?.hold((isTaken ? count : 0) - freed)
        return isTaken
    }

    /// Notes that a body is complete: it does not have to give way any more.
    /// - Returns: false when it had to already.
    func complete(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.parts[ticket.number] != nil else { return false }
            state.parts[ticket.number]?.isComplete = true
            return true
        }
    }

    /// Gives back what a body has.
    func end(_ ticket: Ticket) {
        let freed = state.withLock { Self.remove(ticket.number, from: &$0) }
        memory?.hold(-freed)
    }

    private static func oldest(in state: inout State, besides number: Int) -> Int? {
        while let first = state.queue.first {
            guard let part = state.parts[first], !part.isComplete else {
                state.queue.removeFirst()
                continue
            }
            if first != number, part.bytes > 0 { return first }
            // The one that asks, or one without bytes: the next in turn.
            return state.queue.dropFirst().first {
                $0 != number && state.parts[$0].map { !$0.isComplete && $0.bytes > 0 } == true
            }
        }
        return nil
    }

    /// Forgets a body.
    /// - Returns: how many bytes it had.
    private static func remove(_ number: Int, from state: inout State) -> Int {
        guard let part = state.parts.removeValue(forKey: number) else { return 0 }
        state.used -= part.bytes
        if let network = part.network, let count = state.byNetwork[network] {
            state.byNetwork[network] = count > part.bytes ? count - part.bytes : nil
        }
        // What is gone would otherwise wait behind one body that lasts.
        if state.queue.count > 64, state.queue.count > 4 * state.parts.count {
            state.queue.removeAll { state.parts[$0] == nil }
        }
        return part.bytes
    }
}
