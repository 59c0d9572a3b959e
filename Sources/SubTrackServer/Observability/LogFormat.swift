import Foundation
import Logging
import Synchronization

/// How log lines look.
///
///     LoggingSystem.bootstrap { label, provider in
///         LogFormat.auto.handler(label: label, level: .info, metadataProvider: provider)
///     }
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people when the lines go to a terminal, else JSON.
    case auto
    /// One JSON object per line.
    case json
    /// One line of text for people.
    case text

    /// A handler that writes in this format.
    ///
    /// Colours are used on a terminal alone, and not if `NO_COLOR` is set and not empty (no-color.org) or `TERM` is
    /// `dumb`.
    ///
    /// - Parameters:
    ///   - label: the logger's.
    ///   - level: the least level that is written.
    ///   - metadataProvider: the logging system's.
    ///   - stream: where lines go.
    ///   - environment: the variables of the process.
    ///   - now: the time in milliseconds since 1970.
    public func handler(
        label: String, level: Logger.Level, metadataProvider: Logger.MetadataProvider? = nil,
        stream: LogStream = .standardError, environment: [String: String] = ProcessInfo.processInfo.environment,
        now: @escaping @Sendable () -> Int64 = LogTime.system
    ) -> any LogHandler {
        if self == .json || (self == .auto && !stream.isTerminal) {
            return JSONLogHandler(
                label: label, level: level, metadataProvider: metadataProvider, now: now,
                write: { stream.write($0) })
        }
        let allowsColour = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        return TextLogHandler(
            label: label, level: level, metadataProvider: metadataProvider, now: now, isShort: stream.isTerminal,
            isColoured: stream.isTerminal && allowsColour, write: { stream.write($0) })
    }
}

/// A file descriptor that log lines are written to, each whole and by one `write(2)`.
public final class LogStream: Sendable {
    /// The standard error of the process.
    public static let standardError = LogStream(fileDescriptor: STDERR_FILENO)

    /// Whether a person looks at it.
    public let isTerminal: Bool
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Kept under a lock, for a pipe may take a line over `PIPE_BUF` in parts, and lines of two threads would mix.
    private struct State {
        /// Whether the end of the last line was lost.
        var isInLine = false
        /// Whether the last line was given up.
        var isStuck = false
    }

    /// A stream on a descriptor, which is neither owned nor closed.
    public init(fileDescriptor: Int32) {
        descriptor = fileDescriptor
        isTerminal = isatty(fileDescriptor) == 1
    }

    /// Writes a line. One that cannot be written is lost: there is nobody left to tell, and the service goes on.
    func write(_ line: [UInt8]) {
        state.withLock { state in
            let whole = state.isInLine ? [UInt8(ascii: "\n")] + line : line
            let written = write(whole, waits: !state.isStuck)
            state.isStuck = written < whole.count
            // A loss between two whole lines leaves no trace.
            if written > 0 { state.isInLine = written < whole.count }
        }
    }

    /// Gives how many bytes were written.
    private func write(_ bytes: [UInt8], waits: Bool) -> Int {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    written += count
                } else if count == 0 {
                    break
                } else if errno == EAGAIN {
                    // A terminal or pipe that another process made non-blocking. A reader that is only slow gets a
                    // tenth of a second, once: the service does not wait for its log.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    guard waits, poll(&ready, 1, 100) > 0 else { break }
                } else if errno != EINTR {
                    break
                }
            }
            return written
        }
    }
}

/// The time of a log line.
public enum LogTime {
    /// The system's clock, in milliseconds since 1970.
    @Sendable public static func system() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
