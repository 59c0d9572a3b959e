import Logging
import Synchronization

/// What was logged, for tests to look at.
public final class RecordedLog: Sendable {
    /// One line.
    public struct Line: Sendable, CustomStringConvertible {
        /// How important it is.
        public let level: Logger.Level
        /// What happened.
        public let message: String
        /// With what.
        public let metadata: [String: String]

        public var description: String { "\(level) \(message) \(metadata)" }
    }

    private let recorded = Mutex<[Line]>([])

    /// Nothing was logged yet.
    public init() {}

    /// What was logged so far, in order.
    public var lines: [Line] { recorded.withLock { $0 } }

    /// A logger whose lines are kept here.
    public func logger(_ label: String, level: Logger.Level = .info) -> Logger {
        var logger = Logger(label: label) { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let line = Line(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" })
            log.recorded.withLock { $0.append(line) }
        }
    }
}
