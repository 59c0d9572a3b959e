import Foundation
import NIOCore
import Synchronization

/// Gives freed memory back to the system once much of it was freed.
///
/// glibc keeps the free pages inside of a heap, and blocks that are large as soon as one such block was freed
/// (mallopt(3), `M_MMAP_THRESHOLD`). After a burst of large bodies the process would keep most of what they took.
final class MemoryReturn: Sendable {
    /// Bytes that a connection is taken to hold: TLS buffers and the parser's, as measured.
    static let ofConnection = 64 << 10

    /// The one of this process.
    static let process = MemoryReturn(trim: Allocator.trim)

    /// Runs a trim away from event loops: it locks one heap after the other.
    private static let queue = DispatchQueue(label: "memory return", qos: .utility)

    private let peak: Mutex<MemoryPeak>
    private let trim: @Sendable () -> Void

    /// Nothing is held yet.
    /// - Parameters:
    ///   - delay: how long a trim waits, so that what was given back is freed by then.
    ///   - trim: gives memory back; runs on a queue of its own, one at a time.
    init(delay: TimeAmount = MemoryPeak.delay, trim: @escaping @Sendable () -> Void) {
        peak = Mutex(MemoryPeak(delay: delay))
        self.trim = trim
    }

    /// Notes that more is held, or less where the number is negative.
    func hold(_ bytes: Int) {
        guard bytes != 0 else { return }
        let now = NIODeadline.now()
        if let due = peak.withLock({ $0.hold(bytes, at: now) }) { plan(due, from: now) }
    }

    private func plan(_ due: NIODeadline, from now: NIODeadline) {
        Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int((due - now).nanoseconds))) { [self] in
            trim()
            let now = NIODeadline.now()
            if let next = peak.withLock({ $0.end(at: now) }) { plan(next, from: now) }
        }
    }
}

/// The height that held memory came down from, and the moment at which that is worth a trim.
///
/// Pure: time is passed in. Ordinary traffic goes up and down by little and causes no trim.
struct MemoryPeak: Sendable {
    /// How far below its height the held memory must be, in bytes.
    static let enough = 8 << 20
    /// How long a trim waits: what was given back is freed within this time.
    static let delay = TimeAmount.seconds(1)
    /// The least time between two trims.
    static let interval = TimeAmount.seconds(5)

    private let delay: TimeAmount
    private var held = 0
    private var height = 0
    private var isPlanned = false
    private var last: NIODeadline?

    /// Nothing is held yet.
    init(delay: TimeAmount = Self.delay) { self.delay = delay }

    /// Notes that more is held, or less where the number is negative.
    /// - Returns: when to trim; nil: not because of this.
    mutating func hold(_ bytes: Int, at now: NIODeadline) -> NIODeadline? {
        held += bytes
        height = max(height, held)
        return next(at: now)
    }

    /// Notes that a trim is done.
    /// - Returns: when to trim again, where much was given back while it waited.
    mutating func end(at now: NIODeadline) -> NIODeadline? {
        isPlanned = false
        last = now
        return next(at: now)
    }

    private mutating func next(at now: NIODeadline) -> NIODeadline? {
        guard !isPlanned, height - held >= Self.enough else { return nil }
        isPlanned = true
        // What is given back from here on may be freed only after the trim, and counts for the one after.
        height = held
        return max(now + delay, last.map { $0 + Self.interval } ?? now)
    }
}
