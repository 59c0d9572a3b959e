import Foundation
import Synchronization

/// Several loops, for as much of the machine as connections are to have: connections are spread over them.
///
/// What begins on a loop gets a connection of the same loop where one is free, so that it goes on without a change of
/// thread. Where one loop did all the work, a second processor would wait for it whenever many answers come at once.
public final class DatabaseLoopGroup: Sendable {
    /// The loops that all clients of the process share unless they are given others: one for each processor, eight at the
    /// most. They are never stopped.
    public static let shared: DatabaseLoopGroup = {
        do {
            return try DatabaseLoopGroup(count: min(8, processorCount))
        } catch {
            // The system has no descriptor or thread left when the process begins, so that nothing could be served. No
            // input leads here: the first use is the start of the process.
            preconditionFailure("\(error)")
        }
    }()

    /// What runs on the loops; there is at least one.
    public let lanes: [DatabaseLoopActor]
    private let turn = Atomic<Int>(0)

    /// Starts so many loops (at least one), each with a thread that lives as long as the process.
    /// - Throws: ``MariaDBError`` when the system has no descriptor or thread left.
    public init(count: Int) throws {
        lanes = try (0..<max(1, count)).map { _ in DatabaseLoopActor(loop: try DatabaseLoop()) }
    }

    /// A loop for the next who needs one: they take turns.
    public func next() -> DatabaseLoopActor {
        lanes[(turn.wrappingAdd(1, ordering: .relaxed).newValue & .max) % lanes.count]
    }

    /// The loop on which the caller is; one that is next in turn for who is on none.
    public var here: DatabaseLoopActor { current.map { lanes[$0] } ?? next() }

    /// The loop of the connection with this number.
    func loop(of connection: Int) -> DatabaseLoop { lanes[connection % lanes.count].loop }

    /// Which of the loops the caller runs on; nil: on none.
    var current: Int? { lanes.firstIndex { $0.loop.isOnLoop } }

    /// How many processors this process may use.
    private static var processorCount: Int {
        var count = ProcessInfo.processInfo.activeProcessorCount
        #if os(Linux)
            // A container's --cpus: how many microseconds in how many (cgroups(7), cpu.max).
            if let text = try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8) {
                let parts = text.split { $0.isWhitespace }.map { Int($0) }
                if parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0 {
                    count = min(count, max(1, quota / period + (quota % period == 0 ? 0 : 1)))
                }
            }
        #endif
        return count
    }
}
