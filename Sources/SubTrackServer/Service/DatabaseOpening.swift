import Logging
import UnixSignals

/// The opening of the database, which takes seconds where an embedded one is made, and may be told to stop meanwhile.
enum DatabaseOpening {
    private enum Event: Sendable {
        case opened(DatabaseAccess)
        case failed(any Error)
        case told(by: UnixSignal)
        case unwatched
    }

    /// Opens the database unless a signal comes first.
    /// - Returns: nil after a signal; then nothing that was begun is left.
    static func open(
        _ settings: ServiceSettings, unless signals: [UnixSignal], logger: Logger
    ) async throws -> DatabaseAccess? {
        guard !signals.isEmpty else { return try await DatabaseAccess.open(settings, logger: logger) }
        let trapped = await UnixSignalsSequence(trapping: signals)
        let events = await withTaskGroup(of: Event.self) { group in
            group.addTask {
                do { return .opened(try await DatabaseAccess.open(settings, logger: logger)) } catch {
                    return .failed(error)
                }
            }
            group.addTask {
                for await signal in trapped { return .told(by: signal) }
                return .unwatched
            }
            var events: [Event] = []
            for await event in group {
                events.append(event)
                group.cancelAll()
            }
            return events
        }
        var access: DatabaseAccess?
        var failure: (any Error)?
        var signal: UnixSignal?
        for event in events {
            switch event {
            case .opened(let opened): access = opened
            case .failed(let error): failure = error
            case .told(let by): signal = by
            case .unwatched: break
            }
        }
        if let signal {
            logger.notice("Told to stop while the database was opened", metadata: ["signal": "\(signal)"])
            await access?.embedded?.stop()
            return nil
        }
        if let failure { throw failure }
        return access
    }
}
