import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A terminal for a program under test: what it writes is kept.
final class PseudoTerminal {
    private let screen: Int32
    /// The side of the program.
    fileprivate let program: Int32
    private var bytes: [UInt8] = []

    init(columns: UInt16, lines: UInt16) throws {
        var (screen, program): (Int32, Int32) = (-1, -1)
        guard openpty(&screen, &program, nil, nil, nil) == 0 else {
            throw NeverHappened(description: "a terminal is made: \(String(cString: strerror(errno)))")
        }
        (self.screen, self.program) = (screen, program)
        _ = fcntl(program, F_SETFD, FD_CLOEXEC)
        _ = fcntl(screen, F_SETFL, O_NONBLOCK)
        _ = fcntl(screen, F_SETFD, FD_CLOEXEC)
        resize(columns: columns, lines: lines)
    }

    deinit {
        close(program)
        close(screen)
    }

    /// Makes it another size. It is nobody's controlling terminal: the program has to be told.
    func resize(columns: UInt16, lines: UInt16) {
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    /// Types a text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(screen, bytes, bytes.count)
    }

    /// All that the program has written by now.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(screen, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TerminalHome {
    /// Begins a command that writes to a terminal.
    func start(_ arguments: [String], on terminal: PseudoTerminal) throws -> ChildProcess {
        let environment = Command.inherited.merging(environment) { $1 }
            .merging(["TERM": "xterm"]) { $1 }
        return try ChildProcess.spawn(
            try Self.program(), arguments, environment: environment, input: terminal.program, output: terminal.program)
    }
}
