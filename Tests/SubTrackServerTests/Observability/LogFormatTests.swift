import Dispatch
import Foundation
import Logging
import TestTraits
import Testing

@testable import SubTrackServer

/// Lines on real descriptors.
@Suite(.ownTime) struct LogFormatTests {
    /// Two ends of a socket that keeps the bounds of what is written at once.
    private struct Messages: ~Copyable {
        let writer: Int32
        private let reader: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
            writer = ends[0]
            reader = ends[1]
        }

        deinit {
            close(writer)
            close(reader)
        }

        func next() -> String {
            var buffer = [UInt8](repeating: 0, count: 256 * 1_024)
            let count = read(reader, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        }
    }

    /// The file that a terminal's user side is, and the side of who shows it.
    private struct Terminal: ~Copyable {
        let user: Int32
        private let screen: Int32

        init() throws {
            var screen: Int32 = -1
            var user: Int32 = -1
            try #require(openpty(&screen, &user, nil, nil, nil) == 0)
            self.screen = screen
            self.user = user
        }

        deinit {
            close(user)
            close(screen)
        }

        func next() -> String {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(screen, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        }
    }

    private func logger(
        _ format: LogFormat, _ descriptor: Int32, level: Logger.Level = .info, environment: [String: String] = [:]
    ) -> Logger {
        Logger(label: "l") { label in
            format.handler(
                label: label, level: level, stream: LogStream(fileDescriptor: descriptor), environment: environment,
                now: { 0 })
        }
    }

    @Test func eachLineIsOneWrite() throws {
        let messages = try Messages()
        let logger = logger(.json, messages.writer)
        let long = String(repeating: "x", count: 4_000)
        logger.info("first", metadata: ["a": "\(long)", "b": "\(long)", "c": "\(long)"])
        logger.debug("not shown")
        logger.info("second")
        let first = messages.next()
        #expect(first.utf8.count > 12_000)
        #expect(first.hasPrefix(#"{"time":"1970-01-01T00:00:00.000Z","level":"info","label":"l","message":"first""#))
        #expect(first.hasSuffix("\"}\n"))
        #expect(messages.next().contains(#""message":"second""#))
    }

    @Test func awayFromATerminalAutoIsJSONAndTextHasNoColour() throws {
        let messages = try Messages()
        logger(.auto, messages.writer).info("m")
        #expect(messages.next().hasPrefix("{"))
        logger(.text, messages.writer).info("m")
        #expect(messages.next() == "1970-01-01T00:00:00.000Z info     l: m\n")
    }

    @Test func onATerminalAutoIsTextWithColour() throws {
        let terminal = try Terminal()
        logger(.auto, terminal.user, environment: ["TERM": "xterm", "NO_COLOR": ""]).info("m")
        #expect(terminal.next() == "00:00:00.000Z \u{1B}[32minfo\u{1B}[0m     l: m\r\n")
        logger(.json, terminal.user).info("m")
        #expect(terminal.next().hasPrefix("{"))
    }

    @Test(arguments: [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"]])
    func coloursCanBeRefused(environment: [String: String]) throws {
        let terminal = try Terminal()
        logger(.auto, terminal.user, environment: environment).info("m")
        #expect(terminal.next() == "00:00:00.000Z info     l: m\r\n")
    }

    @Test(.timeLimit(.minutes(10))) func aReaderThatNeverReadsStopsNothing() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer {
            close(reader)
            close(writer)
        }
        #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let logger = logger(.json, writer)
        // More than a pipe holds, many times over; to wait a tenth of a second for each would take thirteen minutes.
        let long = String(repeating: "x", count: 4_000)
        for line in 0..<8_000 { logger.info("\(line)", metadata: ["x": "\(long)"]) }

        // Once it reads, new lines come whole, though the one that filled the pipe has lost its end.
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let before = read(reader, &buffer, buffer.count)
        try #require(before > 4_000)
        #expect(buffer[before - 1] != UInt8(ascii: "\n"))
        var all = Array(buffer.prefix(before))
        logger.info("back")
        let after = read(reader, &buffer, buffer.count)
        all += buffer.prefix(max(after, 0))
        let last = try #require(all.split(separator: UInt8(ascii: "\n")).last)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(last))["message"] == "back")
    }

    @Test func aDescriptorThatIsClosedStopsNothing() {
        logger(.json, -1).info("lost")
    }

    @Test func linesOfManyThreadsStayWhole() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let logger = logger(.json, writer)
        // Threads of their own, for they wait for this one to read.
        Thread {
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                // Over PIPE_BUF, so that the pipe alone would not keep them apart.
                let filler = Logger.MetadataValue.string(String(repeating: "x", count: 4_096))
                for line in 0..<50 { logger.info("\(thread)-\(line)", metadata: ["x": filler, "y": filler]) }
            }
            close(writer)
        }
        .start()
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(reader, &buffer, buffer.count), count > 0 {
            all.append(contentsOf: buffer.prefix(count))
        }
        let messages = try all.split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode([String: String].self, from: Data($0))["message"] }
        #expect(messages.count == 400)
        #expect(Set(messages).count == 400)
    }

    @Test(arguments: [("auto", LogFormat.auto), ("json", .json), ("text", .text)])
    func formatsHaveTheirNames(name: String, format: LogFormat) {
        #expect(LogFormat(rawValue: name) == format)
        #expect(LogFormat(rawValue: "xml") == nil)
    }
}
