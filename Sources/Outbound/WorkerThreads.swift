import Foundation
import Synchronization

/// Threads for calls that wait. A thread begins with work and ends when none is left.
final class WorkerThreads: Sendable {
    private struct Work: Sendable {
        let key: String
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
    ///   - mostOfKey: the most threads that run work of one key. Further work of that key waits, and lets others pass.
    init(name: String, most: Int, mostOfKey: Int) {
        self.name = name
        self.most = most
        self.mostOfKey = mostOfKey
    }

    /// Runs work on a thread, soon.
    func run(_ key: String, _ body: @escaping @Sendable () -> Void) {
        let isOneMore = state.withLock { state in
            state.waiting.append(Work(key: key, body: body))
            guard state.threads < most else { return false }
            state.threads += 1
            return true
        }
        guard isOneMore else { return }
        let thread = Thread { self.work() }
        thread.name = name
        thread.start()
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
            if let last {
                let others = state.running[last.key, default: 1] - 1
                state.running[last.key] = others > 0 ? others : nil
            }
            guard let index = state.waiting.firstIndex(where: { state.running[$0.key, default: 0] < mostOfKey }) else {
                state.threads -= 1
                return nil
            }
            let next = state.waiting.remove(at: index)
            state.running[next.key, default: 0] += 1
            return next
        }
    }
}
