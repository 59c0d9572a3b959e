import Foundation
import GRDB
import SubTrackAPI

/// Runs one sync at a time. Who asks while one runs shares the next, which sees all that was changed before.
actor Synchronizer {
    let session: DeviceSession
    private var running: Task<SyncSummary, any Error>?
    private var next: Task<SyncSummary, any Error>?

    init(session: DeviceSession) { self.session = session }

    /// Sends what waits, and pulls what is new.
    func sync() async throws -> SyncSummary { try await task().value }

    private func task() -> Task<SyncSummary, any Error> {
        if let next { return next }
        let before = running
        let task = Task {
            if let before {
                _ = await before.result
                begin()
            }
            do {
                let summary = try await SyncRun(session: session).run()
                end()
                return summary
            } catch {
                end()
                throw error
            }
        }
        if before == nil { running = task } else { next = task }
        return task
    }

    /// What waited runs now.
    private func begin() {
        running = next
        next = nil
    }

    private func end() { if next == nil { running = nil } }
}
