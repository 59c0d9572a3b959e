import Foundation
import Synchronization

/// Threads for calls that wait. A thread begins with work and ends when none is left.
final class WorkerThreads: Sendable {
    private struct Work: Sendable {
        let keys: [String]
        let body: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Work] = []
        var running: [String: Int] = [:]
        var threads = 0
    }

    private let name: String
    private let most: Int
    private let mostOfKey: Int
    private let state = Mutex(State())

    /// No thread yet.
    /// - Parameters:
    ///   - most: the most threads.
    ///   - mostOfKey: the most threads that run work with one key. Further work with that key waits, and lets others pass.
    init(name: String, most: Int, mostOfKey: Int) {
        self.name = name
        self.most = most
        self.mostOfKey = mostOfKey
    }

    /// Runs work on a thread, soon.
    /// - Parameter keys: those by which it is counted.
    func run(_ keys: [String], _ body: @escaping @Sendable () -> Void) {
        let work = Work(keys: keys, body: body)
        let isOneMore = state.withLock { state in
            state.waiting.append(work)
            // A thread that ends work of a full key takes the next.
            guard state.threads < most, hasRoom(for: work, state) else { return false }
            state.threads += 1
            return true
        }
        guard isOneMore else { return }
        let thread = Thread { self.work() }
        thread.name = name
        thread.start()
    }

    private func hasRoom(for work: Work, _ state: State) -> Bool {
        work.keys.allSatisfy { state.running[$0, default: 0] < mostOfKey }
    }

    private func work() {
        var last: Work?
        while let next = take(after: last) {
            next.body()
            last = next
        }
    }

    /// Notes the end of a thread's last work, and gives it the next one; nil: the thread ends.
    private func take(after last: Work?) -> Work? {
        state.withLock { state in
            for key in last?.keys ?? [] {
                let others = state.running[key, default: 1] - 1
                state.running[key] = others > 0 ? others : nil
            }
            guard let index = state.waiting.firstIndex(where: { hasRoom(for: $0, state) }) else {
                state.threads -= 1
                return nil
            }
            let next = state.waiting.remove(at: index)
            for key in next.keys { state.running[key, default: 0] += 1 }
            return next
        }
    }
}
